"""The action space: one int for each answer that a seat can give, and its name.

An action is a base plus an offset, such as PLACE + city. The names, prefixed with AHAU_ACTION_, are the values of the
enum AhauAction in the protocol; action 0 is unspecified and never legal. Questions that are never asked together share
actions: a tile is given up with GIVE, whatever it is given for. The actions that a trading window adds to a question
come last, from QUEEN on.
"""

from itertools import combinations_with_replacement
from typing import Final

from ballcourt.engine.games.ahau import tables
from ballcourt.engine.games.ahau.columns import (
    BUILDING_SPACES,
    CITIES,
    COLOURS,
    GODS,
    LINKS,
    POSITIONS,
    REGIONS,
    ROLE,
    SPACES,
)

MAX_ACTORS: Final = 5

CARD_PAIRS: Final = tuple(
    (left, right) for left in range(1, 13) for right in range(1, 13) if left != right and min(left, right) <= ROLE
)
"""Every pair of a left and a right card: two Region cards, or a Region card and a Role card."""
CARD_PAIR: Final = {pair: index for index, pair in enumerate(CARD_PAIRS)}
SPOTS: Final = REGIONS * POSITIONS
"""The number of spots for pyramid tiles on the map; a spot is 2 * (region - 1) + position."""
COLOUR_PAIRS: Final = tuple((give, get) for give in range(COLOURS) for get in range(COLOURS) if give != get)
PAYMENTS: Final = tuple(paid for size in range(5) for paid in combinations_with_replacement(range(COLOURS), size))
"""Every multiset of up to four tokens, given by their colours."""

SUMMARY: Final = 1  # + card - 1
SELECT: Final = SUMMARY + 5  # + index in CARD_PAIRS
CAPTAIN_STAY: Final = SELECT + len(CARD_PAIRS)
CAPTAIN: Final = CAPTAIN_STAY + 1  # + region - 1
ADVANCE: Final = CAPTAIN + REGIONS  # on Might
STAND_FAST: Final = ADVANCE + 1  # decline to advance
RELOCATE: Final = STAND_FAST + 1  # + region - 1
TAKE: Final = RELOCATE + REGIONS  # + spot
DRAW: Final = TAKE + SPOTS
PLACE: Final = DRAW + 1  # + city
BONUS: Final = PLACE + CITIES  # take the region bonus
NO_BONUS: Final = BONUS + 1
REPLACE: Final = NO_BONUS + 1  # + building space
SUMMON: Final = REPLACE + BUILDING_SPACES  # + god
NO_SUMMON: Final = SUMMON + GODS
COLOUR: Final = NO_SUMMON + 1  # + colour: of a wild tile, or which of the colours used counts
RAIN_SITE: Final = COLOUR + COLOURS  # + link
MOVE_FROM: Final = RAIN_SITE + LINKS  # + city: a worker that has not moved in this summoning
MOVE_AGAIN: Final = MOVE_FROM + CITIES  # + index among the workers that have moved
MOVE_TO: Final = MOVE_AGAIN + tables.START_WORKERS  # + city
STOP_MOVING: Final = MOVE_TO + CITIES
SWAP: Final = STOP_MOVING + 1  # + index in COLOUR_PAIRS
NO_SWAP: Final = SWAP + len(COLOUR_PAIRS)
JAGUAR_REMOVE: Final = NO_SWAP + 1  # + city
JAGUAR_STAND: Final = JAGUAR_REMOVE + CITIES  # + city
PRODUCE: Final = JAGUAR_STAND + CITIES
BUILD: Final = PRODUCE + 1
PASS: Final = BUILD + 1
DANCE: Final = PASS + 1  # + god
PRODUCE_AT: Final = DANCE + GODS  # + link
PRODUCE_FOR: Final = PRODUCE_AT + LINKS  # + actor
BUILD_TILE: Final = PRODUCE_FOR + MAX_ACTORS  # + tile - 1
BUILD_OFFER: Final = BUILD_TILE + tables.TILES - 1  # + slot
STOP_BUILDING: Final = BUILD_OFFER + tables.OFFER_SLOTS
AT: Final = STOP_BUILDING + 1  # + space of a pyramid
PAY: Final = AT + SPACES  # + index in PAYMENTS
GAIN: Final = PAY + len(PAYMENTS)  # + colour
MARK: Final = GAIN + COLOURS  # + god: put a marker at that Temple
LAY_DOWN: Final = MARK + GODS  # + city
NO_LAY_DOWN: Final = LAY_DOWN + CITIES
ROLE_PICK: Final = NO_LAY_DOWN + 1  # + role - 1
CARD_BACK: Final = ROLE_PICK + 6  # + card - 1
NO_CARD_BACK: Final = CARD_BACK + 12
GIVE: Final = NO_CARD_BACK + 1  # + tile - 1: for a summoning, to the bag, or as the second tile of a trade
ENOUGH: Final = GIVE + tables.TILES - 1  # take, give or name no more
QUEEN_PASS: Final = ENOUGH + 1
KATUN_DONE: Final = QUEEN_PASS + 1
QUEEN: Final = KATUN_DONE + 1  # + COLOURS * city + colour
TRADE_RESOURCES: Final = QUEEN + CITIES * COLOURS  # + index in COLOUR_PAIRS
TRADE_TILE: Final = TRADE_RESOURCES + len(COLOUR_PAIRS)  # + tile - 1: the first tile of a trade


