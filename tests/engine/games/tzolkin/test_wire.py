"""Tzolk'in on the wire: the contents of an observation."""

from ballcourt.engine.core import State
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.games.tzolkin import GAME
from ballcourt.engine.games.tzolkin.columns import CHICHEN_USED, CORN, MONUMENTS, VP
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import GEAR_BASE
from ballcourt.engine.games.tzolkin.wire import WIRE
from ballcourt.v1.tzolkin_pb2 import TzolkinAction, TzolkinObservation, TzolkinQuestion


def opening(seats: int = 3, drafted: bool = True) -> TzolkinState:
    state = GAME.initial_state(seats, 7, {"start_player": "1"})
    assert isinstance(state, TzolkinState)
    for seat in range(seats if drafted else 0):
        state.apply(seat, TzolkinAction.TZOLKIN_ACTION_KEEP_1_2)
    return state


def seen(state: State, seat: int) -> TzolkinObservation:
    return TzolkinObservation.FromString(Encoder(WIRE).encode(state, seat))


def test_a_bot_reads_the_belongings_of_every_player_by_name() -> None:
    state = opening()
    state.players[2][CORN], state.players[2][VP], state.players[2][MONUMENTS] = 11, -13, 1 << 4 | 1 << 9
    player = seen(state, 0).players[2]
    assert (player.corn, player.vp_quarters, list(player.monuments)) == (11, -13, [4, 9])
    assert (list(player.wealth_tiles), player.light_side, player.workers) == (sorted(state.offers[2])[:2], True, 3)


def test_a_bot_reads_who_stands_in_which_slot() -> None:
    state = opening(seats=4)
    state.slots[GEAR_BASE[3] + 6] = 2
    gears = seen(state, 0).gears
    assert [len(gear.slots) for gear in gears] == [10, 10, 10, 10, 13]
    assert gears[3].slots[6] == 2
    assert gears[0].slots[0] == -1


def test_a_bot_reads_sets_as_ascending_lists() -> None:
    state = opening()
    state.table[CHICHEN_USED] = 1 << 9 | 1 << 2
    assert list(seen(state, 1).calendar.used_chichen) == [2, 9]


def test_the_question_is_the_one_on_top() -> None:
    state = opening()
    assert seen(state, 1).question == TzolkinQuestion.TZOLKIN_QUESTION_TURN
    assert [waiting.question for waiting in seen(state, 1).waiting] == [
        TzolkinQuestion.TZOLKIN_QUESTION_TURN_END,
        TzolkinQuestion.TZOLKIN_QUESTION_TURN,
    ]
    assert list(seen(state, 1).waiting[-1].numbers) == [1, 0]


def test_a_seat_reads_only_its_own_offer_and_answer() -> None:
    state = opening(drafted=False)
    state.apply(1, TzolkinAction.TZOLKIN_ACTION_KEEP_2_4)
    assert list(seen(state, 1).own.offered) == state.offers[1]
    assert seen(state, 1).own.kept == TzolkinAction.TZOLKIN_ACTION_KEEP_2_4
    assert seen(state, 2).own.kept == TzolkinAction.TZOLKIN_ACTION_UNSPECIFIED
    assert not seen(state, SPECTATOR).HasField("own")
