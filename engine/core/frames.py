"""What the table waits for, as data: a stack of small immutable frames in the state.

The top frame either asks seats for an action or is a step the rules take by themselves. Because a frame holds
only ints, a position can be cloned, saved and hashed in the middle of any action.
"""

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr

    from engine.core.state import State
else:

    def mypyc_attr(**_: bool) -> Any:  # noqa: ANN401
        """Stand in for the compiler's decorator, which means nothing to an interpreter."""
        return lambda decorated: decorated


NOBODY: Final = -1
"""The `seat` of a frame that needs no decision."""

StateT = TypeVar("StateT", bound="State")


@mypyc_attr(allow_interpreted_subclasses=True)
class Frame(Generic[StateT]):
    """One question to the table, or one automatic step when `seat` is `NOBODY`.

    A frame is immutable and its constructor takes exactly the ints that `row` returns. It is popped before
    `answer` or `run` is called; one that is not done yet pushes itself, or a successor, again.
    """

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