# -- the names, in the order of the bases above

_CITIES: Final = tuple(name.upper() for name in tables.CITY_NAMES)
_GODS: Final = tuple(name.upper() for name in tables.GOD_NAMES)
_COLOURS: Final = tuple(name.upper() for name in tables.COLOUR_NAMES)
_ROLES: Final = tuple(name.upper() for name in tables.ROLE_NAMES)
_CARDS: Final = (*(str(number) for number in range(1, 7)), *_ROLES)
_REGIONS: Final = range(1, REGIONS + 1)
_TILES: Final = range(1, tables.TILES)
_SWAPS: Final = tuple(f"{_COLOURS[give]}_FOR_{_COLOURS[get]}" for give, get in COLOUR_PAIRS)


ACTION_NAMES: Final[tuple[str, ...]] = (
    "UNSPECIFIED",
    *(f"SUMMARY_{card}" for card in range(1, 6)),
    *(f"SELECT_{_CARDS[left - 1]}_{_CARDS[right - 1]}" for left, right in CARD_PAIRS),
    "CAPTAIN_STAY",
    *(f"CAPTAIN_{region}" for region in _REGIONS),
    "ADVANCE",
    "STAND_FAST",
    *(f"RELOCATE_{region}" for region in _REGIONS),
    *(f"TAKE_{region}_{side}" for region in _REGIONS for side in ("LEFT", "RIGHT")),
    "DRAW",
    *(f"PLACE_{city}" for city in _CITIES),
    "BONUS",
    "NO_BONUS",
    *(f"REPLACE_{space + 1}" for space in range(BUILDING_SPACES)),
    *(f"SUMMON_{god}" for god in _GODS),
    "NO_SUMMON",
    *(f"COLOUR_{colour}" for colour in _COLOURS),
    *(f"RAIN_{_CITIES[first]}_{_CITIES[second]}" for first, second in tables.LINK_CITIES),
    *(f"MOVE_FROM_{city}" for city in _CITIES),
    *(f"MOVE_AGAIN_{place + 1}" for place in range(tables.START_WORKERS)),
    *(f"MOVE_TO_{city}" for city in _CITIES),
    "STOP_MOVING",
    *(f"SWAP_{swap}" for swap in _SWAPS),
    "NO_SWAP",
    *(f"JAGUAR_REMOVE_{city}" for city in _CITIES),
    *(f"JAGUAR_STAND_{city}" for city in _CITIES),
    "PRODUCE",
    "BUILD",
    "PASS",
    *(f"DANCE_{god}" for god in _GODS),
    *(f"PRODUCE_{_CITIES[first]}_{_CITIES[second]}" for first, second in tables.LINK_CITIES),
    *(f"PRODUCE_FOR_{actor}" for actor in range(MAX_ACTORS)),
    *(f"BUILD_{tile}" for tile in _TILES),
    *(f"BUILD_OFFER_{slot + 1}" for slot in range(tables.OFFER_SLOTS)),
    "STOP_BUILDING",
    *(
        f"AT_LEVEL_{level}_{position + 1}"
        for level, position in zip(tables.SPACE_LEVEL, tables.SPACE_POSITION, strict=True)
    ),
    *("_".join(["PAY", *(_COLOURS[colour] for colour in paid)]) for paid in PAYMENTS),
    *(f"GAIN_{colour}" for colour in _COLOURS),
    *(f"MARK_{god}" for god in _GODS),
    *(f"LAY_DOWN_{city}" for city in _CITIES),
    "NO_LAY_DOWN",
    *(f"ROLE_PICK_{role}" for role in _ROLES),
    *(f"CARD_BACK_{card}" for card in _CARDS),
    "NO_CARD_BACK",
    *(f"GIVE_{tile}" for tile in _TILES),
    "ENOUGH",
    "QUEEN_PASS",
    "KATUN_DONE",
    *(f"QUEEN_{city}_{colour}" for city in _CITIES for colour in _COLOURS),
    *(f"TRADE_{swap}" for swap in _SWAPS),
    *(f"TRADE_{tile}" for tile in _TILES),
)
