"""The vector that stands for an observation of Maya: see `ballcourt.engine.core.vectors.features`.

It leaves out on which cells whose city tiles lie, and which of them were placed unseen: neither matters any more. The
kinds of the observer's own city tiles are counted, since they show what its supply still holds.
"""

from ballcourt.engine.core.vectors.features import (
    Actor,
    Bits,
    ColumnGroup,
    Detail,
    Features,
    Held,
    Number,
    QuestionFeatures,
    Row,
    members,
    one_of,
)
from ballcourt.engine.games.maya import columns as at
from ballcourt.engine.games.maya.game import Maya
from ballcourt.engine.games.maya.setup import MarkedTemple
from ballcourt.engine.games.maya.tables import (
    AREA_NAMES,
    CELL_NAMES,
    CELLS,
    CROP_NAMES,
    KIND_NAMES,
    RACK_LIMIT,
    TEMPLE_IDS,
    TEMPLES,
    TILES,
)
from ballcourt.engine.games.maya.turns.planting import PlantCell

SEATS = 4
POINTS = 100
CITY_SIZE = 5
"""Larger cities are worth no more."""

FRAMES = Maya().frame_classes  # compiled, a class does not show the values of its attributes
IN_PLAY, TEMPLE_SPACE, PLANTABLE, BLOCKED, SITE, CITY_TILE, FIRST_CROP, TWO = 0, 1, 2, 3, 4, 5, 6, 6 + at.CROPS
CELL_LABELS = ("in_play", "temple_space", "plantable", "blocked", "site", "city", *CROP_NAMES, "two")
"""What is true of a cell, besides whose plantation it is."""
NOTHING_THERE = (
    (),  # out of play
    (IN_PLAY, TEMPLE_SPACE),
    (IN_PLAY,),
    (IN_PLAY, PLANTABLE),
    (IN_PLAY, PLANTABLE, BLOCKED),
    *((IN_PLAY, PLANTABLE, SITE) for _ in range(TEMPLES)),
)
PLANTED = tuple((IN_PLAY, FIRST_CROP + kind // at.VALUES, *((TWO,) * (kind % at.VALUES))) for kind in range(at.KINDS))
CELL = Held(SEATS, CELL_LABELS, NOTHING_THERE, PLANTED, ((IN_PLAY, CITY_TILE),) * TEMPLES, at.OUT)

PLAYER = Row(
    "player",
    at.PLAYER_COLUMNS,
    (
        ColumnGroup("score", at.SCORE, Number(POINTS)),
        ColumnGroup("turns", at.TURNS, Number(TILES)),
        ColumnGroup("rack", at.RACK, Number(RACK_LIMIT)),
        ColumnGroup("supply", at.SUPPLY, Number(TILES)),
    ),
)

FEATURES = Features(
    game="maya",
    seats=SEATS,
    public=(
        Row(
            "table",
            at.TABLE_COLUMNS,
            (
                ColumnGroup("turn", at.TURN, Actor()),
                ColumnGroup("passes", at.PASSES, Number(SEATS)),
                ColumnGroup("areas", at.AREAS, Bits(AREA_NAMES)),
                ColumnGroup("scored", at.SCORED, Bits(TEMPLE_IDS)),
            ),
        ),
        Row("cells", CELLS, (ColumnGroup("", 0, CELL, CELL_NAMES),), replaced=True),
        Row(
            "cities",
            at.CITY_COLUMNS,
            (
                ColumnGroup("size", at.SIZE, Number(CITY_SIZE), TEMPLE_IDS),
                ColumnGroup("empty_cells_around", at.EDGE, Number(CITY_SIZE), TEMPLE_IDS),
            ),
        ),
        Row("table", rest=members("planted_now", CELL_NAMES), replaced=True),
    ),
    actors=(PLAYER, Row("backs", replaced=True)),
    private=(
        Row("rack", at.KINDS, (ColumnGroup("", 0, Number(RACK_LIMIT), KIND_NAMES),), replaced=True),
        Row("city_tiles", rest=members("kind", KIND_NAMES), replaced=True),
        Row("held", 1, (ColumnGroup("", 0, one_of(KIND_NAMES)),), replaced=True),
    ),
    question=QuestionFeatures(
        kinds={frame.kind: frame.__name__ for frame in FRAMES},
        asked={frame.kind: 1 for frame in FRAMES if frame.fields},
        details=(
            Detail("tile", one_of(KIND_NAMES), {PlantCell.kind: 2}),
            Detail("left", Number(2), {MarkedTemple.kind: 2}),
        ),
    ),
)
