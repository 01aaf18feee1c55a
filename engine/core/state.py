"""A position of a game with all its secrets, and the machine that asks, checks and applies."""

from hashlib import blake2b
from struct import pack
from typing import TYPE_CHECKING, Any, TypeAlias

from ballcourt.engine.core.compiling import mypyc_attr
from ballcourt.engine.core.errors import IllegalAction
from ballcourt.engine.core.frames import NOBODY, Frame
from ballcourt.engine.core.rival import Rival

if TYPE_CHECKING:
    from typing import Self

Rows: TypeAlias = list[list[int]]
"""How positions are saved: a list of rows of ints."""


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A position. Only the engine and the referee hold one; bots get observations.

    A game's state keeps its pieces in rows of ints and says which rows are public, which belong to one seat and
    which are secret; what the table waits for is the stack `frames`, its top at the end.
    """

    seats: int
    frames: list[Frame[Any]]
    asked: int
    legal: list[int]

    def __init__(self, seats: int, frames: list[Frame[Any]]) -> None:
        self.seats = seats
        self.frames = frames
        self.asked = NOBODY  # the seat whose legal actions `legal` holds, NOBODY when it is out of date
        self.legal = []

    # -- the machine, the same for every game

    def pending_seats(self) -> list[int]:
        """List the seats that owe an action; empty when the match is over."""
        if not self.frames:
            return []
        return self.frames[-1].pending(self)

    def legal_actions(self, seat: int) -> list[int]:
        """List what a pending seat may do: ascending, unique, never empty. The list must not be changed.

        Raises IllegalAction when the seat owes no action.
        """
        if self.asked != seat or seat == NOBODY:
            pending = self.pending_seats()
            if seat not in pending:
                raise IllegalAction(
                    f"seat {seat} is not asked for an action; the table waits for {pending or 'nobody'}"
                )
            self.legal = self.frames[-1].options(self, seat)
            self.asked = seat
        return self.legal

    def apply(self, seat: int, action: int) -> None:
        """Carry out an action of a pending seat and run on to the next question, or to the end.

        Raises IllegalAction when the seat owes no action or the action is not among its legal ones; the position
        is unchanged then.
        """
        legal = self.legal_actions(seat)
        if action not in legal:
            raise IllegalAction(f"action {action} of seat {seat} is not legal; legal are {legal}")
        self.asked = NOBODY
        self.frames.pop().answer(self, seat, action)
        self.settle()

    def settle(self) -> None:
        """Take automatic steps until the table waits for somebody or the match is over."""
        frames = self.frames
        while frames and frames[-1].seat == NOBODY:
            frames.pop().run(self)

    def then(self, *frames: Frame[Any]) -> None:
        """Put frames before everything that already waits; the first named comes first."""
        self.frames.extend(reversed(frames))

    def frame_rows(self) -> Rows:
        """Save the frames, bottom first, for the game's rows; `load_frames` loads them."""
        return [[frame.kind, *frame.row()] for frame in self.frames]

    def to_rows(self) -> Rows:
        """Save the position; `Game.from_rows` loads it."""
        public = self.public_rows()
        secret = self.secret_rows()
        return [[self.seats, len(public), len(secret)], *public, *secret]

    def returns(self) -> list[float]:
        """Return one number per seat in [-1, 1]: the share of opponents beaten minus the share lost to.

        Rivals are opponents. The returns of a finished match without any sum to 0; one seat alone gets 0.
        """
        groups = self.placements()
        players = sum([len(group) for group in groups])
        result = [0.0] * players
        ahead = 0
        for group in groups:
            behind = players - ahead - len(group)
            for player in group:
                result[player] = (behind - ahead) / max(1, players - 1)
            ahead += len(group)
        return result[: self.seats]

    # -- what each game supplies

    def clone(self) -> "Self":
        """Copy the position; changing one of the two never changes the other."""
        raise NotImplementedError

    def public_rows(self) -> Rows:
        """Collect what everybody at the table sees. The number and meaning of the rows is the game's own."""
        raise NotImplementedError

    def private_rows(self, seat: int) -> Rows:
        """Collect what this seat knows beyond the public rows."""
        raise NotImplementedError

    def secret_rows(self) -> Rows:
        """Collect what the public rows lack to make the whole position."""
        raise NotImplementedError

    def seen_action(self, seat: int, action: int, observer: int) -> int:
        """Return the action just taken by `seat` as `observer` may know it, 0 while it is secret."""
        return action

    def scores(self) -> list[float]:
        """Return the points of every seat, as they stand."""
        raise NotImplementedError

    def rivals(self) -> list[Rival]:
        """Return the players that no bot plays but who can win, as they stand: as many at any time, in one order."""
        return []

    def placements(self) -> list[list[int]]:
        """Group the players from first to last place as they stand; tied ones share a group, ascending.

        The players are the seats and, numbered on behind them, the rivals.
        """
        raise NotImplementedError

    def violations(self) -> list[str]:
        """List the broken conservation laws of the position, one sentence each; empty when all is well."""
        raise NotImplementedError


def public_part(saved: Rows) -> Rows:
    """Return the public rows of a saved position."""
    return saved[1 : 1 + saved[0][1]]


def digest(state: State, previous: bytes = b"") -> bytes:
    """Hash a position, chained to the hash before it: 8 bytes."""
    return digest_rows(state.to_rows(), previous)


def digest_rows(saved: Rows, previous: bytes = b"") -> bytes:
    """Hash a saved position as `digest` does."""
    flat: list[int] = []
    for row in saved:
        flat.append(len(row))
        flat += row
    return blake2b(pack(f"<{len(flat)}q", *flat), digest_size=8, key=previous).digest()
