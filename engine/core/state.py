"""A position of a game with all its secrets, and the machine that asks, checks and applies."""

from hashlib import blake2b
from struct import pack
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ballcourt.engine.core.compiling import mypyc_attr
from ballcourt.engine.core.frames import EVERYBODY, NOBODY, Action, Frame, Seat
from ballcourt.engine.core.rival import Rival
from ballcourt.engine.core.saving import game_of, load_position
from ballcourt.engine.core.view.printing import outline
from ballcourt.engine.errors import IllegalAction

if TYPE_CHECKING:
    from typing import Self

Rows: TypeAlias = list[list[int]]
"""How positions are saved: a list of rows of ints."""

Gain: TypeAlias = tuple[int, float, str]
"""Points of a player, less than 0 if they were lost, and what they were for, in words of the rules."""

UNKNOWN: Final[list[int]] = []
"""The legal actions of no seat. Never changed."""


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A position. Only the engine and the referee hold one; bots get observations.

    A game's state keeps its pieces in rows of ints and says which rows are public, which belong to one seat and
    which are secret; what the table waits for is the stack `frames`, its top at the end.
    """

    seats: int
    frames: list[Frame[Any]]
    asked: Seat
    """The seat whose legal actions `legal` holds, NOBODY when it is out of date."""
    legal: list[Action]
    ledger: list[Gain] | None = None
    """The points given so far, for viewers; None, as in every clone, if no one keeps account of them."""

    def __init__(
        self, seats: int, frames: list[Frame[Any]], asked: Seat = NOBODY, legal: list[Action] = UNKNOWN
    ) -> None:
        self.seats = seats
        self.frames = frames
        self.asked = asked
        self.legal = legal

    # -- the machine, the same for every game

    def pending_seats(self) -> list[Seat]:
        """List the seats that owe an action; empty when the match is over."""
        frames = self.frames
        if not frames:
            return []
        seat = frames[-1].seat
        return frames[-1].pending(self) if seat == EVERYBODY else [seat]

    def legal_actions(self, seat: Seat) -> list[Action]:
        """List what a pending seat may do: ascending, unique, never empty. The list must not be changed.

        Raises IllegalAction when the seat owes no action.
        """
        if self.asked != seat or seat == NOBODY:
            pending = self.pending_seats()
            if seat not in pending:
                raise IllegalAction(
                    f"seat {seat} is not asked for an action; the table waits for {pending or 'no seat'}"
                )
            self.legal = self.frames[-1].options(self, seat)
            self.asked = seat
        return self.legal

    def apply(self, seat: Seat, action: Action) -> None:
        """Carry out an action of a pending seat and run on to the next question, or to the end.

        Raises IllegalAction when the seat owes no action or the action is not among its legal ones; the position
        is unchanged then.
        """
        legal = self.legal if self.asked == seat and seat != NOBODY else self.legal_actions(seat)
        if action not in legal:
            raise IllegalAction(f"action {action} of seat {seat} is not legal; the legal actions are {legal}")
        self.carry_out(seat, action)

    def carry_out(self, seat: Seat, action: Action) -> None:
        """Carry out an action that is known to be legal, as `apply` does."""
        self.asked = NOBODY
        self.frames.pop().answer(self, seat, action)
        self.settle()

    def settle(self) -> None:
        """Take automatic steps until a seat is asked or the match is over."""
        frames = self.frames
        while frames and frames[-1].seat == NOBODY:
            frames.pop().run(self)

    def account(self, player: int, points: float, source: str) -> None:
        """Note what points of a player were for, if someone keeps account. A game calls it wherever it gives points."""
        if self.ledger is not None and points:
            self.ledger.append((player, points, source))

    def then(self, *frames: Frame[Any]) -> None:
        """Put frames before everything that already waits; the first named comes first."""
        self.frames.extend(frames[::-1])

    def frame_rows(self) -> Rows:
        """Save the frames, bottom first, for the game's rows; `load_frames` loads them."""
        return [[frame.kind, *frame.row()] for frame in self.frames]

    def public_rows(self) -> Rows:
        """Collect what everyone at the table sees: copies of `open_rows`, then `frame_rows`."""
        return [*[row[:] for row in self.open_rows()], *self.frame_rows()]

    def private_rows(self, seat: Seat) -> Rows:
        """Collect what this seat knows beyond the public rows: copies of `own_rows`."""
        return [row[:] for row in self.own_rows(seat)]

    def to_rows(self) -> Rows:
        """Save the position; `Game.from_rows` loads it."""
        public = self.public_rows()
        secret = self.secret_rows()
        return [[self.seats, len(public), len(secret)], *public, *secret]

    def returns(self) -> list[float]:
        """Return one number per seat in [-1, 1]: the share of opponents beaten minus the share lost to.

        Rivals are opponents. Without rivals, the returns of a finished match sum to 0; one seat alone gets 0.
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

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {self.seats} seats: {self._waiting()}>"

    def __str__(self) -> str:
        """Write the whole position down, secrets included: what it waits for, then the game's scene."""
        game: Any = game_of(type(self).__module__)
        scene: dict[str, object] = dict(game.scene(self)) if game else {}
        scene.pop("question", None)  # stands on the first line
        return "\n".join([repr(self), *outline(scene)])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as rows, so that a position outlives the layout of its class, compiled or not."""
        return load_position, (type(self).__module__, self.to_rows())

    def __copy__(self) -> "Self":
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Self":
        return self.clone()

    def _waiting(self) -> str:
        if not self.frames:
            return "the match is over"
        top = self.frames[-1]
        if top.seat == NOBODY:
            return f"about to run {top!r}"
        if top.seat == EVERYBODY:
            return f"seats {self.pending_seats()} are asked {top!r}"
        return f"seat {top.seat} is asked {top!r}"

    # -- what each game supplies

    def lay_out(self, public: Rows, secret: Rows) -> int:
        """Take over the rows of a saved position, its own from now on; return how many public ones precede the frames.

        It reverses `public_rows` and `secret_rows`, except for the frames, which `Game.restore` loads.
        """
        raise NotImplementedError

    def clone(self) -> "Self":
        """Copy the position; changing one of the two never changes the other."""
        raise NotImplementedError

    def open_rows(self) -> Rows:
        """Return what everyone at the table sees, without the frames; the rows themselves, where there are such.

        The number and meaning of the rows is the game's own. They must not be changed, and change with the position.
        """
        raise NotImplementedError

    def own_rows(self, seat: Seat) -> Rows:
        """Return what this seat knows beyond the public rows, as `open_rows` does."""
        raise NotImplementedError

    def secret_rows(self) -> Rows:
        """Collect what the public rows lack to make the whole position."""
        raise NotImplementedError

    def seen_action(self, seat: Seat, action: Action, observer: Seat) -> Action:
        """Return the action just taken by `seat` as `observer` may know it, 0 while it is secret."""
        return action

    def recalled(self, seat: Seat, actions: list[Action]) -> list[Action]:
        """Return the actions of a seat, oldest first, as they must have been if this is the position.

        `actions` led to a position that looks the same to another seat. Those that are secret from it may differ.
        """
        return actions

    def scores(self) -> list[float]:
        """Return the points of every seat, as they stand."""
        raise NotImplementedError

    def rivals(self) -> list[Rival]:
        """Return the players that no bot plays but who can win, as they stand.

        Their number, order and names never change during a match.
        """
        return []

    def placements(self) -> list[list[int]]:
        """Group the players from first to last place as they stand; tied ones share a group, ascending.

        The players are the seats and, numbered on after them, the rivals.
        """
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
