"""The board and the numbers of the game: the only place that knows them.

*Rulebook*: the scoring table, rack and draw sizes, 32 tiles in four crops with values 1 and 2, thirteen temple spaces,
four areas of which the blue one holds Tikal, and the names of the four marked temple spaces. *Reconstructed*: the
printed board and the tile list are not available. The map, the other names and the mix of the 32 tiles are ours; they
satisfy every sentence of the rulebook and were tested for play. The owner of a copy can correct them here and nowhere
else: everything below the map is derived from it.
"""

from typing import Final

from ballcourt.engine.games.maya.columns import CROPS, VALUES

# compiled, a tuple of a fixed length would be copied whenever it is indexed; `...` makes it an object

# -- tiles. Rulebook: crops, values, 32 tiles; reconstructed: how many of each

CROP_NAMES: Final = ("pepper", "squash", "potato", "corn")
MIX: Final[tuple[int, ...]] = (6, 2) * CROPS  # by kind
KIND_NAMES: Final = tuple(f"{crop}:{value}" for crop in CROP_NAMES for value in range(1, VALUES + 1))
TILES: Final = sum(MIX)  # of one player

# -- racks. Rulebook

START_RACK: Final = 5
RACK_LIMIT: Final = 7
DRAW: Final = 3
DRAW_AFTER_BLIND: Final = 2

# -- points of a city for first and second place by size (§7.3); the last line counts for every larger one. Rulebook

CITY_POINTS: Final[tuple[tuple[int, int], ...]] = ((0, 0), (0, 0), (6, 3), (12, 6), (20, 10), (30, 15))

# -- areas. Rulebook: four, blue always in play, how many more by number of seats; reconstructed: the other colours

AREA_NAMES: Final = ("blue", "green", "yellow", "red")
BLUE: Final = 0
MORE_AREAS: Final[tuple[int, ...]] = (0, 0, 1, 2, 3)  # by number of seats, 0..4

# -- the map (§1.1). Reconstructed. One word per row: the area of each cell by its initial, in capitals for a temple
# space, ~ where the sea cuts in. Rows with a second number of 1 stand half a cell to the right

MAP: Final = (
    ("ggg~yyyyyy~rrr", 1),
    ("gGggyyyYyyyrrRr", 0),
    ("gggyyyyyyyyrrr", 1),
    ("gggyYyybyyYyrrr", 0),
    ("gggyyybbyyyrrr", 1),
    ("gGggyybBbyyrrRr", 0),
    ("gggbbbbbbbbrrr", 1),
    ("gggbBbbbbbBbrrr", 0),
    ("gggbbbbbbbbrrr", 1),
    ("gGgggbbBbbrrrRr", 0),
    ("ggg~bbbbbb~rrr", 1),
)
TEMPLE_IDS: Final = (
    *("edzna", "mayapan", "coba", "uxmal", "chichen_itza", "palenque", "tikal"),
    *("tulum", "yaxchilan", "caracol", "tonina", "copan", "lamanai"),
)
"""The temples in reading order of their cells."""
TEMPLE_NAMES: Final = (
    *("Edzná", "Mayapán", "Coba", "Uxmal", "Chichén Itzá", "Palenque", "Tikal"),
    *("Tulum", "Yaxchilán", "Caracol", "Toniná", "Copán", "Lamanai"),
)
TEMPLES: Final = len(TEMPLE_IDS)
TIKAL: Final = TEMPLE_IDS.index("tikal")
MARKED: Final = tuple(TEMPLE_IDS.index(name) for name in ("coba", "uxmal", "palenque", "tikal"))
"""The temples the variant of two cities chooses from, ascending (§9.2). Rulebook."""

Point = tuple[int, int]
"""Where a cell lies: x in half cells from the left, and the row from the top."""


def _points() -> tuple[Point, ...]:
    return tuple(
        (2 * place + shift, row)
        for row, (areas, shift) in enumerate(MAP)
        for place, area in enumerate(areas)
        if area != "~"
    )


def _letter(point: Point) -> str:
    x, row = point
    areas, shift = MAP[row]
    return areas[(x - shift) // 2]


def _name(point: Point) -> str:
    """Name a cell by the letter of its row and its place there, bays counted."""
    x, row = point
    return f"{'ABCDEFGHIJK'[row]}{(x - MAP[row][1]) // 2 + 1}"


POINTS: Final = _points()
CELLS: Final = len(POINTS)
CELL_NAMES: Final = tuple([_name(point) for point in POINTS])


def _around(point: Point) -> tuple[int, ...]:
    x, row = point
    beside = ((x - 1, row - 1), (x + 1, row - 1), (x - 2, row), (x + 2, row), (x - 1, row + 1), (x + 1, row + 1))
    return tuple(POINTS.index(other) for other in beside if other in POINTS)


NEIGHBOURS: Final = tuple([_around(point) for point in POINTS])
"""The adjacent cells of each cell, ascending, in play or not (§1.2)."""

INITIALS: Final = "".join([name[0] for name in AREA_NAMES])
AREA_OF: Final = tuple([INITIALS.index(_letter(point).lower()) for point in POINTS])
TEMPLE_CELL: Final = tuple([cell for cell, point in enumerate(POINTS) if _letter(point).isupper()])
"""The cell of each temple."""


def _beside(cell: int) -> int:
    """Find the temple space adjacent to a cell; no cell has two."""
    for temple, temple_cell in enumerate(TEMPLE_CELL):
        if temple_cell in NEIGHBOURS[cell]:
            return temple
    return -1


TEMPLE_AT: Final = tuple([TEMPLE_CELL.index(cell) if cell in TEMPLE_CELL else -1 for cell in range(CELLS)])
"""The temple whose space a cell is, -1 for an ordinary cell."""
TEMPLE_BESIDE: Final = tuple([_beside(cell) for cell in range(CELLS)])
"""The temple whose space is adjacent to a cell, -1 for none."""

# -- border tiles by the areas besides blue: those of two cells, those of one (§2.3). Rulebook: nine and three of them;
# reconstructed: where they lie

BORDERS: Final = {
    ("green",): (
        *("B5 C4", "C7 C8", "D4 E4", "E6 D7", "F5 F6", "F11 F10", "G12 F12", "I12 H13", "J11 J12"),
        *("D9", "E9"),
    ),
    ("yellow",): (
        *("B4 C3", "B12 C12", "D3 E3", "D13 E12", "F4 G3", "I3 H3", "I12 H13", "J5 J4", "J11 J12"),
        *("G12", "F12"),
    ),
    ("red",): (
        *("B11 C11", "C7 C8", "E6 D7", "D12 E11", "G3 F4", "F5 F6", "F11 F10", "I3 H3", "J5 J4"),
        *("D9", "E9"),
    ),
    ("green", "yellow"): ("B12 C12", "D13 E12", "F12 G12", "I12 H13", "J11 J12"),
    ("green", "red"): (*("B5 C4", "B11 C11", "C7 C8", "D4 E4", "E6 D7", "D9 E9", "D12 E11", "F5 F6", "F11 F10"),),
    ("yellow", "red"): ("B4 C3", "D3 E3", "F4 G3", "H3 I3", "J5 J4"),
    ("green", "yellow", "red"): (),
}
