"""Frames: what the table waits for, as a stack of small immutable objects in the state.

The top frame either asks seats for an action or is a step the rules take by themselves. Because a frame holds
only ints, a position can be cloned, saved and hashed in the middle of any action.
"""

from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from ballcourt.engine.core.compiling import mypyc_attr
from ballcourt.engine.errors import MalformedRows

Seat: TypeAlias = int
"""A 0-based place at the table."""

Action: TypeAlias = int
"""An index in `Game.action_names`, at least 1."""

NOBODY: Final = -1
"""The `seat` of a frame that needs no decision."""

EVERYBODY: Final = -2
"""The `seat` of a frame that asks several seats at once."""

StateT = TypeVar("StateT")
"""The state of one game. It is not bound to `State`, which holds frames and imports this module."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Frame(Generic[StateT]):
    """One question to the table, or one automatic step when `seat` is `NOBODY`.

    A frame is immutable. It is popped before `answer` or `run` is called; one that is not done yet pushes itself,
    or a successor, again.
    """

    kind: ClassVar[int] = 0
    """Identifies the frame class of a game in saved rows and on the wire; 1 and up."""

    name: ClassVar[str] = ""
    """The value's name in the game's enum of questions, where it is not the name of the class: `TAKE_TILE`."""

    fields: ClassVar[tuple[str, ...]] = ("seat",)
    """The attributes that the constructor takes, in its order. All are ints."""

    seat: Seat

    def __init__(self, seat: Seat = NOBODY) -> None:
        self.seat = seat

    def pending(self, state: StateT) -> list[Seat]:
        """List the seats that owe an answer; several for a simultaneous secret choice."""
        return [self.seat]

    def options(self, state: StateT, seat: Seat) -> list[Action]:
        """List the legal actions of a pending seat: ascending, unique, not empty."""
        raise NotImplementedError

    def answer(self, state: StateT, seat: Seat, action: Action) -> None:
        """Carry out a legal action of a pending seat."""
        raise NotImplementedError

    def run(self, state: StateT) -> None:
        """Take an automatic step."""
        raise NotImplementedError

    def row(self) -> list[int]:
        """Return the constructor's arguments."""
        return [getattr(self, name) for name in self.fields]

    def __repr__(self) -> str:
        arguments = [f"{name}={getattr(self, name)!r}" for name in self.fields]
        return f"{type(self).__name__}({', '.join(arguments)})"


@mypyc_attr(allow_interpreted_subclasses=True)
class Step(Frame[StateT]):
    """An automatic step that concerns the whole table."""

    fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        self.seat = NOBODY


@mypyc_attr(allow_interpreted_subclasses=True)
class ActorStep(Frame[StateT]):
    """An automatic step that concerns one actor: a seat, or a player that no bot plays."""

    fields: ClassVar[tuple[str, ...]] = ("actor",)
    actor: int

    def __init__(self, actor: int) -> None:
        self.seat = NOBODY
        self.actor = actor


def load_frames(classes: tuple[type[Frame[Any]], ...], rows: list[list[int]]) -> list[Frame[Any]]:
    """Build frames from rows of [kind, constructor's arguments ...]; the reverse of `State.frame_rows`.

    Raises MalformedRows for a kind that none of the classes has.
    """
    by_kind = {frame_class.kind: frame_class for frame_class in classes}
    frames = []
    for row in rows:
        if row[0] not in by_kind:
            raise MalformedRows(f"unknown frame kind {row[0]}; it must be one of {sorted(by_kind)}")
        frames.append(by_kind[row[0]](*row[1:]))
    return frames
