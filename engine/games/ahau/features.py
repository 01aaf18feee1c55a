"""The vector that stands for an observation of Ahau: see `ballcourt.engine.core.vectors.features`.

It gives pyramid tiles by colour and god, and buildings by kind: their numbers only break ties. It leaves out the
paths of the workers that the god of trade moves, and which tiles have been chosen for a summoning so far.
"""

from ballcourt.engine.core.vectors.features import (
    Actor,
    Actors,
    Bits,
    Category,
    ColumnGroup,
    Detail,
    Encoding,
    Features,
    Members,
    Number,
    QuestionFeatures,
    Row,
    one_of,
)
from ballcourt.engine.games.ahau import columns
from ballcourt.engine.games.ahau.actions import CARD_PAIRS, PAYMENTS, SELECT
from ballcourt.engine.games.ahau.columns import (
    ACTOR_COLUMNS,
    BUILDING,
    BUILDING_SPACES,
    CITIES,
    COLOURS,
    GIFT,
    GODS,
    LINKS,
    MARKER_SPACES,
    MIGHT_ROW,
    POSITIONS,
    REGION_COLUMNS,
    REGIONS,
    ROLE,
    SPACES,
    TABLE_COLUMNS,
    TILE,
)
from ballcourt.engine.games.ahau.game import FRAMES
from ballcourt.engine.games.ahau.tables import (
    BUILDING_KIND,
    BUILDING_NAMES,
    BUILDING_TILES,
    CITY_NAMES,
    COLOUR_NAMES,
    GOD_NAMES,
    KATUNS,
    LINK_CITIES,
    MAX_WEAPONS,
    OFFER_SLOTS,
    PERSONALITIES,
    ROLE_NAMES,
    SCORING_NAMES,
    SITE_COLOUR,
    START_WORKERS,
    TILE_COLOUR,
    TILE_GOD,
    TILES,
    TOP_STEP,
)

SEATS = 5
ACTORS = SEATS + 1
FAME = 100
MANY = 20

COLOUR_LABELS = (*COLOUR_NAMES[:COLOURS], "wild")
CARD_LABELS = (*(f"region {card}" for card in range(1, ROLE + 1)), *ROLE_NAMES)
LINK_LABELS = tuple(f"{CITY_NAMES[one]} to {CITY_NAMES[other]}" for one, other in LINK_CITIES)
REGION_LABELS = tuple(str(region) for region in range(1, REGIONS + 1))


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(count)))


TILE_KIND = Category(
    (*COLOUR_LABELS, *GOD_NAMES),
    tuple((TILE_COLOUR[tile], len(COLOUR_LABELS) + TILE_GOD[tile]) for tile in range(1, TILES)),
    1,
)
TILE_GOD_ONLY = Category(GOD_NAMES, tuple((TILE_GOD[tile],) for tile in range(1, TILES)), 1)
BUILDING_ENCODING = Category(BUILDING_NAMES, tuple((kind,) for kind in BUILDING_KIND[1:]), 1)
SITE = Category(COLOUR_NAMES, tuple((colour,) for colour in SITE_COLOUR[1:]), 1)
CARD = one_of(CARD_LABELS, 1)
REGION = one_of(REGION_LABELS, 1)
COLOUR = one_of(COLOUR_NAMES)

TILE_LABELS = tuple(f"{colour} {god}" for colour in COLOUR_LABELS for god in GOD_NAMES)
LABEL_OF_TILE = (-1, *(GODS * TILE_COLOUR[tile] + TILE_GOD[tile] for tile in range(1, TILES)))


def _tiles(name: str) -> Members:
    return Members(name, TILE_LABELS, LABEL_OF_TILE)


