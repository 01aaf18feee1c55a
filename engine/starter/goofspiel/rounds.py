"""A round (§2): a prize is turned up, and everyone bids for it."""

from __future__ import annotations

from typing import ClassVar

from ballcourt.engine.core import EVERYBODY, Frame, Step
from goofspiel.state import GoofspielState


class TurnUp(Step[GoofspielState]):
    """§2.1: the next prize; without one, the match is over (§3.1)."""

    kind: ClassVar[int] = 1

    def run(self, state: GoofspielState) -> None:
        """Turn a prize up, and let everyone bid."""
        if state.deck:
            state.prize = state.deck.pop(0)
            state.then(Bid())


class Bid(Frame[GoofspielState]):
    """§2.2: everyone chooses a card in secret."""

    kind: ClassVar[int] = 2
    fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        super().__init__(EVERYBODY)

    def pending(self, state: GoofspielState) -> list[int]:
        """List the seats that have not chosen."""
        return [seat for seat in range(state.seats) if not state.bids[seat]]

    def options(self, state: GoofspielState, seat: int) -> list[int]:
        """List the cards in hand; the action for a card is its number."""
        return state.hands[seat]

    def answer(self, state: GoofspielState, seat: int, action: int) -> None:
        """Choose a card; reveal them when it was the last choice."""
        state.bids[seat] = action
        if all(state.bids):
            reveal(state)
            state.then(TurnUp())
        else:
            state.then(self)


def reveal(state: GoofspielState) -> None:
    """§2.3 and §2.4: award the prize, and remove it and the chosen cards."""
    highest = max(state.bids)
    if state.bids.count(highest) == 1:
        state.points[state.bids.index(highest)] += state.prize
    for hand, bid in zip(state.hands, state.bids, strict=True):
        hand.remove(bid)
    state.gone.append(state.prize)
    state.prize = 0
    state.bids = [0] * state.seats
