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
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau import tables
from ballcourt.engine.games.ahau.actions import CARD_PAIRS, PAYMENTS, SELECT
from ballcourt.engine.games.ahau.game import FRAMES

SEATS = 5
ACTORS = SEATS + 1
FAME = 100
MANY = 20

COLOUR_LABELS = (*tables.COLOUR_NAMES[: at.COLOURS], "wild")
CARD_LABELS = (*(f"region {card}" for card in range(1, at.ROLE + 1)), *tables.ROLE_NAMES)
LINK_LABELS = tuple(f"{tables.CITY_NAMES[one]} to {tables.CITY_NAMES[other]}" for one, other in tables.LINK_CITIES)
REGION_LABELS = tuple(str(region) for region in range(1, at.REGIONS + 1))


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(count)))


TILE_KIND = Category(
    (*COLOUR_LABELS, *tables.GOD_NAMES),
    tuple((tables.TILE_COLOUR[tile], len(COLOUR_LABELS) + tables.TILE_GOD[tile]) for tile in range(1, tables.TILES)),
    1,
)
TILE_GOD_ONLY = Category(tables.GOD_NAMES, tuple((tables.TILE_GOD[tile],) for tile in range(1, tables.TILES)), 1)
BUILDING_ENCODING = Category(tables.BUILDING_NAMES, tuple((kind,) for kind in tables.BUILDING_KIND[1:]), 1)
SITE = Category(tables.COLOUR_NAMES, tuple((colour,) for colour in tables.SITE_COLOUR[1:]), 1)
CARD = one_of(CARD_LABELS, 1)
REGION = one_of(REGION_LABELS, 1)
COLOUR = one_of(tables.COLOUR_NAMES)

TILE_LABELS = tuple(f"{colour} {god}" for colour in COLOUR_LABELS for god in tables.GOD_NAMES)
LABEL_OF_TILE = (-1, *(at.GODS * tables.TILE_COLOUR[tile] + tables.TILE_GOD[tile] for tile in range(1, tables.TILES)))


def _tiles(name: str) -> Members:
    return Members(name, TILE_LABELS, LABEL_OF_TILE)


TABLE = Row(
    "table",
    at.TABLE_COLUMNS,
    (
        ColumnGroup("mode", at.MODE, one_of(("standard", "family", "solo"))),
        ColumnGroup("side", at.SIDE, Number()),
        ColumnGroup("night", at.NIGHT, Number()),
        ColumnGroup("personal_scoring", at.PERSONAL, Number()),
        ColumnGroup("katun", at.KATUN, Number(tables.KATUNS)),
        ColumnGroup("round", at.ROUND, Number(MANY)),
        ColumnGroup("katun_triggered", at.KATUN_TRIGGERED, Number()),
        ColumnGroup("end_triggered", at.END_TRIGGERED, Number()),
        ColumnGroup("turn", at.TURN, Actor()),
        ColumnGroup("turn_city", at.TURN_CITY, one_of(tables.CITY_NAMES)),
        ColumnGroup("summoned", at.SUMMONED, Bits(tables.GOD_NAMES)),
        ColumnGroup("built", at.BUILT, Number(3)),
        ColumnGroup("stand_ins", at.STAND_INS, Number(2)),
        ColumnGroup("bag", at.BAG, Number(tables.TILES)),
        ColumnGroup("stack", at.STACK, Number(tables.BUILDING_TILES)),
        ColumnGroup("role_deck", at.ROLE_DECK, Number(len(tables.ROLE_NAMES))),
        ColumnGroup("automaton_deck", at.DECK, Number(len(tables.ROLE_NAMES) + 1)),
        ColumnGroup("start_tiles_out", at.BOXED_TILES, Bits(_numbered(5), 1)),
        ColumnGroup("buildings_out", at.BOXED_BUILDINGS, Bits(tuple(map(str, range(1, tables.BUILDING_TILES))), 1)),
        ColumnGroup("start_seat", at.START_SEAT, Actor()),
        ColumnGroup("difficulty", at.DIFFICULTY, Number(2)),
        ColumnGroup("solo_night", at.SOLO_NIGHT, Number()),
    ),
)


def _regions() -> tuple[ColumnGroup, ...]:
    blocks = []
    for index, label in enumerate(REGION_LABELS):
        first = at.REGION_COLUMNS * index
        blocks += [
            ColumnGroup(f"{label}.tile", first + at.TILE, TILE_KIND, ("left", "right")[: at.POSITIONS]),
            ColumnGroup(f"{label}.building", first + at.BUILDING, BUILDING_ENCODING),
            ColumnGroup(f"{label}.resource", first + at.GIFT, one_of(tables.COLOUR_NAMES, 1), ("first", "second")),
        ]
    return tuple(blocks)


