"""The numbers printed on boards, tiles and cards; no other module holds any of them.

Every block says where its numbers come from. *Rulebook*: its text or one of its worked examples gives them.
*Reconstruction*: they appear only in pictures that we do not have; we chose values that agree with everything the text
says. No rule depends on a reconstructed number: the owner of a copy can correct it here.
"""

from typing import Final, TypeAlias

from ballcourt.engine.games.ahau.columns import COLOURS, GODS, WILD

# compiled, a tuple of a fixed length would be copied whenever it is indexed; `...` makes it an object
Ints: TypeAlias = tuple[int, ...]
Reward: TypeAlias = tuple[int, int]
"""The kind of reward that a space gives, and how much."""
Rewards: TypeAlias = tuple[Reward, ...]

# -- names, for errors, scenes and action names. Rulebook; Edzna and Palenque: reconstruction

CITY_NAMES: Final[tuple[str, ...]] = (
    *("chichen_itza", "uxmal", "tulum", "edzna", "calakmul"),
    *("lamanai", "palenque", "tikal", "yaxchilan", "quirigua"),
)
"""The cities by number: from the top of the board to its bottom, which breaks ties for the automata."""
GOD_NAMES: Final[tuple[str, ...]] = ("chief", "rain", "trade", "sun", "jaguar")
COLOUR_NAMES: Final[tuple[str, ...]] = ("yellow", "blue", "black", "brown", "white")
ROLE_NAMES: Final[tuple[str, ...]] = ("merchant", "war_captain", "queen", "master_builder", "high_priestess", "dancer")
"""The Role cards by number, 1 first. That the numbers are 1 to 6, and whose is which: reconstruction."""
SCORING_NAMES: Final[tuple[str, ...]] = (
    *("might", "symbols", "reserve_colours", "temples", "resource_colours", "buildings", "city_gods"),
)

# -- the map. One site per link, one region per face: rulebook; the adjacencies: reconstruction

LINK_CITIES: Final[tuple[tuple[int, int], ...]] = (
    *((1, 0), (0, 2), (3, 0), (3, 1), (5, 2)),
    *((6, 1), (3, 4), (4, 5), (2, 9), (4, 8)),
    *((5, 7), (8, 6), (7, 8), (9, 6), (7, 9)),
)
"""The two cities of each link; links are also numbered from the top of the board."""
MISSING_LINK: Final = 12
"""The link that side a of the board lacks."""


def _adjacent_cities(*missing: int) -> tuple[tuple[int, ...], ...]:
    """List, by city, the cities linked to it on a board that lacks some links."""
    links = [pair for link, pair in enumerate(LINK_CITIES) if link not in missing]
    return tuple(
        tuple(other for other in range(len(CITY_NAMES)) if (city, other) in links or (other, city) in links)
        for city in range(len(CITY_NAMES))
    )


ADJACENT_CITIES: Final[tuple[tuple[Ints, ...], ...]] = (_adjacent_cities(MISSING_LINK), _adjacent_cities())
"""By side of the board and city."""
REGION_CITIES: Final[tuple[tuple[Ints, ...], ...]] = (
    ((), (0, 1, 3), (0, 2, 3, 4, 5), (1, 3, 4, 6, 8), (2, 5, 7, 9), (4, 5, 6, 7, 8, 9), ()),
    ((), (0, 1, 3), (0, 2, 3, 4, 5), (1, 3, 4, 6, 8), (4, 5, 7, 8), (2, 5, 7, 9), (6, 7, 8, 9)),
)
"""By side of the board and region: the cities that border it."""
ADJACENT_REGIONS: Final[tuple[tuple[Ints, ...], ...]] = (
    ((), (2, 3), (1, 3, 4, 5), (1, 2, 5), (2, 5), (2, 3, 4), ()),
    ((), (2, 3), (1, 3, 4, 5), (1, 2, 4, 6), (2, 3, 5, 6), (2, 4, 6), (3, 4, 5)),
)
REGION_COUNT: Final[Ints] = (5, 6)
CITY_GODS: Final[Ints] = (0, 0, 1, 1, 2, 2, 3, 3, 4, 4)
"""The gods of the ten city tiles. Rulebook."""

