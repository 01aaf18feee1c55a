"""The actor without a seat: where the rounds meet the Shadow Player (RULES §14.3) or King Pakal (§15)."""

from typing import ClassVar

from engine.core.frames import NOBODY, Frame
from engine.games.ahau import shadow
from engine.games.ahau.columns import MODE, SOLO
from engine.games.ahau.rewards import climb
from engine.games.ahau.state import AhauState


def present(state: AhauState) -> bool:
    """Tell whether somebody without a seat takes part."""
    return len(state.actors) > state.seats


def scores(state: AhauState) -> bool:
    """Tell whether that actor has Fame: King Pakal does."""
    return state.table[MODE] == SOLO


def reveal(state: AhauState) -> None:
    """Draw and reveal its two cards, after those of the players."""
    if present(state):
        shadow.reveal(state)


def relocate(state: AhauState) -> None:
    """Move its ruler after a lost conflict."""
    shadow.relocate(state)


def act(state: AhauState) -> None:
    """Take its Action turn."""
    shadow.act(state)


def return_tile(state: AhauState) -> None:
    """Put one of its reserve tiles into the bag."""


def end_round(state: AhauState) -> None:
    """Renew its deck."""
    if present(state):
        shadow.end_round(state)


def next_katun(state: AhauState) -> None:
    """Prepare it for the next K'atun."""


def resource_points(state: AhauState) -> int:
    """Return its value for different resources held."""
    return 0


class Step(Frame[AhauState]):
    """Something the automaton does by itself."""

    def __init__(self) -> None:
        super().__init__(NOBODY)

    def row(self) -> list[int]:
        """Return the constructor's arguments: none."""
        return []


class TakeTile(Step):
    """Its choice of a pyramid tile."""

    kind: ClassVar[int] = 25

    def run(self, state: AhauState) -> None:
        """Take it."""
        shadow.take_tile(state)


class Won(Step):
    """Its reward for a conflict won."""

    kind: ClassVar[int] = 26

    def run(self, state: AhauState) -> None:
        """Advance on Might; the Shadow Player ignores the reward."""
        climb(state, state.seats)
