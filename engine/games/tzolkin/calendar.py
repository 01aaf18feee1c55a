"""How time passes: from turn to turn, from round to round, Food Days and the turning of the gears (RULES §3, §9)."""

from typing import ClassVar, Final

from ballcourt.engine.core.frames import ActorStep, Frame, Step
from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin import food_day, scoring
from ballcourt.engine.games.tzolkin.actions import ADVANCE
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import FOOD_DAY, GEAR_BASE, GEAR_SLOTS, LAST_FOOD_DAY, LAST_SPACE
from ballcourt.engine.games.tzolkin.turn import TurnStart

BLOCKING: Final = tuple(base + last - 1 for base, last in zip(GEAR_BASE, LAST_SPACE, strict=True))
"""The slots whose workers a second day would push off without their owner having had a turn there."""


def start_turn(state: TzolkinState, seat: int) -> None:
    """Give the turn to a seat."""
    state.table[at.TURN] = seat
    state.then(TurnStart(seat, 0), TurnEnd(seat))


class TurnEnd(ActorStep[TzolkinState]):
    """What happens between two turns (§4.5, R-29)."""

    kind: ClassVar[int] = 19

    def run(self, state: TzolkinState) -> None:
        """Refill the row, take the corn of the calendar, then let the next player or the calendar go on."""
        refill(state)
        table = state.table
        if table[at.START_SPACE] == self.actor:
            state.players[self.actor][at.CORN] += table[at.POT]
            table[at.POT] = 0
        following = (self.actor + 1) % state.seats
        if following == table[at.START_PLAYER]:
            state.then(RoundEnd())
        else:
            start_turn(state, following)


def refill(state: TzolkinState) -> None:
    """Fill the blanks of the row, left to right, from the stack of the age while it lasts (§4.5)."""
    age = state.table[at.AGE]
    left = at.STACK + age - 1
    for space, building in enumerate(state.row):
        if not building and state.table[left]:
            state.table[left] -= 1
            state.row[space] = state.stacks[age - 1][state.table[left]]


class RoundEnd(Step[TzolkinState]):
    """Every player has had a turn (§3.1)."""

    kind: ClassVar[int] = 20

    def run(self, state: TzolkinState) -> None:
        """Hold a Food Day that is due or was skipped over (§3.2), then finish or go on (§3.3, §9.1)."""
        table = state.table
        if table[at.DAY] >= FOOD_DAY[table[at.FOOD_DAYS]]:
            food_day.hold(state)
        if table[at.FOOD_DAYS] == LAST_FOOD_DAY:
            finish(state)
        elif table[at.START_SPACE] == at.EMPTY:
            table[at.POT] += 1
            next_round(state, 1)
        else:
            change_starting_player(state)


def change_starting_player(state: TzolkinState) -> None:
    """Pass the marker on and let the player on the Starting Player Space turn the calendar (§9.2)."""
    table = state.table
    seat = take_back_from_start_space(state)
    table[at.START_PLAYER] = seat if table[at.START_PLAYER] != seat else (seat + 1) % state.seats
    table[at.TURN] = seat
    state.then(Advance(seat))


def take_back_from_start_space(state: TzolkinState) -> int:
    """Return the worker on the Starting Player Space to its owner, and the owner's seat."""
    seat = state.table[at.START_SPACE]
    state.players[seat][at.HAND] += 1
    state.table[at.START_SPACE] = at.EMPTY
    return seat


class Advance(Frame[TzolkinState]):
    """One day or two (§9.2)."""

    kind: ClassVar[int] = 18

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        """One day; two with the light side up and no player's worker on a blocking space (R-19, R-20)."""
        blocked = any(state.slots[slot] not in (at.EMPTY, at.DUMMY) for slot in BLOCKING)
        if blocked or not state.players[seat][at.LIGHT]:
            return [ADVANCE]
        return [ADVANCE, ADVANCE + 1]

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        """Turn the calendar; two days cost the light side."""
        days = action - ADVANCE + 1
        if days == 2:
            state.players[seat][at.LIGHT] = 0
        next_round(state, days)


def next_round(state: TzolkinState, days: int) -> None:
    """Turn the calendar by some days and begin the round of the new day."""
    for _ in range(days):
        turn_gears(state)
    start_turn(state, state.table[at.START_PLAYER])


def turn_gears(state: TzolkinState) -> None:
    """Move every worker one slot on; a player's worker leaving the last space goes home, a dummy goes round (§9.3)."""
    slots = state.slots
    for gear in range(at.GEARS):
        base = GEAR_BASE[gear]
        last = base + LAST_SPACE[gear]
        leaving = slots[last]
        if leaving != at.EMPTY and leaving != at.DUMMY:
            state.players[leaving][at.HAND] += 1
            slots[last] = at.EMPTY
        end = base + GEAR_SLOTS[gear]
        slots[base:end] = [slots[end - 1], *slots[base : end - 1]]
    state.table[at.DAY] += 1


def finish(state: TzolkinState) -> None:
    """End the match: one last day that no one chooses, then the final scoring (§10.1, R-25)."""
    if state.table[at.START_SPACE] != at.EMPTY:
        take_back_from_start_space(state)
    turn_gears(state)
    scoring.final_scoring(state)
