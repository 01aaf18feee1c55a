"""What the table waits for, as data: a stack of small immutable frames in the state.

The top frame either asks seats for an action or is a step the rules take by themselves. Because a frame holds
only ints, a position can be cloned, saved and hashed in the middle of any action.
"""

from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from ballcourt.engine.core.compiling import mypyc_attr
from ballcourt.engine.core.errors import MalformedRows

if TYPE_CHECKING:
    from ballcourt.engine.core.state import State

NOBODY: Final = -1
"""The `seat` of a frame that needs no decision."""

EVERYBODY: Final = -2
"""The `seat` of a frame that asks several seats at once."""

StateT = TypeVar("StateT", bound="State")


@mypyc_attr(allow_interpreted_subclasses=True)
class Frame(Generic[StateT]):
    """One question to the table, or one automatic step when `seat` is `NOBODY`.

    A frame is immutable and its constructor takes exactly the ints that `row` returns. It is popped before
    `answer` or `run` is called; one that is not done yet pushes itself, or a successor, again.
    """

    kind: ClassVar[int] = 0
    """Tells the frame classes of one game apart in saved rows; 1 and up."""

    seat: int

    def __init__(self, seat: int = NOBODY) -> None:
        self.seat = seat

    def pending(self, state: StateT) -> list[int]:
        """List the seats that owe an answer; several for a simultaneous secret choice."""
        return [self.seat]

    def options(self, state: StateT, seat: int) -> list[int]:
        """List the legal actions of a pending seat: ascending, unique, not empty."""
        raise NotImplementedError

    def answer(self, state: StateT, seat: int, action: int) -> None:
        """Carry out a legal action of a pending seat."""
        raise NotImplementedError

    def run(self, state: StateT) -> None:
        """Take an automatic step."""
        raise NotImplementedError

    def row(self) -> list[int]:
        """Return the constructor's arguments."""
        return [self.seat]


def load_frames(classes: tuple[type[Frame[Any]], ...], rows: list[list[int]]) -> list[Frame[Any]]:
    """Build frames from rows of [kind, constructor's arguments ...]; the reverse of `State.frame_rows`.

    Raises MalformedRows for a kind that none of the classes has.
    """
    by_kind = {frame_class.kind: frame_class for frame_class in classes}
    frames = []
    for row in rows:
        if row[0] not in by_kind:
            raise MalformedRows(f"there is no frame of kind {row[0]}; known are {sorted(by_kind)}")
        frames.append(by_kind[row[0]](*row[1:]))
    return frames
