"""Performing the action of a gear: for a worker picked up, or as any action of one's choice (RULES §4.4, §5)."""

from typing import ClassVar, Final

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.tzolkin.actions import GO, GO_STRIDE, NONE, STOP, USE
from ballcourt.engine.games.tzolkin.columns import CHICHEN_ITZA, CORN, PALENQUE, TECH, THEOLOGY, TIKAL, UXMAL, YAXCHILAN
from ballcourt.engine.games.tzolkin.gears import chichen_itza, palenque, tikal, uxmal, yaxchilan
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import (
    CORN_PER_ANY_ACTION,
    FREE_CHOICE_FROM,
    NUMBERED_ACTIONS,
    SPACE_AHEAD_FROM,
)

LAST_NUMBERED: Final = 9
"""The last numbered space of Chichen Itza; the one ahead of it is the free choice."""


def performable(state: TzolkinState, seat: int, gear: int, action: int, corn: int) -> bool:
    """Return whether an action would have an effect for a seat with this much corn left (§5.0, R-09)."""
    if gear == PALENQUE:
        return palenque.performable(state, seat, action)
    if gear == YAXCHILAN:
        return yaxchilan.performable(state, seat, action)
    if gear == TIKAL:
        return tikal.performable(state, seat, action)
    if gear == UXMAL:
        return uxmal.performable(state, seat, action, corn)
    return chichen_itza.performable(state, seat, action)


def perform(state: TzolkinState, seat: int, gear: int, action: int) -> None:
    """Carry out a performable action (§5)."""
    if gear == PALENQUE:
        palenque.perform(state, seat, action)
    elif gear == YAXCHILAN:
        yaxchilan.perform(state, seat, action)
    elif gear == TIKAL:
        tikal.perform(state, seat, action)
    elif gear == CHICHEN_ITZA:
        chichen_itza.perform(state, seat, action)
    elif action == uxmal.ANY_ACTION:
        state.players[seat][CORN] -= CORN_PER_ANY_ACTION
        state.then(AnyAction(seat, optional=0))
    else:
        uxmal.perform(state, seat, action)


class UseAction(Frame[TzolkinState]):
    """What to do with a worker just picked up from a space of a gear (§4.4)."""

    kind: ClassVar[int] = 6
    name: ClassVar[str] = "USE"
    fields: ClassVar[tuple[str, ...]] = ("seat", "gear", "space")
    gear: int
    space: int

    def __init__(self, seat: int, gear: int, space: int) -> None:
        super().__init__(seat)
        self.gear = gear
        self.space = space

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        """Every performable action within reach whose step-back price can be paid, and NONE (R-09)."""
        corn = state.players[seat][CORN]
        ahead = self.sees_ahead(state, seat)
        options = []
        for action in range(1, self.reach(ahead) + 1):
            left = corn - self.price(action, ahead)
            if left >= 0 and performable(state, seat, self.gear, action, left):
                options.append(USE + action - 1)
        options.append(NONE)
        return options

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        """Pay for stepping back, then perform (§4.4: the corn is paid first)."""
        if action == NONE:
            return
        chosen = action - USE + 1
        state.players[seat][CORN] -= self.price(chosen, self.sees_ahead(state, seat))
        perform(state, seat, self.gear, chosen)

    def sees_ahead(self, state: TzolkinState, seat: int) -> bool:
        """Theology 1 opens the space ahead of the worker's own, on Chichen Itza only (R-17)."""
        return self.gear == CHICHEN_ITZA and state.players[seat][TECH + THEOLOGY] >= SPACE_AHEAD_FROM

    def free_choice(self, ahead: bool) -> bool:
        """Return whether every numbered action is free: on the last spaces, or with one of them ahead (R-08, R-17)."""
        return self.space >= FREE_CHOICE_FROM[self.gear] or (ahead and self.space == LAST_NUMBERED)

    def reach(self, ahead: bool) -> int:
        """Return the highest action within reach; 0 for none."""
        if self.free_choice(ahead):
            return NUMBERED_ACTIONS[self.gear]
        return self.space + 1 if ahead else self.space

    def price(self, action: int, ahead: bool) -> int:
        """Return the corn for stepping back to an action: 1 a space (§4.4)."""
        return 0 if self.free_choice(ahead) else max(0, self.space - action)


class AnyAction(Frame[TzolkinState]):
    """Any numbered action of the four small gears but this one, without stepping back (R-18).

    Uxmal 5 has paid its corn already; the effect of a building is optional and paid when used.
    """

    kind: ClassVar[int] = 16
    fields: ClassVar[tuple[str, ...]] = ("seat", "optional")
    optional: int

    def __init__(self, seat: int, optional: int) -> None:
        super().__init__(seat)
        self.optional = optional

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        """Every performable action that can be paid; STOP when optional."""
        corn = state.players[seat][CORN] - self.optional * CORN_PER_ANY_ACTION
        options = []
        if corn >= 0:
            options = [
                GO + GO_STRIDE * gear + action - 1
                for gear in range(CHICHEN_ITZA)
                for action in range(1, NUMBERED_ACTIONS[gear] + 1)
                if (gear != UXMAL or action != uxmal.ANY_ACTION) and performable(state, seat, gear, action, corn)
            ]
        if self.optional:
            options.append(STOP)
        return options

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        if action == STOP:
            return
        state.players[seat][CORN] -= self.optional * CORN_PER_ANY_ACTION
        gear, index = divmod(action - GO, GO_STRIDE)
        perform(state, seat, gear, index + 1)
