"""Positions for search bots, drawn from an observation."""

from random import Random

import pytest

from ballcourt import Decision
from ballcourt.engine.core import Game, UnknownGame
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.playout import decisions
from ballcourt.engine.registry import games
from ballcourt.simulate import playout, sample
from ballcourt.v1.protocol_pb2 import Decide, MatchStart


def shown(game: Game, seed: int, steps: int) -> tuple[Decision, object]:
    """Play `steps` first-legal decisions; return what the seat to move sees, and the same as rows."""
    state = game.initial_state(game.seat_counts[-1], seed)
    for _ in decisions(state, min, limit=steps):
        pass
    seat = state.pending_seats()[0]
    decide = Decide(observation=Encoder(game.wire()).encode(state, seat), legal=state.legal_actions(seat))
    match = MatchStart(game=game.name, seat=seat, seats=state.seats)
    return Decision(match, decide), observe(state, seat)


@pytest.mark.parametrize("game", games().values(), ids=games())
@pytest.mark.parametrize("steps", [0, 5, 40])
def test_a_sampled_position_has_the_same_question_and_observation(game: Game, steps: int) -> None:
    decision, seen = shown(game, 3, steps)
    state = sample(decision, Random(1))
    assert state.legal_actions(decision.match.seat) == decision.legal
    assert observe(state, decision.match.seat) == seen


def test_a_sampled_position_can_be_played_to_its_end() -> None:
    decision, _ = shown(games()["maya"], 1, 4)
    state = sample(decision, Random(1))
    assert playout(state, Random(2).choice) > 0
    assert not state.pending_seats()


def test_a_game_whose_rules_are_not_installed_is_refused() -> None:
    decision = Decision(MatchStart(game="go"), Decide())
    with pytest.raises(UnknownGame, match="no game 'go'"):
        sample(decision, Random(1))
