"""The ledger of points: in every position of a match it adds up to the points, for every game and mode."""

from random import Random

import pytest

from ballcourt.engine.core import State
from ballcourt.engine.registry import find_game

MODES: tuple[tuple[str, int, dict[str, str]], ...] = (
    ("tzolkin", 2, {}),
    ("tzolkin", 4, {}),
    ("maya", 2, {}),
    ("maya", 4, {}),
    ("ahau", 1, {"difficulty": "hard"}),
    ("ahau", 1, {"solo_board": "night"}),
    ("ahau", 2, {"shadow": "yes", "personal": "yes"}),
    ("ahau", 3, {"mode": "family"}),
    ("ahau", 5, {"board": "night"}),
)


def points(state: State) -> list[float]:
    return [*state.scores(), *(rival.score for rival in state.rivals())]


@pytest.mark.parametrize(("game", "seats", "options"), MODES)
def test_the_ledger_adds_up_to_the_points_in_every_position(game: str, seats: int, options: dict[str, str]) -> None:
    chance = Random(f"{game} {seats}")
    state = find_game(game).initial_state(seats, chance.getrandbits(64), options)
    state.ledger = []
    sums = points(state)
    while pending := state.pending_seats():
        known = len(state.ledger)
        state.apply(pending[0], chance.choice(state.legal_actions(pending[0])))
        for player, gained, source in state.ledger[known:]:
            assert gained and source
            if player < len(sums):  # the Shadow Player has no points
                sums[player] += gained
        assert sums == points(state)
    assert len({source for _, _, source in state.ledger}) > 1


def test_a_clone_keeps_no_ledger_and_adds_nothing_to_that_of_its_origin() -> None:
    state = find_game("maya").initial_state(2, 1)
    state.ledger = []
    clone = state.clone()
    while pending := clone.pending_seats():
        clone.apply(pending[0], clone.legal_actions(pending[0])[0])
    assert clone.ledger is None
    assert any(clone.scores())
    assert state.ledger == []
