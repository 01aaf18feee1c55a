"""The vector that stands for an observation of Tzolk'in: see `ballcourt.engine.core.vectors.features`."""

from ballcourt.engine.core.vectors.features import (
    Actor,
    Bits,
    ColumnGroup,
    Detail,
    Encoding,
    Features,
    Held,
    Number,
    QuestionFeatures,
    Row,
    members,
    one_of,
)
from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin import tables
from ballcourt.engine.games.tzolkin.actions import KEPT_PAIRS
from ballcourt.engine.games.tzolkin.game import FRAMES

SEATS = 4
MANY = 20
"""Corn, blocks and pot are divided by this; they may be more."""
POINTS = 100 * at.QUARTERS

GROUPS = tuple(str(group) for group in range(2, 6))
BUILDING_IDS = tuple(str(tile) for tile in range(1, len(tables.BUILDING_TILES)))
MONUMENT_IDS = tuple(str(tile) for tile in range(1, len(tables.MONUMENT_TILES)))
WEALTH_IDS = tuple(str(tile) for tile in range(1, len(tables.WEALTH_TILES)))
SLOTS = tuple(
    f"{gear} {slot}" for gear, count in zip(tables.GEAR_NAMES, tables.GEAR_SLOTS, strict=True) for slot in range(count)
)

TABLE = Row(
    "table",
    at.TABLE_COLUMNS,
    (
        ColumnGroup("day", at.DAY, Number(tables.FOOD_DAY[-1] + 1)),
        ColumnGroup("food_days_held", at.FOOD_DAYS, one_of(("0", "1", "2", "3", "4"))),
        ColumnGroup("age", at.AGE, one_of(("1", "2"), 1)),
        ColumnGroup("start_player", at.START_PLAYER, Actor()),
        ColumnGroup("turn", at.TURN, Actor()),
        ColumnGroup("pot", at.POT, Number(MANY)),
        ColumnGroup("start_space", at.START_SPACE, Actor()),
        ColumnGroup("skulls", at.SKULL_BANK, Number(tables.SKULLS_IN_GAME)),
        ColumnGroup(
            "chichen_used", at.CHICHEN_USED, Bits(tuple(map(str, range(1, tables.NUMBERED_ACTIONS[-1] + 1))), 1)
        ),
        ColumnGroup("stack", at.STACK, Number(MANY), ("age 1", "age 2")),
        ColumnGroup("jungle_corn", at.JUNGLE_CORN, Number(SEATS), GROUPS),
        ColumnGroup("jungle_wood", at.JUNGLE_WOOD, Number(SEATS), GROUPS),
    ),
)
SLOT = Held(SEATS, ("dummy",), (), ((),), ((0,),))
PLAYER = Row(
    "player",
    at.PLAYER_COLUMNS,
    (
        ColumnGroup("corn", at.CORN, Number(MANY)),
        ColumnGroup("blocks", at.WOOD, Number(MANY), tables.BLOCK_NAMES),
        ColumnGroup("skulls", at.SKULLS, Number(tables.SKULLS_IN_GAME)),
        ColumnGroup("points", at.VP, Number(POINTS)),
        ColumnGroup("workers", at.WORKERS, Number(tables.MAX_WORKERS)),
        ColumnGroup("workers_in_hand", at.HAND, Number(tables.MAX_WORKERS)),
        ColumnGroup("temple", at.TEMPLE, Number(max(tables.TOP_STEP)), tables.TEMPLE_NAMES),
        ColumnGroup("tech", at.TECH, Number(at.TOP_LEVEL), tables.TECH_NAMES),
        ColumnGroup("light_side", at.LIGHT, Number()),
        ColumnGroup("corn_tiles", at.CORN_TILES, Number(MANY)),
        ColumnGroup("wood_tiles", at.WOOD_TILES, Number(MANY)),
        ColumnGroup("free_food", at.FREE_FOOD, Number(tables.MAX_WORKERS)),
        ColumnGroup("food_discount", at.FOOD_DISCOUNT, Number(2)),
        ColumnGroup("buildings", at.BUILDINGS, Bits(BUILDING_IDS, 1)),
        ColumnGroup("monuments", at.MONUMENTS, Bits(MONUMENT_IDS, 1)),
        ColumnGroup("wealth", at.WEALTH, Bits(WEALTH_IDS, 1)),
    ),
)
SPACES = tuple(str(space) for space in range(1, tables.ROW_SPACES + 1))
KEPT = tuple(f"{first + 1} and {second + 1}" for first, second in KEPT_PAIRS)


def _details() -> tuple[Detail, ...]:
    encodings: dict[str, Encoding] = {
        "begged": Number(),
        "placed": Number(tables.MAX_WORKERS),
        "gear": one_of(tables.GEAR_NAMES),
        "space": Number(max(tables.GEAR_SLOTS)),
        "group": one_of(GROUPS, 2),
        "left": Number(2),
        "free": Number(),
        "optional": Number(),
        "tech": one_of(tables.TECH_NAMES),
        "occasion": one_of(("tikal 2", "tikal 4", "second of tikal 4", "second, no track", "uxmal 4", "tile")),
        "buying": Number(),
    }
    asking = [frame for frame in FRAMES if "seat" in frame.fields]
    return tuple(
        Detail(name, encoding, {frame.kind: 1 + frame.fields.index(name) for frame in asking if name in frame.fields})
        for name, encoding in encodings.items()
    )


FEATURES = Features(
    game="tzolkin",
    seats=SEATS,
    public=(
        TABLE,
        Row("slots", at.ALL_SLOTS, (ColumnGroup("", 0, SLOT, SLOTS),)),
        Row("spaces", tables.ROW_SPACES, (ColumnGroup("", 0, one_of(BUILDING_IDS, 1), SPACES),)),
        Row("monuments", rest=members("on_display", MONUMENT_IDS, 1), replaced=True),
        Row("dummies", rest=members("drawn", WEALTH_IDS, 1), replaced=True),
    ),
    actors=(PLAYER,),
    private=(
        Row("wealth", rest=members("offered", WEALTH_IDS, 1), replaced=True),
        Row("kept", 1, (ColumnGroup("", 0, one_of(KEPT, 1)),), replaced=True),
    ),
    question=QuestionFeatures(
        kinds={frame.kind: frame.__name__ for frame in FRAMES},
        asked={frame.kind: 1 for frame in FRAMES if frame.fields[:1] == ("seat",)},
        details=_details(),
    ),
)
