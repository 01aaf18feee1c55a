"""A position of Maya (RULES §1)."""

from ballcourt.engine.core.state import Rows, State
from ballcourt.engine.games.maya.actions import HIDE
from ballcourt.engine.games.maya.columns import BLIND, KINDS, PLAYERS_ROW, RACK, SCORE, SUPPLY, TURN, TURNS, UNSEEN


class MayaState(State):
    """The rows of `columns`, under names.

    Clones share what seldom changes: cells, planted, backs, racks, supplies and hidden are replaced, never altered.
    """

    table: list[int]
    cells: list[int]
    cities: list[int]
    planted: list[int]
    players: list[list[int]]
    backs: list[list[int]]
    racks: list[list[int]]
    supplies: list[list[int]]
    hidden: list[list[int]]
    held: int

    def lay_out(self, public: Rows, secret: Rows) -> int:
        seats = self.seats
        first_back = PLAYERS_ROW + seats
        first_frame = first_back + seats
        self.table, self.cells, self.cities, self.planted = public[:PLAYERS_ROW]
        self.players = public[PLAYERS_ROW:first_back]
        self.backs = public[first_back:first_frame]
        self.racks = secret[:seats]
        self.supplies = secret[seats : 2 * seats]
        self.hidden = secret[2 * seats : 3 * seats]
        self.held = secret[3 * seats][0]
        return first_frame

    def clone(self) -> "MayaState":
        copy = MayaState(self.seats, self.frames[:], self.asked, self.legal)
        copy.table = self.table[:]
        copy.cells = self.cells
        copy.cities = self.cities[:]
        copy.planted = self.planted
        copy.players = [player[:] for player in self.players]
        copy.backs = self.backs
        copy.racks = self.racks
        copy.supplies = self.supplies
        copy.hidden = self.hidden
        copy.held = self.held
        return copy

    def open_rows(self) -> Rows:
        """Return everything on the table; what a frame waits for is open too (§10.1; order in `columns`)."""
        return [self.table, self.cells, self.cities, self.planted, *self.players, *self.backs]

    def own_rows(self, seat: int) -> Rows:
        """Return a seat's rack, the kinds of the face-down tiles it saw, and the one it holds (§10.2, §10.3)."""
        blind, seen = self.players[seat][BLIND], self.hidden[seat]
        if blind:
            seen = [UNSEEN if blind >> place & 1 else kind for place, kind in enumerate(seen)]
        return [self.racks[seat], seen, [self.held if seat == self.table[TURN] else UNSEEN]]

    def secret_rows(self) -> Rows:
        """Collect the racks, the order of the supplies, all face-down kinds and the one about to be placed (§10.4)."""
        return [
            *[rack[:] for rack in self.racks],
            *[supply[: player[SUPPLY]] for supply, player in zip(self.supplies, self.players, strict=True)],
            *[kinds[:] for kinds in self.hidden],
            [self.held],
        ]

    def seen_action(self, seat: int, action: int, observer: int) -> int:
        """Hide which tile another seat placed face down (§10.3)."""
        return 0 if HIDE <= action < HIDE + KINDS and seat != observer else action

    def recalled(self, seat: int, actions: list[int]) -> list[int]:
        """Put the tiles that lie face down, and the one held, where the seat placed tiles face down."""
        blind = self.players[seat][BLIND]
        placed = [kind for place, kind in enumerate(self.hidden[seat]) if not blind >> place & 1]
        if self.held != UNSEEN and seat == self.table[TURN]:
            placed.append(self.held)
        hiding = [number for number, action in enumerate(actions) if HIDE <= action < HIDE + KINDS]
        found = actions[:]
        for number, kind in zip(hiding, placed, strict=False):
            found[number] = HIDE + kind
        return found

    def score(self, seat: int, points: int, source: str) -> None:
        """Score points, as `sources` names them."""
        self.players[seat][SCORE] += points
        self.account(seat, points, source)

    def scores(self) -> list[float]:
        return [float(player[SCORE]) for player in self.players]

    def placements(self) -> list[list[int]]:
        """Rank by points, then tiles left, then fewer turns; seats still tied share the place (§8.5, R-E2)."""
        keys = [(player[SCORE], player[RACK] + player[SUPPLY], -player[TURNS]) for player in self.players]
        return [[seat for seat in range(self.seats) if keys[seat] == key] for key in sorted(set(keys), reverse=True)]
