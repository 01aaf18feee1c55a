"""The action space: one int per thing a seat can answer, with its name.

An action is a base plus an offset, e.g. PLACE + city. The names, prefixed with AHAU_ACTION_, are the values of the enum
AhauAction in the protocol; action 0 is unspecified and never legal. Questions that are never asked together share the
words for the same thing: whatever a tile is given for, it is GIVE. What a window adds to a question comes last, from
QUEEN on.
"""

from itertools import combinations_with_replacement
from typing import Final

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
from ballcourt.engine.games.ahau.tables import (
    CITY_NAMES,
    COLOUR_NAMES,
    GOD_NAMES,
    LINK_CITIES,
    OFFER_SLOTS,
    ROLE_NAMES,
    SPACE_LEVEL,
    SPACE_POSITION,
    START_WORKERS,
    TILES,
)

MAX_ACTORS: Final = 5

CARD_PAIRS: Final = tuple(
    (left, right) for left in range(1, 13) for right in range(1, 13) if left != right and min(left, right) <= ROLE
)
"""Every left and right card: two Region cards, or one of them a Role card."""
CARD_PAIR: Final = {pair: index for index, pair in enumerate(CARD_PAIRS)}
SPOTS: Final = REGIONS * POSITIONS
"""Spaces for pyramid tiles on the map: 2 * (region - 1) + position."""
COLOUR_PAIRS: Final = tuple((give, get) for give in range(COLOURS) for get in range(COLOURS) if give != get)
PAYMENTS: Final = tuple(paid for size in range(5) for paid in combinations_with_replacement(range(COLOURS), size))
"""Every multiset of up to four tokens, by their colours."""

SUMMARY: Final = 1  # + card - 1
SELECT: Final = SUMMARY + 5  # + index in CARD_PAIRS
CAPTAIN_STAY: Final = SELECT + len(CARD_PAIRS)
CAPTAIN: Final = CAPTAIN_STAY + 1  # + region - 1
ADVANCE: Final = CAPTAIN + REGIONS  # on Might
STAND_FAST: Final = ADVANCE + 1  # decline to
RELOCATE: Final = STAND_FAST + 1  # + region - 1
TAKE: Final = RELOCATE + REGIONS  # + spot
DRAW: Final = TAKE + SPOTS
PLACE: Final = DRAW + 1  # + city
BONUS: Final = PLACE + CITIES  # take the region bonus
NO_BONUS: Final = BONUS + 1
REPLACE: Final = NO_BONUS + 1  # + building space
SUMMON: Final = REPLACE + BUILDING_SPACES  # + god
NO_SUMMON: Final = SUMMON + GODS
COLOUR: Final = NO_SUMMON + 1  # + colour: of a wild tile, or of those used for a god the one that counts
RAIN_SITE: Final = COLOUR + COLOURS  # + link
MOVE_FROM: Final = RAIN_SITE + LINKS  # + city: a worker that has not moved in this summoning
MOVE_AGAIN: Final = MOVE_FROM + CITIES  # + place among those that have moved
MOVE_TO: Final = MOVE_AGAIN + START_WORKERS  # + city
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
BUILD_OFFER: Final = BUILD_TILE + TILES - 1  # + slot
STOP_BUILDING: Final = BUILD_OFFER + OFFER_SLOTS
AT: Final = STOP_BUILDING + 1  # + space of a pyramid
PAY: Final = AT + SPACES  # + index in PAYMENTS
GAIN: Final = PAY + len(PAYMENTS)  # + colour
MARK: Final = GAIN + COLOURS  # + god: put a marker at that Temple
LAY_DOWN: Final = MARK + GODS  # + city
NO_LAY_DOWN: Final = LAY_DOWN + CITIES
ROLE_PICK: Final = NO_LAY_DOWN + 1  # + role - 1
CARD_BACK: Final = ROLE_PICK + 6  # + card - 1
NO_CARD_BACK: Final = CARD_BACK + 12
GIVE: Final = NO_CARD_BACK + 1  # + tile - 1: for a summoning, to the bag, or as the second one of a trade
ENOUGH: Final = GIVE + TILES - 1  # take, give or name no more
QUEEN_PASS: Final = ENOUGH + 1
KATUN_DONE: Final = QUEEN_PASS + 1
QUEEN: Final = KATUN_DONE + 1  # + COLOURS * city + colour
TRADE_RESOURCES: Final = QUEEN + CITIES * COLOURS  # + index in COLOUR_PAIRS
TRADE_TILE: Final = TRADE_RESOURCES + len(COLOUR_PAIRS)  # + tile - 1: the first one of a trade
ACTIONS: Final = TRADE_TILE + TILES - 1


