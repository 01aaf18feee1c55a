"""Playouts: positions played to the end by a policy."""

from random import Random

from ballcourt.engine.core import Observation, Rows, State
from ballcourt.engine.core.chance import stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.playout import Player, at_random, decisions, playout, playouts
from ballcourt.engine.games.maya import GAME as MAYA
from tests.bluff import GAME as BLUFF


def test_a_playout_ends_the_match_and_counts_the_decisions() -> None:
    state = BLUFF.initial_state(3, 1)
    assert playout(state, min) == 9
    assert state.pending_seats() == []


def test_the_same_random_numbers_play_the_same_match() -> None:
    one, other = MAYA.initial_state(3, 1), MAYA.initial_state(3, 1)
    playout(one, Random(5).choice)
    playout(other, Random(5).choice)
    assert one.to_rows() == other.to_rows()


def test_a_stream_of_the_engine_is_a_policy_too() -> None:
    state = MAYA.initial_state(2, 1)
    assert playout(state, stream(1, "policy").choice) > 0


def test_decisions_are_shown_after_they_were_applied() -> None:
    state = BLUFF.initial_state(2, 1)
    shown = decisions(state, max)
    assert next(shown) == (0, 3)
    assert state.pending_seats() == [1]
    assert [seat for seat, _ in shown] == [1, 0, 1, 0, 1]


def test_decisions_stop_at_a_limit() -> None:
    state = BLUFF.initial_state(2, 1)
    assert len(list(decisions(state, max, limit=3))) == 3
    assert state.pending_seats() == [1]


def test_the_order_of_simultaneous_answers_can_be_chosen() -> None:
    state = BLUFF.initial_state(3, 1)
    assert [seat for seat, _ in decisions(state, min, choose_seat=max, limit=3)] == [2, 1, 0]


def test_equal_luck_ends_equal_positions_equally_and_leaves_them_as_they_are() -> None:
    state = MAYA.initial_state(3, 1)
    before = state.to_rows()
    one, other = playouts([state, state.clone()], at_random, [4, 9])
    assert one == other
    assert one[0] != one[1]
    assert state.to_rows() == before


def test_ends_are_scores_returns_and_placements() -> None:
    state = MAYA.initial_state(3, 1)
    ((end,),) = playouts([state], at_random, [4])
    playout(state, Random(4).choice)
    assert end == (state.scores(), state.returns(), state.placements())


def test_what_a_seat_cannot_see_is_drawn_for_each_playout() -> None:
    position = MAYA.initial_state(2, 1)
    drawn = list[tuple[Observation, Rows]]()

    def policy(luck: int) -> Player:
        def choose(state: State, seat: int) -> int:
            if len(drawn) <= luck:
                drawn.append((observe(state, 0), state.to_rows()))
            return state.legal_actions(seat)[0]

        return choose

    playouts([position], policy, range(3), known_to=0)
    seen, rows = zip(*drawn, strict=True)
    assert [*seen] == [observe(position, 0)] * 3
    assert len({str(one) for one in (*rows, position.to_rows())}) == 4
