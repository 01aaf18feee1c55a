"""What the rules do by themselves between two questions: frames that ask nobody."""

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.ahau.state import AhauState


class Step(Frame[AhauState]):
    """An automatic step of the table."""

    def row(self) -> list[int]:
        """Return the constructor's arguments: none."""
        return []


class OfActor(Frame[AhauState]):
    """An automatic step of an actor."""

    actor: int

    def __init__(self, actor: int) -> None:
        super().__init__()
        self.actor = actor

    def row(self) -> list[int]:
        """Return the constructor's arguments."""
        return [self.actor]
