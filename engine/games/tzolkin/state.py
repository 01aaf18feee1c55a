"""A position of Tzolk'in (RULES §1)."""

from ballcourt.engine.core.state import Rows, State
from ballcourt.engine.games.tzolkin.actions import BEG
from ballcourt.engine.games.tzolkin.columns import PLAYERS_ROW, QUARTERS, STACK, VP


class TzolkinState(State):
    """The rows of `columns`, under names.

    Clones share the rows that seldom change: display, drawn, stacks, offers and answers are replaced, never altered.
    """

    table: list[int]
    slots: list[int]
    row: list[int]
    display: list[int]
    drawn: list[int]
    players: list[list[int]]
    stacks: list[list[int]]
    offers: list[list[int]]
    answers: list[int]

    def lay_out(self, public: Rows, secret: Rows) -> int:
        first_frame = PLAYERS_ROW + self.seats
        self.table, self.slots, self.row, self.display, self.drawn = public[:PLAYERS_ROW]
        self.players = public[PLAYERS_ROW:first_frame]
        self.stacks = secret[:2]
        self.offers = secret[2 : 2 + self.seats]
        self.answers = secret[2 + self.seats]
        return first_frame

    def clone(self) -> "TzolkinState":
        copy = TzolkinState(self.seats, self.frames[:], self.asked, self.legal)
        copy.table = self.table[:]
        copy.slots = self.slots[:]
        copy.row = self.row[:]
        copy.display = self.display
        copy.drawn = self.drawn
        copy.players = [player[:] for player in self.players]
        copy.stacks = self.stacks
        copy.offers = self.offers
        copy.answers = self.answers
        return copy

    def open_rows(self) -> Rows:
        """Return everything on the table; what a frame waits for is open too (`columns` gives the order)."""
        return [self.table, self.slots, self.row, self.display, self.drawn, *self.players]

    def own_rows(self, seat: int) -> Rows:
        """Return the wealth tiles a seat was offered, and its answer, 0 before it has given one."""
        return [self.offers[seat], [self.answers[seat]]]

    def secret_rows(self) -> Rows:
        """Collect the order of the two stacks, what was offered to whom and the answers so far."""
        return [
            self.stacks[0][: self.table[STACK]],
            self.stacks[1][: self.table[STACK + 1]],
            *[offer[:] for offer in self.offers],
            self.answers[:],
        ]

    def seen_action(self, seat: int, action: int, observer: int) -> int:
        """Hide which of the offered tiles another seat kept; the tiles themselves are revealed by the draft."""
        return action if action >= BEG or seat == observer else 0

    def recalled(self, seat: int, actions: list[int]) -> list[int]:
        """Put the answer to the offer of wealth tiles in its place."""
        return [self.answers[seat] if action < BEG and self.answers[seat] else action for action in actions]

    def score(self, seat: int, points: int, source: str) -> None:
        """Score victory points, as `sources` names them; the total may be negative (R-31)."""
        self.score_quarters(seat, points * QUARTERS, source)

    def score_quarters(self, seat: int, quarters: int, source: str) -> None:
        """Score quarters of a victory point (R-21)."""
        self.players[seat][VP] += quarters
        self.account(seat, quarters / QUARTERS, source)

    def scores(self) -> list[float]:
        """Return the victory points, exact to the quarter (R-21)."""
        return [player[VP] / QUARTERS for player in self.players]

    def placements(self) -> list[list[int]]:
        """Rank by victory points, then by workers on the gears; seats still tied share the place (§10.4)."""
        keys = [(player[VP], self.slots.count(seat)) for seat, player in enumerate(self.players)]
        return [[seat for seat in range(self.seats) if keys[seat] == key] for key in sorted(set(keys), reverse=True)]
