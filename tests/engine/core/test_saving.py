"""Positions that are copied and pickled."""

import copy
import pickle

import pytest

from ballcourt.engine.core import Game, State, digest
from ballcourt.engine.core.playout import decisions, first
from ballcourt.engine.core.saving import load_position
from ballcourt.engine.registry import find_game
from tests.bluff import GAME as BLUFF

GAMES = [BLUFF, *(find_game(name) for name in ("ahau", "maya", "tzolkin"))]


def last(items: list[int]) -> int:
    return items[-1]


def in_the_middle(game: Game) -> State:
    state = game.initial_state(game.seat_counts[-1], 1)
    for _ in decisions(state, last, limit=40 if game.max_decisions > 100 else 1):
        pass
    return state


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_a_copied_or_pickled_position_plays_on_alike(game: Game, duplicate: object) -> None:
    assert callable(duplicate)
    state = in_the_middle(game)
    copied = duplicate(state)
    assert type(copied) is type(state)
    before = digest(state)
    assert digest(copied) == before
    made = list(decisions(copied, first))
    assert digest(state) == before
    assert list(decisions(state, first)) == made
    assert state.scores() == copied.scores()


def test_a_position_of_a_module_without_a_game_is_refused() -> None:
    with pytest.raises(ImportError, match=r"os\.path belongs to no game"):
        load_position("os.path", [])
