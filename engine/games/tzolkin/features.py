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
from ballcourt.engine.games.tzolkin.actions import KEPT_PAIRS
from ballcourt.engine.games.tzolkin.columns import (
    AGE,
    ALL_SLOTS,
    BUILDINGS,
    CHICHEN_USED,
    CORN,
    CORN_TILES,
    DAY,
    FOOD_DAYS,
    FOOD_DISCOUNT,
    FREE_FOOD,
    HAND,
    JUNGLE_CORN,
    JUNGLE_WOOD,
    LIGHT,
    MONUMENTS,
    PLAYER_COLUMNS,
    POT,
    QUARTERS,
    SKULL_BANK,
    SKULLS,
    STACK,
    START_PLAYER,
    START_SPACE,
    TABLE_COLUMNS,
    TECH,
    TEMPLE,
    TOP_LEVEL,
    TURN,
    VP,
    WEALTH,
    WOOD,
    WOOD_TILES,
    WORKERS,
)
from ballcourt.engine.games.tzolkin.game import FRAMES
from ballcourt.engine.games.tzolkin.tables import (
    BLOCK_NAMES,
    BUILDING_TILES,
    FOOD_DAY,
    GEAR_NAMES,
    GEAR_SLOTS,
    MAX_WORKERS,
    MONUMENT_TILES,
    NUMBERED_ACTIONS,
    ROW_SPACES,
    SKULLS_IN_GAME,
    TECH_NAMES,
    TEMPLE_NAMES,
    TOP_STEP,
    WEALTH_TILES,
)

SEATS = 4
MANY = 20
"""Corn, blocks and pot are divided by this; they may be more."""
POINTS = 100 * QUARTERS

GROUPS = tuple(str(group) for group in range(2, 6))
BUILDING_IDS = tuple(str(tile) for tile in range(1, len(BUILDING_TILES)))
MONUMENT_IDS = tuple(str(tile) for tile in range(1, len(MONUMENT_TILES)))
WEALTH_IDS = tuple(str(tile) for tile in range(1, len(WEALTH_TILES)))
SLOTS = tuple(f"{gear} {slot}" for gear, count in zip(GEAR_NAMES, GEAR_SLOTS, strict=True) for slot in range(count))

TABLE = Row(
    "table",
    TABLE_COLUMNS,
    (
        ColumnGroup("day", DAY, Number(FOOD_DAY[-1] + 1)),
        ColumnGroup("food_days_held", FOOD_DAYS, one_of(("0", "1", "2", "3", "4"))),
        ColumnGroup("age", AGE, one_of(("1", "2"), 1)),
        ColumnGroup("start_player", START_PLAYER, Actor()),
        ColumnGroup("turn", TURN, Actor()),
        ColumnGroup("pot", POT, Number(MANY)),
        ColumnGroup("start_space", START_SPACE, Actor()),
        ColumnGroup("skulls", SKULL_BANK, Number(SKULLS_IN_GAME)),
        ColumnGroup("chichen_used", CHICHEN_USED, Bits(tuple(map(str, range(1, NUMBERED_ACTIONS[-1] + 1))), 1)),
        ColumnGroup("stack", STACK, Number(MANY), ("age 1", "age 2")),
        ColumnGroup("jungle_corn", JUNGLE_CORN, Number(SEATS), GROUPS),
        ColumnGroup("jungle_wood", JUNGLE_WOOD, Number(SEATS), GROUPS),
    ),
)
SLOT = Held(SEATS, ("dummy",), (), ((),), ((0,),))
PLAYER = Row(
    "player",
    PLAYER_COLUMNS,
    (
        ColumnGroup("corn", CORN, Number(MANY)),
        ColumnGroup("blocks", WOOD, Number(MANY), BLOCK_NAMES),
        ColumnGroup("skulls", SKULLS, Number(SKULLS_IN_GAME)),
        ColumnGroup("points", VP, Number(POINTS)),
        ColumnGroup("workers", WORKERS, Number(MAX_WORKERS)),
        ColumnGroup("workers_in_hand", HAND, Number(MAX_WORKERS)),
        ColumnGroup("temple", TEMPLE, Number(max(TOP_STEP)), TEMPLE_NAMES),
        ColumnGroup("tech", TECH, Number(TOP_LEVEL), TECH_NAMES),
        ColumnGroup("light_side", LIGHT, Number()),
        ColumnGroup("corn_tiles", CORN_TILES, Number(MANY)),
        ColumnGroup("wood_tiles", WOOD_TILES, Number(MANY)),
        ColumnGroup("free_food", FREE_FOOD, Number(MAX_WORKERS)),
        ColumnGroup("food_discount", FOOD_DISCOUNT, Number(2)),
        ColumnGroup("buildings", BUILDINGS, Bits(BUILDING_IDS, 1)),
        ColumnGroup("monuments", MONUMENTS, Bits(MONUMENT_IDS, 1)),
        ColumnGroup("wealth", WEALTH, Bits(WEALTH_IDS, 1)),
    ),
)
SPACES = tuple(str(space) for space in range(1, ROW_SPACES + 1))
KEPT = tuple(f"{first + 1} and {second + 1}" for first, second in KEPT_PAIRS)


def _details() -> tuple[Detail, ...]:
    encodings: dict[str, Encoding] = {
        "begged": Number(),
        "placed": Number(MAX_WORKERS),
        "gear": one_of(GEAR_NAMES),
        "space": Number(max(GEAR_SLOTS)),
        "group": one_of(GROUPS, 2),
        "left": Number(2),
        "free": Number(),
        "optional": Number(),
        "tech": one_of(TECH_NAMES),
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
        Row("slots", ALL_SLOTS, (ColumnGroup("", 0, SLOT, SLOTS),)),
        Row("spaces", ROW_SPACES, (ColumnGroup("", 0, one_of(BUILDING_IDS, 1), SPACES),)),
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
