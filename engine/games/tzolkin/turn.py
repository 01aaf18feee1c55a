"""A player's turn: place workers or pick them up (RULES §4)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.tzolkin.actions import BEG, END, PICK, PICK_STRIDE, PITY, PLACE, PLACE_START
from ballcourt.engine.games.tzolkin.columns import CORN, EMPTY, GEARS, HAND, START_SPACE, TEMPLE
from ballcourt.engine.games.tzolkin.economy.temples import lowerable
from ballcourt.engine.games.tzolkin.gears.spaces import UseAction
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import BEG_AT_MOST, CORN_AFTER_BEGGING, GEAR_BASE, LAST_SPACE


def lowest_free(slots: list[int], gear: int) -> int:
    """Return the lowest-numbered free space of a gear, EMPTY when all are taken; dummies block too (§4.2)."""
    base = GEAR_BASE[gear]
    for space in range(LAST_SPACE[gear] + 1):
        if slots[base + space] == EMPTY:
            return space
    return EMPTY


def placements(state: TzolkinState, seat: int, placed: int) -> list[int]:
    """List the PLACE actions a seat can pay: the number of the space plus the workers placed this turn (§4.2)."""
    player = state.players[seat]
    left = player[CORN] - placed
    if not player[HAND] or left < 0:
        return []
    options = [PLACE + gear for gear in range(GEARS) if 0 <= lowest_free(state.slots, gear) <= left]
    if state.table[START_SPACE] == EMPTY:
        options.append(PLACE_START)
    return options


def place(state: TzolkinState, seat: int, action: int, placed: int) -> None:
    """Pay for a worker and put it down (§4.2)."""
    player = state.players[seat]
    player[HAND] -= 1
    player[CORN] -= placed
    if action == PLACE_START:
        state.table[START_SPACE] = seat
        return
    gear = action - PLACE
    space = lowest_free(state.slots, gear)
    player[CORN] -= space
    state.slots[GEAR_BASE[gear] + space] = seat


def pick_ups(state: TzolkinState, seat: int) -> list[int]:
    """List the PICK actions for a seat's workers on the gears (§4.3)."""
    slots = state.slots
    return [
        PICK + PICK_STRIDE * gear + space
        for gear in range(GEARS)
        for space in range(LAST_SPACE[gear] + 1)
        if slots[GEAR_BASE[gear] + space] == seat
    ]


def pick_up(state: TzolkinState, seat: int, action: int) -> None:
    """Take a worker back; it stays in hand for the rest of this turn (R-07). Then its action, then more."""
    gear = min((action - PICK) // PICK_STRIDE, GEARS - 1)
    space = action - PICK - PICK_STRIDE * gear
    state.slots[GEAR_BASE[gear] + space] = EMPTY
    state.players[seat][HAND] += 1
    state.then(UseAction(seat, gear, space), Picking(seat))


def pitied(state: TzolkinState) -> list[int]:
    """List the PITY actions: the gears whose lowest free space is the lowest of all (§4.1, R-06)."""
    lowest = [lowest_free(state.slots, gear) for gear in range(GEARS)]
    cheapest = min(space for space in lowest if space != EMPTY)
    return [PITY + gear for gear in range(GEARS) if lowest[gear] == cheapest]


class TurnStart(Frame[TzolkinState]):
    """The first decision of a turn: beg, place or pick up; passing is not allowed (§4.1)."""

    kind: ClassVar[int] = 2
    name: ClassVar[str] = "TURN"
    fields: ClassVar[tuple[str, ...]] = ("seat", "begged")
    begged: int

    def __init__(self, seat: int, begged: int) -> None:
        super().__init__(seat)
        self.begged = begged

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        """Begging once (R-04, R-05), every placement and pick-up; without any of these, the gods' pity (R-06)."""
        player = state.players[seat]
        options = []
        if not self.begged and player[CORN] <= BEG_AT_MOST:
            options = [BEG + temple for temple in lowerable(player)]
        options += placements(state, seat, 0)
        options += pick_ups(state, seat)
        return options or pitied(state)

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        """Beg and begin again, or choose between placing and picking up for the whole turn."""
        player = state.players[seat]
        if action >= PICK:
            pick_up(state, seat, action)
        elif action >= PITY:
            place(state, seat, action - PITY + PLACE, 0)
            player[CORN] = 0  # whatever the space costs
            state.then(TurnOver(seat))
        elif action >= PLACE:
            place(state, seat, action, 0)
            state.then(Placing(seat, 1))
        else:
            player[CORN] = CORN_AFTER_BEGGING
            player[TEMPLE + action - BEG] -= 1
            state.then(TurnStart(seat, 1))


class Placing(Frame[TzolkinState]):
    """Another worker, one dearer than the last, or the end of the turn; in any order (§4.2, R-03)."""

    kind: ClassVar[int] = 3
    name: ClassVar[str] = "PLACE_MORE"
    fields: ClassVar[tuple[str, ...]] = ("seat", "placed")
    placed: int

    def __init__(self, seat: int, placed: int) -> None:
        super().__init__(seat)
        self.placed = placed

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        """Every affordable placement, and END."""
        return [*placements(state, seat, self.placed), END]

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        if action != END:
            place(state, seat, action, self.placed)
            state.then(Placing(seat, self.placed + 1))


class Picking(Frame[TzolkinState]):
    """Another worker to pick up, or the end of the turn (§4.3)."""

    kind: ClassVar[int] = 4
    name: ClassVar[str] = "PICK_MORE"

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        """Every worker still on the gears, and END."""
        return [*pick_ups(state, seat), END]

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        """Pick up, which asks again."""
        if action != END:
            pick_up(state, seat, action)


class TurnOver(Frame[TzolkinState]):
    """A player whom the gods pitied can only end the turn (§4.1)."""

    kind: ClassVar[int] = 5

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        return [END]

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        """Nothing is left to do."""
