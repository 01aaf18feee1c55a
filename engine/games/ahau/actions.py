"""The action space: one int per thing a seat can answer, with its name.

An action is a base plus an offset, e.g. PLACE + city. The names, prefixed with AHAU_ACTION_, are the values of the enum
AhauAction in the protocol; action 0 is unspecified and never legal. What a window adds to a question comes last, from
QUEEN on.
"""

from itertools import combinations, combinations_with_replacement
from typing import Final

from engine.games.ahau.columns import (
    BUILDING_SPACES,
    CITIES,
    COLOURS,
    GODS,
    LINKS,
    POSITIONS,
    REGIONS,
    ROLE,
    SPACES,
    WILD,
)
from engine.games.ahau.tables import (
    CITY_NAMES,
    COLOUR_NAMES,
    FIRST_FIVE_TILE,
    FIRST_WILD,
    GOD_NAMES,
    LINK_CITIES,
    OFFER_SLOTS,
    ROLE_NAMES,
    SPACE_LEVEL,
    SPACE_POSITION,
    TILE_COLOUR,
    TILES,
)

MAX_ACTORS: Final = 5
MOVERS: Final = 13
"""A worker that has not moved in this summoning, and up to twelve that have."""

CARD_PAIRS: Final = tuple(
    (left, right) for left in range(1, 13) for right in range(1, 13) if left != right and min(left, right) <= ROLE
)
"""Every left and right card: two Region cards, or one of them a Role card."""
CARD_PAIR: Final = {pair: index for index, pair in enumerate(CARD_PAIRS)}
SPOTS: Final = REGIONS * POSITIONS
"""Spaces for pyramid tiles on the map: 2 * (region - 1) + position."""
SPOT_PAIRS: Final = tuple(combinations(range(SPOTS), 2))
SPOT_PAIR: Final = {pair: index for index, pair in enumerate(SPOT_PAIRS)}
COLOUR_PAIRS: Final = tuple((give, get) for give in range(COLOURS) for get in range(COLOURS) if give != get)
COLOUR_PAIR: Final = {pair: index for index, pair in enumerate(COLOUR_PAIRS)}
MOVES: Final = tuple(pair for first, second in LINK_CITIES for pair in ((first, second), (second, first)))
"""Where a worker can go from where: move 2 * link and, the other way round, 2 * link + 1."""
PAYMENTS: Final = tuple(paid for size in range(5) for paid in combinations_with_replacement(range(COLOURS), size))
"""Every multiset of up to four tokens, by their colours."""
PAYMENT: Final = {paid: index for index, paid in enumerate(PAYMENTS)}


def _tile_trades() -> tuple[tuple[int, int, int], ...]:
    """List two tiles and a colour: each is of that colour or wild."""
    return tuple(
        (first, second, colour)
        for first, second in combinations(range(1, TILES), 2)
        for colour in range(COLOURS)
        if TILE_COLOUR[first] in (colour, WILD) and TILE_COLOUR[second] in (colour, WILD)
    )


TILE_TRADES: Final = _tile_trades()
TILE_TRADE: Final = {trade: index for index, trade in enumerate(TILE_TRADES)}