TABLE = Row(
    "table",
    TABLE_COLUMNS,
    (
        ColumnGroup("mode", columns.MODE, one_of(("standard", "family", "solo"))),
        ColumnGroup("side", columns.SIDE, Number()),
        ColumnGroup("night", columns.NIGHT, Number()),
        ColumnGroup("personal_scoring", columns.PERSONAL, Number()),
        ColumnGroup("katun", columns.KATUN, Number(KATUNS)),
        ColumnGroup("round", columns.ROUND, Number(MANY)),
        ColumnGroup("katun_triggered", columns.KATUN_TRIGGERED, Number()),
        ColumnGroup("end_triggered", columns.END_TRIGGERED, Number()),
        ColumnGroup("turn", columns.TURN, Actor()),
        ColumnGroup("turn_city", columns.TURN_CITY, one_of(CITY_NAMES)),
        ColumnGroup("summoned", columns.SUMMONED, Bits(GOD_NAMES)),
        ColumnGroup("built", columns.BUILT, Number(3)),
        ColumnGroup("stand_ins", columns.STAND_INS, Number(2)),
        ColumnGroup("bag", columns.BAG, Number(TILES)),
        ColumnGroup("stack", columns.STACK, Number(BUILDING_TILES)),
        ColumnGroup("role_deck", columns.ROLE_DECK, Number(len(ROLE_NAMES))),
        ColumnGroup("automaton_deck", columns.DECK, Number(len(ROLE_NAMES) + 1)),
        ColumnGroup("start_tiles_out", columns.BOXED_TILES, Bits(_numbered(5), 1)),
        ColumnGroup("buildings_out", columns.BOXED_BUILDINGS, Bits(tuple(map(str, range(1, BUILDING_TILES))), 1)),
        ColumnGroup("start_seat", columns.START_SEAT, Actor()),
        ColumnGroup("difficulty", columns.DIFFICULTY, Number(2)),
        ColumnGroup("solo_night", columns.SOLO_NIGHT, Number()),
    ),
)


def _regions() -> tuple[ColumnGroup, ...]:
    blocks = []
    for index, label in enumerate(REGION_LABELS):
        first = REGION_COLUMNS * index
        blocks += [
            ColumnGroup(f"{label}.tile", first + TILE, TILE_KIND, ("left", "right")[:POSITIONS]),
            ColumnGroup(f"{label}.building", first + BUILDING, BUILDING_ENCODING),
            ColumnGroup(f"{label}.resource", first + GIFT, one_of(COLOUR_NAMES, 1), ("first", "second")),
        ]
    return tuple(blocks)


ACTOR = Row(
    "actor",
    ACTOR_COLUMNS,
    (
        ColumnGroup("fame", columns.FAME, Number(FAME)),
        ColumnGroup("weapons", columns.WEAPONS, Number(MAX_WEAPONS)),
        ColumnGroup("pool", columns.POOL, Number(START_WORKERS)),
        ColumnGroup("ruler", columns.RULER, REGION),
        ColumnGroup("lost_region", columns.LOST, REGION),
        ColumnGroup("might", columns.STEP, Number(TOP_STEP)),
        ColumnGroup("left_card", columns.LEFT, CARD),
        ColumnGroup("right_card", columns.RIGHT, CARD),
        ColumnGroup("on_table", columns.PLAYED, Bits(CARD_LABELS, 1)),
        ColumnGroup("discarded", columns.DISCARD, Bits(CARD_LABELS, 1)),
        ColumnGroup("role_taken", columns.ROLE_TAKEN, Number()),
        ColumnGroup("role", columns.ROLE_SEEN, one_of(ROLE_NAMES, ROLE + 1)),
        ColumnGroup("summary", columns.SUMMARY, one_of(_numbered(5), 1)),
        ColumnGroup("queen_used", columns.QUEEN_USED, Number()),
        ColumnGroup("discounts_used", columns.DISCOUNTS, Number(2)),
        ColumnGroup("items", columns.ITEMS, Number(START_WORKERS)),
        ColumnGroup("personality", columns.PERSONALITY, one_of(_numbered(len(PERSONALITIES)))),
        ColumnGroup("standing", columns.STANDING, Number(START_WORKERS), CITY_NAMES),
        ColumnGroup("lying", columns.LYING, Number(START_WORKERS), CITY_NAMES),
        ColumnGroup("resources", columns.RESOURCES, Number(MANY), COLOUR_NAMES[:COLOURS]),
        ColumnGroup("pyramid_god", columns.PYRAMID, TILE_GOD_ONLY, _numbered(SPACES)),
        ColumnGroup("pyramid_colour", columns.PAINT, COLOUR, _numbered(SPACES)),
        ColumnGroup("building", columns.BUILDINGS, BUILDING_ENCODING, _numbered(BUILDING_SPACES)),
    ),
    _tiles("reserve"),
    replaced=True,
)