# -- production sites and calendar. Fifteen sites: rulebook; three per colour, the lengths: reconstruction

SITE_COLOUR: Final[Ints] = (WILD, *(colour for colour in range(COLOURS) for _ in range(3)))
CALENDAR_SPACES: Final[Ints] = (0, 6, 6, 8, 10, 12)
"""By number of players: how many sites fill the calendar; the solo game counts as two players."""

# -- pyramid tiles. 85 in total, 5 start tiles, 25 for five players: rulebook; colours and gods: reconstruction

_START = ((4, 0), (1, 1), (3, 2), (0, 3), (2, 4))
_BASE = tuple((colour, god) for colour in range(COLOURS) for god in range(GODS) for _ in range(2))
_WILDS = tuple((WILD, god) for god in range(GODS))
_FIVE = tuple((colour, god) for colour in range(COLOURS) for god in range(GODS))
PYRAMID_TILES: Final[tuple[tuple[int, int], ...]] = ((WILD, -1), *_START, *_BASE, *_WILDS, *_FIVE)
"""Colour and god of the tiles 1..85."""
TILE_COLOUR: Final = tuple(colour for colour, _ in PYRAMID_TILES)
TILE_GOD: Final = tuple(god for _, god in PYRAMID_TILES)
FIRST_BASE_TILE: Final = 6
FIRST_FIVE_TILE: Final = 61
TILES: Final = 86

# -- buildings. 15 kinds, 25 tiles, 5 of them for five players: rulebook; which are doubled, the costs: reconstruction

ACROPOLIS: Final = 0
BALL_COURT: Final = 1
CITY_WALLS: Final = 2
GATEWAY: Final = 3
GIANT_STELE: Final = 4
MARKET: Final = 5
OBSERVATION_TOWER: Final = 6
PALACE: Final = 7
PLAZA: Final = 8
PRODUCE_MARKET: Final = 9
RAISED_BED_FARM: Final = 10
ROYAL_MONUMENT: Final = 11
ROYAL_PALACE: Final = 12
TEMPLE: Final = 13
WORKSHOP: Final = 14
BUILDING_NAMES: Final[tuple[str, ...]] = (
    *("acropolis", "ball_court", "city_walls", "gateway", "giant_stele", "market", "observation_tower", "palace"),
    *("plaza", "produce_market", "raised_bed_farm", "royal_monument", "royal_palace", "temple", "workshop"),
)
BUILDING_COLOURS: Final[tuple[Ints, ...]] = (
    *((0, 1), (1, 2, 3, 4), (0, 2, 3), (1, 2), (2, 3), (1, 3, 4), (0, 2, 4), (0, 1, 3)),
    *((0, 2, 3, 4), (3, 4), (1, 2, 4), (0, 1, 3, 4), (0, 1, 2, 4), (0, 4), (0, 1, 2, 3)),
)
"""What each kind costs: one resource of each of these colours."""
BUILDING_KIND: Final[Ints] = (-1, 0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 13, 13, 14, 14)
"""The kind of the building tiles 1..25."""
FIVE_PLAYER_BUILDINGS: Final[Ints] = (6, 12, 16, 20, 23)
BUILDING_TILES: Final = 26
ROYAL_PALACE_TILE: Final = 21
OFFER_SLOTS: Final = 3
OFFER_FAME: Final[Ints] = (0, 1, 2)
"""By slot of the offer. Rulebook; the leftmost slot also costs one resource less."""
PLAZA_FAME: Final = 3
STELE_FAME: Final = 3
ACROPOLIS_FAME: Final = 2
FARM_YIELD: Final = 2
MARKET_STAND_INS: Final = 2
MERCHANT_YIELD: Final = 2
MASTER_BUILDS: Final = 2