SUMMARY: Final = 1  # + card - 1
SELECT: Final = SUMMARY + 5  # + index in CARD_PAIRS
CAPTAIN_STAY: Final = SELECT + len(CARD_PAIRS)
CAPTAIN: Final = CAPTAIN_STAY + 1  # + region - 1
ADVANCE: Final = CAPTAIN + REGIONS  # on Might
STAND_FAST: Final = ADVANCE + 1  # decline to
RELOCATE: Final = STAND_FAST + 1  # + region - 1
TAKE: Final = RELOCATE + REGIONS  # + spot
TAKE_TWO: Final = TAKE + SPOTS  # + index in SPOT_PAIRS
PLACE: Final = TAKE_TWO + len(SPOT_PAIRS)  # + city
BONUS: Final = PLACE + CITIES  # take the region bonus
NO_BONUS: Final = BONUS + 1
REPLACE: Final = NO_BONUS + 1  # + building space
SUMMON: Final = REPLACE + BUILDING_SPACES  # + god
NO_SUMMON: Final = SUMMON + GODS
OFFERED: Final = NO_SUMMON + 1  # + tile - 1: discard it for a summoning; wild tiles: below
OFFERED_WILD: Final = OFFERED + TILES - 1  # + COLOURS * (tile - FIRST_WILD) + colour
ENOUGH: Final = OFFERED_WILD + COLOURS * (FIRST_FIVE_TILE - FIRST_WILD)  # no more discards
CHIEF_COLOUR: Final = ENOUGH + 1  # + colour
CHIEF_TAKE: Final = CHIEF_COLOUR + COLOURS  # + spot
CHIEF_DRAW: Final = CHIEF_TAKE + SPOTS
RAIN_SITE: Final = CHIEF_DRAW + 1  # + link
TRADE_COLOUR: Final = RAIN_SITE + LINKS  # + colour
MOVE: Final = TRADE_COLOUR + COLOURS  # + len(MOVES) * mover + index in MOVES; mover 0 has not moved yet
STOP_MOVING: Final = MOVE + MOVERS * len(MOVES)
SWAP: Final = STOP_MOVING + 1  # + index in COLOUR_PAIRS
NO_SWAP: Final = SWAP + len(COLOUR_PAIRS)
SUN_TAKE: Final = NO_SWAP + 1  # + card - 1
SUN_ENOUGH: Final = SUN_TAKE + 12
SUN_LAY: Final = SUN_ENOUGH + 1  # + city
SUN_LAY_NONE: Final = SUN_LAY + CITIES
JAGUAR_REMOVE: Final = SUN_LAY_NONE + 1  # + city
JAGUAR_STAND: Final = JAGUAR_REMOVE + CITIES  # + city
PRODUCE: Final = JAGUAR_STAND + CITIES
BUILD: Final = PRODUCE + 1
PASS: Final = BUILD + 1
DANCE: Final = PASS + 1  # + god
PRODUCE_AT: Final = DANCE + GODS  # + link
PRODUCE_FOR: Final = PRODUCE_AT + LINKS  # + actor
PRODUCE_ENOUGH: Final = PRODUCE_FOR + MAX_ACTORS
BUILD_TILE: Final = PRODUCE_ENOUGH + 1  # + SPACES * (tile - 1) + space
BUILD_OFFER: Final = BUILD_TILE + SPACES * (TILES - 1)  # + slot
STOP_BUILDING: Final = BUILD_OFFER + OFFER_SLOTS
PAY: Final = STOP_BUILDING + 1  # + index in PAYMENTS
PAINT_WILD: Final = PAY + len(PAYMENTS)  # + colour
GAIN: Final = PAINT_WILD + COLOURS  # + colour
MARK: Final = GAIN + COLOURS  # + god: put a marker at that Temple
LAY_DOWN: Final = MARK + GODS  # + city
ROLE_PICK: Final = LAY_DOWN + CITIES  # + role - 1
CARD_BACK: Final = ROLE_PICK + 6  # + card - 1
NO_CARD_BACK: Final = CARD_BACK + 12
RETURN_TILE: Final = NO_CARD_BACK + 1  # + tile - 1: to the bag
QUEEN_PASS: Final = RETURN_TILE + TILES - 1
KATUN_DONE: Final = QUEEN_PASS + 1
QUEEN: Final = KATUN_DONE + 1  # + COLOURS * city + colour
TRADE_RESOURCES: Final = QUEEN + CITIES * COLOURS  # + index in COLOUR_PAIRS
TRADE_TILES: Final = TRADE_RESOURCES + len(COLOUR_PAIRS)  # + index in TILE_TRADES
ACTIONS: Final = TRADE_TILES + len(TILE_TRADES)


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
        *(f"TAKE_{spots[first]}_{spots[second]}" for first, second in SPOT_PAIRS),
        *(f"PLACE_{city}" for city in cities),
        "BONUS",
        "NO_BONUS",
        *(f"REPLACE_{space + 1}" for space in range(BUILDING_SPACES)),
        *(f"SUMMON_{god}" for god in gods),
        "NO_SUMMON",
        *(f"OFFER_UP_{tile}" for tile in range(1, TILES)),
        *(f"OFFER_UP_{tile}_AS_{colour}" for tile in range(FIRST_WILD, FIRST_FIVE_TILE) for colour in colours),
        "ENOUGH",
        *(f"CHIEF_COLOUR_{colour}" for colour in colours),
        *(f"CHIEF_TAKE_{spot}" for spot in spots),
        "CHIEF_DRAW",
        *(f"RAIN_{link}" for link in links),
        *(f"TRADE_COLOUR_{colour}" for colour in colours),
        *(
            f"MOVE_{f'AGAIN_{mover}_' if mover else ''}{cities[source]}_{cities[goal]}"
            for mover in range(MOVERS)
            for source, goal in MOVES
        ),
        "STOP_MOVING",
        *(f"SWAP_{swap}" for swap in swaps),
        "NO_SWAP",
        *(f"SUN_TAKE_{card}" for card in cards),
        "SUN_ENOUGH",
        *(f"SUN_LAY_{city}" for city in cities),
        "SUN_LAY_NONE",
        *(f"JAGUAR_REMOVE_{city}" for city in cities),
        *(f"JAGUAR_STAND_{city}" for city in cities),
        "PRODUCE",
        "BUILD",
        "PASS",
        *(f"DANCE_{god}" for god in gods),
        *(f"PRODUCE_{link}" for link in links),
        *(f"PRODUCE_FOR_{actor}" for actor in range(MAX_ACTORS)),
        "PRODUCE_ENOUGH",
        *(f"BUILD_{tile}_{space}" for tile in range(1, TILES) for space in spaces),
        *(f"BUILD_OFFER_{slot + 1}" for slot in range(OFFER_SLOTS)),
        "STOP_BUILDING",
        *("_".join(["PAY", *(colours[colour] for colour in paid)]) for paid in PAYMENTS),
        *(f"PAINT_{colour}" for colour in colours),
        *(f"GAIN_{colour}" for colour in colours),
        *(f"MARK_{god}" for god in gods),
        *(f"LAY_DOWN_{city}" for city in cities),
        *(f"ROLE_PICK_{role}" for role in roles),
        *(f"CARD_BACK_{card}" for card in cards),
        "NO_CARD_BACK",
        *(f"RETURN_{tile}" for tile in range(1, TILES)),
        "QUEEN_PASS",
        "KATUN_DONE",
        *(f"QUEEN_{city}_{colour}" for city in cities for colour in colours),
        *(f"TRADE_{swap}" for swap in swaps),
        *(f"TRADE_TILES_{first}_{second}_{colours[colour]}" for first, second, colour in TILE_TRADES),
    )


ACTION_NAMES: Final = _names()