def _details() -> tuple[Detail, ...]:
    colours = Bits(COLOUR_NAMES[:COLOURS])
    space = one_of(_numbered(SPACES))
    payment = Category(COLOUR_NAMES, tuple(tuple(sorted({*paid})) for paid in PAYMENTS))
    encodings: dict[str, Encoding] = {
        "outside": Number(),
        "god": one_of(GOD_NAMES),
        "colours": colours,
        "colour": COLOUR,
        "left": Number(4),
        "tile": TILE_KIND,
        "space": space,
        "payment": payment,
        "slot": one_of(_numbered(OFFER_SLOTS)),
        "building": BUILDING_ENCODING,
        "link": one_of(LINK_LABELS),
        "named": Actors(),
        "goal": Number(),
        "first": TILE_KIND,
        "second": TILE_KIND,
        "region": REGION,
    }
    return tuple(
        Detail(name, encoding, {frame.kind: 1 + frame.fields.index(name) for frame in FRAMES if name in frame.fields})
        for name, encoding in encodings.items()
    )


BY_PLACE = _numbered(ACTORS)
FEATURES = Features(
    game="ahau",
    seats=SEATS,
    public=(
        TABLE,
        Row("city_gods", CITIES, (ColumnGroup("", 0, one_of(GOD_NAMES), CITY_NAMES),), replaced=True),
        Row("sites", LINKS, (ColumnGroup("", 0, SITE, LINK_LABELS),), replaced=True),
        Row("calendar", rest=Members("colour", COLOUR_NAMES, (-1, *SITE_COLOUR[1:])), replaced=True),
        Row("regions", REGION_COLUMNS * REGIONS, _regions(), replaced=True),
        Row("offer", OFFER_SLOTS, (ColumnGroup("", 0, BUILDING_ENCODING, _numbered(OFFER_SLOTS)),), replaced=True),
        Row(
            "temples",
            GODS * MARKER_SPACES,
            (
                ColumnGroup(
                    "", 0, Actor(), tuple(f"{god} {space}" for god in GOD_NAMES for space in range(MARKER_SPACES))
                ),
            ),
            replaced=True,
        ),
        Row("scoring", GODS, (ColumnGroup("", 0, one_of(SCORING_NAMES), GOD_NAMES),), replaced=True),
        Row("might", ACTORS, (ColumnGroup("", 0, Actor(), BY_PLACE),), replaced=True),
        Row("discarded", rest=_tiles("tiles"), replaced=True),
        Row("discarded", rest=Members("buildings", BUILDING_NAMES, BUILDING_KIND), replaced=True),
        Row("summaries", 5, (ColumnGroup("", 0, one_of(_numbered(5), 1), _numbered(5)),), replaced=True),
        Row("order", ACTORS, (ColumnGroup("", 0, Actor(), BY_PLACE),), replaced=True),
    ),
    actors=(ACTOR,),
    private=(
        Row(
            "own",
            3,
            (
                ColumnGroup("role", 0, one_of(ROLE_NAMES, ROLE + 1)),
                ColumnGroup("roles_left", 1, Bits(ROLE_NAMES, 1)),
                ColumnGroup(
                    "selected",
                    2,
                    Category(
                        tuple(f"{side} {card}" for side in ("left", "right") for card in CARD_LABELS),
                        tuple((left - 1, len(CARD_LABELS) + right - 1) for left, right in CARD_PAIRS),
                        SELECT,
                    ),
                ),
            ),
            replaced=True,
        ),
    ),
    question=QuestionFeatures(
        kinds={frame.kind: frame.__name__ for frame in FRAMES},
        asked={frame.kind: 1 for frame in FRAMES if frame.fields[:1] in (("seat",), ("actor",))},
        details=_details(),
    ),
    automata=("automaton",),
    count_row=MIGHT_ROW,
)
