"""Tikal: technologies, buildings, monuments and offerings (RULES §5.3)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.tzolkin.economy import construct
from ballcourt.engine.games.tzolkin.economy.goods import blocks_of, pay, payments
from ballcourt.engine.games.tzolkin.economy.technology import ChooseTech, affordable
from ballcourt.engine.games.tzolkin.economy.temples import ClimbTwo
from ballcourt.engine.games.tzolkin.state import TzolkinState

ONE_TECH, ONE_BUILDING, TWO_TECHS, GRAND_WORKS, TWO_TEMPLES = 1, 2, 3, 4, 5


def performable(state: TzolkinState, seat: int, action: int) -> bool:
    """Return whether the action has an effect (§5.0)."""
    player = state.players[seat]
    if action in (ONE_TECH, TWO_TECHS):
        return bool(affordable(player))
    if action == TWO_TEMPLES:
        return blocks_of(player) > 0
    return construct.possible(state, seat, in_corn=False, monuments=action == GRAND_WORKS)


def perform(state: TzolkinState, seat: int, action: int) -> None:
    """Ask for what the action needs to know."""
    if action == ONE_TECH:
        state.then(ChooseTech(seat, left=1, free=0, optional=0))
    elif action == ONE_BUILDING:
        state.then(construct.Construct(seat, construct.TIKAL_2))
    elif action == TWO_TECHS:
        state.then(ChooseTech(seat, left=2, free=0, optional=0))
    elif action == GRAND_WORKS:
        state.then(construct.Construct(seat, construct.TIKAL_4))
    else:
        state.then(PayForTemples(seat), ClimbTwo(seat))


class PayForTemples(Frame[TzolkinState]):
    """One block of any kind (§5.3)."""

    kind: ClassVar[int] = 10

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        return payments(state.players[seat], 1)

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        pay(state.players[seat], action)