def _names() -> tuple[str, ...]:
    cities = [name.upper() for name in CITY_NAMES]
    gods = [name.upper() for name in GOD_NAMES]
    colours = [name.upper() for name in COLOUR_NAMES]
    roles = [name.upper() for name in ROLE_NAMES]
    cards = [*(str(number) for number in range(1, 7)), *roles]
    regions = range(1, REGIONS + 1)
    spots = [f"{region}_{side}" for region in regions for side in ("LEFT", "RIGHT")]
    links = [f"{cities[first]}_{cities[second]}" for first, second in LINK_CITIES]
    spaces = [f"LEVEL_{level}_{position + 1}" for level, position in zip(SPACE_LEVEL, SPACE_POSITION, strict=True)]
    tiles = range(1, TILES)
    swaps = [f"{colours[give]}_FOR_{colours[get]}" for give, get in COLOUR_PAIRS]
    return (
        "UNSPECIFIED",
        *(f"SUMMARY_{card}" for card in range(1, 6)),
        *(f"SELECT_{cards[left - 1]}_{cards[right - 1]}" for left, right in CARD_PAIRS),
        "CAPTAIN_STAY",
        *(f"CAPTAIN_{region}" for region in regions),
        "ADVANCE",
        "STAND_FAST",
        *(f"RELOCATE_{region}" for region in regions),
        *(f"TAKE_{spot}" for spot in spots),
        "DRAW",
        *(f"PLACE_{city}" for city in cities),
        "BONUS",
        "NO_BONUS",
        *(f"REPLACE_{space + 1}" for space in range(BUILDING_SPACES)),
        *(f"SUMMON_{god}" for god in gods),
        "NO_SUMMON",
        *(f"COLOUR_{colour}" for colour in colours),
        *(f"RAIN_{link}" for link in links),
        *(f"MOVE_FROM_{city}" for city in cities),
        *(f"MOVE_AGAIN_{place + 1}" for place in range(START_WORKERS)),
        *(f"MOVE_TO_{city}" for city in cities),
        "STOP_MOVING",
        *(f"SWAP_{swap}" for swap in swaps),
        "NO_SWAP",
        *(f"JAGUAR_REMOVE_{city}" for city in cities),
        *(f"JAGUAR_STAND_{city}" for city in cities),
        "PRODUCE",
        "BUILD",
        "PASS",
        *(f"DANCE_{god}" for god in gods),
        *(f"PRODUCE_{link}" for link in links),
        *(f"PRODUCE_FOR_{actor}" for actor in range(MAX_ACTORS)),
        *(f"BUILD_{tile}" for tile in tiles),
        *(f"BUILD_OFFER_{slot + 1}" for slot in range(OFFER_SLOTS)),
        "STOP_BUILDING",
        *(f"AT_{space}" for space in spaces),
        *("_".join(["PAY", *(colours[colour] for colour in paid)]) for paid in PAYMENTS),
        *(f"GAIN_{colour}" for colour in colours),
        *(f"MARK_{god}" for god in gods),
        *(f"LAY_DOWN_{city}" for city in cities),
        "NO_LAY_DOWN",
        *(f"ROLE_PICK_{role}" for role in roles),
        *(f"CARD_BACK_{card}" for card in cards),
        "NO_CARD_BACK",
        *(f"GIVE_{tile}" for tile in tiles),
        "ENOUGH",
        "QUEEN_PASS",
        "KATUN_DONE",
        *(f"QUEEN_{city}_{colour}" for city in cities for colour in colours),
        *(f"TRADE_{swap}" for swap in swaps),
        *(f"TRADE_{tile}" for tile in tiles),
    )


ACTION_NAMES: Final = _names()