# -- pyramids. Rulebook

SPACE_LEVEL: Final[Ints] = (1, 1, 1, 1, 2, 2, 2, 3, 3, 4)
SPACE_POSITION: Final[Ints] = (0, 1, 2, 3, 0, 1, 2, 0, 1, 0)
BELOW: Final[tuple[Ints, ...]] = ((), (), (), (), (0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (7, 8))
"""The two spaces that support a space."""
NEIGHBOURS: Final[tuple[Ints, ...]] = (
    *((1, 4), (0, 2, 4, 5), (1, 3, 5, 6), (2, 6)),
    *((0, 1, 5, 7), (1, 2, 4, 6, 7, 8), (2, 3, 5, 8)),
    *((4, 5, 8, 9), (5, 6, 7, 9)),
    (7, 8),
)
TOP_SPACE: Final = 9

# -- rewards. The kinds and the level-3 space of 4 Fame: rulebook; all others: reconstruction

NOTHING: Final = 0
GAIN_FAME: Final = 1
GAIN_RESOURCE: Final = 2
GAIN_TEMPLE: Final = 3
GAIN_WEAPON: Final = 4
GAIN_ROLE: Final = 5
GAIN_MIGHT: Final = 6
GAIN_LAY_DOWN: Final = 7
GAIN_DRAW: Final = 8

DAY_PYRAMID: Final[Rewards] = (
    *((NOTHING, 0), (GAIN_RESOURCE, 1), (GAIN_DRAW, 1), (NOTHING, 0)),
    *((GAIN_WEAPON, 1), (GAIN_ROLE, 1), (GAIN_LAY_DOWN, 1)),
    *((GAIN_TEMPLE, 1), (GAIN_FAME, 4), (GAIN_FAME, 6)),
)
NIGHT_PYRAMID: Final[Rewards] = (
    *((GAIN_WEAPON, 1), (NOTHING, 0), (NOTHING, 0), (GAIN_RESOURCE, 1)),
    *((GAIN_MIGHT, 1), (GAIN_DRAW, 2), (GAIN_TEMPLE, 1)),
    *((GAIN_FAME, 4), (GAIN_ROLE, 1), (GAIN_FAME, 6)),
)
PAKAL_DAY_PYRAMID: Final[Rewards] = (
    *((NOTHING, 0), (GAIN_RESOURCE, 1), (NOTHING, 0), (GAIN_WEAPON, 1)),
    *((GAIN_LAY_DOWN, 1), (GAIN_TEMPLE, 1), (GAIN_MIGHT, 1)),
    *((GAIN_FAME, 4), (GAIN_DRAW, 2), (GAIN_FAME, 6)),
)
PAKAL_NIGHT_PYRAMID: Final[Rewards] = (
    *((GAIN_RESOURCE, 1), (GAIN_WEAPON, 1), (GAIN_RESOURCE, 1), (GAIN_DRAW, 1)),
    *((GAIN_LAY_DOWN, 1), (GAIN_TEMPLE, 1), (GAIN_MIGHT, 1)),
    *((GAIN_FAME, 6), (GAIN_DRAW, 3), (GAIN_FAME, 10)),
)
PYRAMID_REWARDS: Final[tuple[Rewards, ...]] = (DAY_PYRAMID, NIGHT_PYRAMID)
"""By side of the player board, 0 Day and 1 Night, and space."""
PAKAL_PYRAMID_REWARDS: Final[tuple[Rewards, ...]] = (PAKAL_DAY_PYRAMID, PAKAL_NIGHT_PYRAMID)
BUILDING_REWARDS: Final[tuple[Rewards, ...]] = (
    ((GAIN_RESOURCE, 1), (GAIN_DRAW, 2), (GAIN_ROLE, 1), (GAIN_TEMPLE, 1), (GAIN_FAME, 5)),
    ((GAIN_WEAPON, 1), (GAIN_ROLE, 1), (GAIN_LAY_DOWN, 1), (GAIN_MIGHT, 1), (GAIN_FAME, 6)),
)
PAKAL_BUILDING_REWARDS: Final[tuple[Rewards, ...]] = (
    ((GAIN_RESOURCE, 2), (GAIN_WEAPON, 1), (GAIN_TEMPLE, 1), (GAIN_MIGHT, 1), (GAIN_FAME, 5)),
    ((GAIN_RESOURCE, 3), (GAIN_WEAPON, 1), (GAIN_TEMPLE, 1), (GAIN_MIGHT, 1), (GAIN_FAME, 8)),
)
MIGHT_REWARDS: Final[Rewards] = (
    *((NOTHING, 0), (GAIN_RESOURCE, 1), (GAIN_DRAW, 2), (GAIN_FAME, 2), (GAIN_WEAPON, 1), (GAIN_RESOURCE, 2)),
    *((GAIN_TEMPLE, 1), (GAIN_LAY_DOWN, 1), (GAIN_FAME, 4), (GAIN_DRAW, 2), (GAIN_FAME, 6)),
)
"""By step of the Might track; its length of 10 is a reconstruction too."""
TOP_STEP: Final = 10
BEYOND_TOP_FAME: Final = 3  # rulebook

# -- Temples, Fame and the end. Three K'atuns, majorities: rulebook; Fame of the marker spaces: reconstruction

MARKER_FAME: Final[Ints] = (2, 1, 0, 0, 0)
MIDDLE_SPACE: Final = 2
KATUNS: Final = 3
MAJORITY_FAME: Final = 2
TIE_FAME: Final = 1
LAST_ROUND: Final = 40  # our limit, not the rulebook's: the match ends after this round

SCORE_MIGHT: Final = 0
SCORE_SYMBOLS: Final = 1
SCORE_RESERVE: Final = 2
SCORE_TEMPLES: Final = 3
SCORE_RESOURCES: Final = 4
SCORE_BUILDINGS: Final = 5
STEPS_PER_POINT: Final = 2

# -- people and cards. Rulebook; the resources of the summary cards: reconstruction

START_WORKERS: Final = 12
MAX_WEAPONS: Final = 10
SUMMARY_RESOURCES: Final[tuple[Ints, ...]] = ((), (0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 0), (4, 0, 1))

# -- automata. Rulebook; the order of the gods: reconstruction

PERSONALITIES: Final[tuple[Ints, ...]] = (
    *((2, 1, 0, 3, 4), (4, 3, 1, 0, 2), (3, 0, 4, 2, 1)),
    *((1, 2, 3, 4, 0), (0, 4, 2, 1, 3), (3, 4, 0, 1, 2)),
)
"""The gods of each Personality card, best first; it belongs to the Role with the same index."""
GOD_RANKS: Final = tuple(tuple(gods.index(god) for god in range(GODS)) for gods in PERSONALITIES)
"""By Personality card and god: the rank of the god, 0 for the best."""
SHADOW_WEAPONS: Final = 1
PAKAL_WEAPONS: Final[Ints] = (0, 1, 3)
PAKAL_BUILDING_FAME: Final[Ints] = (4, 8, 12)
PAKAL_MIDDLE_MARKERS: Final[tuple[Ints, ...]] = ((1, 1, 0), (2, 2, 1), (3, 3, 2))
"""By difficulty and K'atun: how many markers he starts the K'atun with."""
PAKAL_START_RESOURCES: Final = 3
PAKAL_MAX_RESOURCES: Final = 12
PAKAL_UNBUILT_FAME: Final = 2
PAKAL_ROLE_DECK: Final = 3
RESOURCES_PER_POINT: Final = 3
