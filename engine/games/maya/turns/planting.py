"""Action A: plant tiles of one crop in one group (RULES §4.2, §5)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.maya.actions import CELL, STOP, TILE
from ballcourt.engine.games.maya.board import empty_around, group_of, lay_plantation, plantable
from ballcourt.engine.games.maya.columns import KINDS, PLANTATION, RACK, VALUES
from ballcourt.engine.games.maya.sources import PLANTATIONS
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.supply import take


def score_group(state: MayaState, seat: int) -> None:
    """Score a point per crop in the group of the tiles just planted, older tiles included (§5.2)."""
    cells = state.cells
    points = 0
    for cell in group_of(cells, state.planted[0]):
        points += 1 + (cells[cell] - PLANTATION) % VALUES
    state.score(seat, points, PLANTATIONS)


def more_kinds(state: MayaState, seat: int) -> list[int]:
    """List the kinds on the rack that may follow the tiles planted: those of their crop (§4.2)."""
    rack = state.racks[seat]
    single = (state.cells[state.planted[-1]] - PLANTATION) % KINDS // VALUES * VALUES
    return [kind for kind in range(single, single + VALUES) if rack[kind]]


class PlantTile(Frame[MayaState]):
    """The first tile to plant (§3.2)."""

    kind: ClassVar[int] = 4

    def options(self, state: MayaState, seat: int) -> list[int]:
        """Every kind on the rack."""
        return [TILE + kind for kind, count in enumerate(state.racks[seat]) if count]

    def answer(self, state: MayaState, seat: int, action: int) -> None:
        state.then(PlantCell(seat, action - TILE))


class PlantCell(Frame[MayaState]):
    """Where the chosen tile goes (§3.2)."""

    kind: ClassVar[int] = 5
    fields: ClassVar[tuple[str, ...]] = ("seat", "tile")
    tile: int

    def __init__(self, seat: int, tile: int) -> None:
        super().__init__(seat)
        self.tile = tile

    def options(self, state: MayaState, seat: int) -> list[int]:
        """Every plantable cell for the first tile, later those adjacent to the group (§4.1, §4.2, R-P2, R-P3)."""
        cells, planted = state.cells, state.planted
        found = empty_around(cells, group_of(cells, planted[0])) if planted else plantable(cells)
        return [CELL + cell for cell in found]

    def answer(self, state: MayaState, seat: int, action: int) -> None:
        """Plant, and ask for another tile while the group has room; the rack is not refilled (§5.3).

        A player with tiles is asked even if none fits: not asking would show what is on the rack (§10.2).
        """
        cell = action - CELL
        take(state, seat, self.tile)
        lay_plantation(state, cell, seat, self.tile)
        state.planted = [*state.planted, cell]
        if state.players[seat][RACK] and empty_around(state.cells, group_of(state.cells, cell)):
            state.then(PlantMore(seat))
        else:
            score_group(state, seat)


class PlantMore(Frame[MayaState]):
    """Another tile of the same crop, or the end of the action (§3.2)."""

    kind: ClassVar[int] = 6

    def options(self, state: MayaState, seat: int) -> list[int]:
        """The values of the crop that are on the rack, and STOP."""
        return [*[TILE + kind for kind in more_kinds(state, seat)], STOP]

    def answer(self, state: MayaState, seat: int, action: int) -> None:
        if action == STOP:
            score_group(state, seat)
        else:
            state.then(PlantCell(seat, action - TILE))