ACTOR = Row(
    "actor",
    at.ACTOR_COLUMNS,
    (
        ColumnGroup("fame", at.FAME, Number(FAME)),
        ColumnGroup("weapons", at.WEAPONS, Number(tables.MAX_WEAPONS)),
        ColumnGroup("pool", at.POOL, Number(tables.START_WORKERS)),
        ColumnGroup("ruler", at.RULER, REGION),
        ColumnGroup("lost_region", at.LOST, REGION),
        ColumnGroup("might", at.STEP, Number(tables.TOP_STEP)),
        ColumnGroup("left_card", at.LEFT, CARD),
        ColumnGroup("right_card", at.RIGHT, CARD),
        ColumnGroup("on_table", at.PLAYED, Bits(CARD_LABELS, 1)),
        ColumnGroup("discarded", at.DISCARD, Bits(CARD_LABELS, 1)),
        ColumnGroup("role_order", at.ROLE_ORDER, Number(5)),
        ColumnGroup("role", at.ROLE_SEEN, one_of(tables.ROLE_NAMES, at.ROLE + 1)),
        ColumnGroup("summary", at.SUMMARY, one_of(_numbered(5), 1)),
        ColumnGroup("queen_used", at.QUEEN_USED, Number()),
        ColumnGroup("discounts_used", at.DISCOUNTS, Number(2)),
        ColumnGroup("items", at.ITEMS, Number(tables.START_WORKERS)),
        ColumnGroup("personality", at.PERSONALITY, one_of(_numbered(len(tables.PERSONALITIES)))),
        ColumnGroup("standing", at.STANDING, Number(tables.START_WORKERS), tables.CITY_NAMES),
        ColumnGroup("lying", at.LYING, Number(tables.START_WORKERS), tables.CITY_NAMES),
        ColumnGroup("resources", at.RESOURCES, Number(MANY), tables.COLOUR_NAMES[: at.COLOURS]),
        ColumnGroup("pyramid_god", at.PYRAMID, TILE_GOD_ONLY, _numbered(at.SPACES)),
        ColumnGroup("pyramid_colour", at.PAINT, COLOUR, _numbered(at.SPACES)),
        ColumnGroup("building", at.BUILDINGS, BUILDING_ENCODING, _numbered(at.BUILDING_SPACES)),
    ),
    _tiles("reserve"),
    replaced=True,
)


def _details() -> tuple[Detail, ...]:
    colours = Bits(tables.COLOUR_NAMES[: at.COLOURS])
    space = one_of(_numbered(at.SPACES))
    payment = Category(tables.COLOUR_NAMES, tuple(tuple(sorted({*paid})) for paid in PAYMENTS))
    encodings: dict[str, Encoding] = {
        "outside": Number(),
        "god": one_of(tables.GOD_NAMES),
        "colours": colours,
        "colour": COLOUR,
        "left": Number(4),
        "tile": TILE_KIND,
        "space": space,
        "payment": payment,
        "slot": one_of(_numbered(tables.OFFER_SLOTS)),
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
        Row("city_gods", at.CITIES, (ColumnGroup("", 0, one_of(tables.GOD_NAMES), tables.CITY_NAMES),), replaced=True),
        Row("sites", at.LINKS, (ColumnGroup("", 0, SITE, LINK_LABELS),), replaced=True),
        Row("calendar", rest=Members("colour", tables.COLOUR_NAMES, (-1, *tables.SITE_COLOUR[1:])), replaced=True),
        Row("regions", at.REGION_COLUMNS * at.REGIONS, _regions(), replaced=True),
        Row(
            "offer",
            tables.OFFER_SLOTS,
            (ColumnGroup("", 0, BUILDING_ENCODING, _numbered(tables.OFFER_SLOTS)),),
            replaced=True,
        ),
        Row(
            "temples",
            at.GODS * at.MARKER_SPACES,
            (
                ColumnGroup(
                    "",
                    0,
                    Actor(),
                    tuple(f"{god} {space}" for god in tables.GOD_NAMES for space in range(at.MARKER_SPACES)),
                ),
            ),
            replaced=True,
        ),
        Row("scoring", at.GODS, (ColumnGroup("", 0, one_of(tables.SCORING_NAMES), tables.GOD_NAMES),), replaced=True),
        Row("might", ACTORS, (ColumnGroup("", 0, Actor(), BY_PLACE),), replaced=True),
        Row("discarded", rest=_tiles("tiles"), replaced=True),
        Row("discarded", rest=Members("buildings", tables.BUILDING_NAMES, tables.BUILDING_KIND), replaced=True),
        Row("summaries", 5, (ColumnGroup("", 0, one_of(_numbered(5), 1), _numbered(5)),), replaced=True),
        Row("order", ACTORS, (ColumnGroup("", 0, Actor(), BY_PLACE),), replaced=True),
    ),
    actors=(ACTOR,),
    private=(
        Row(
            "own",
            3,
            (
                ColumnGroup("role", 0, one_of(tables.ROLE_NAMES, at.ROLE + 1)),
                ColumnGroup("roles_left", 1, Bits(tables.ROLE_NAMES, 1)),
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
    count_row=at.MIGHT_ROW,
)
