"""A position of Goofspiel as rows of ints, and who knows which of them."""

from __future__ import annotations

from typing import Self

from ballcourt.engine.core import Rows, State


class GoofspielState(State):
    """A position.

    Public rows: [cards, prize], the prizes that are gone, and [points, *hand] of each seat.
    Own row of a seat: [bid]. Secret rows: the bids, and the prizes that are face down, the next one first.
    """

    cards: int
    """How many cards every hand and the deck begin with."""
    prize: int
    """What is bid for; 0 between rounds and at the end."""
    gone: list[int]
    points: list[int]
    hands: Rows
    """Of each seat, ascending. A chosen card stays here until all have chosen (§2.2)."""
    bids: list[int]
    """Of this round; 0 before the seat has chosen."""
    deck: list[int]

    def lay_out(self, public: Rows, secret: Rows) -> int:
        """Take over the rows; the frames follow those of the seats."""
        (self.cards, self.prize), self.gone, *rows = public
        players = rows[: self.seats]
        self.points = [row[0] for row in players]
        self.hands = [row[1:] for row in players]
        self.bids, self.deck = secret
        return 2 + self.seats

    def clone(self) -> Self:
        """Copy the position."""
        copy = type(self)(self.seats, self.frames[:], self.asked, self.legal)
        copy.cards, copy.prize = self.cards, self.prize
        copy.gone, copy.points, copy.bids, copy.deck = self.gone[:], self.points[:], self.bids[:], self.deck[:]
        copy.hands = [hand[:] for hand in self.hands]
        return copy

    def open_rows(self) -> Rows:
        """Return what everyone sees. Who has already bid is not in it (§2.2)."""
        players = [[points, *hand] for points, hand in zip(self.points, self.hands, strict=True)]
        return [[self.cards, self.prize], self.gone, *players]

    def own_rows(self, seat: int) -> Rows:
        """Return the seat's own bid."""
        return [[self.bids[seat]]]

    def secret_rows(self) -> Rows:
        """Return all bids and the order of the deck."""
        return [self.bids[:], self.deck[:]]

    def seen_action(self, seat: int, action: int, observer: int) -> int:
        """Hide the bids of others; the cards that leave the hands tell them when all have bid."""
        return action if seat == observer else 0

    def scores(self) -> list[float]:
        """Return the points."""
        return [float(points) for points in self.points]

    def placements(self) -> list[list[int]]:
        """Group the seats by points (§3.1)."""
        levels = sorted(set(self.points), reverse=True)
        return [[seat for seat in range(self.seats) if self.points[seat] == level] for level in levels]
