"""The action space: one int per thing a seat can answer, with its name.

An action is a base plus an offset, e.g. PLACE + gear. The names, prefixed with TZOLKIN_ACTION_, are the values of
the enum TzolkinAction in the protocol; action 0 is unspecified and never legal.
"""

from typing import Final

from ballcourt.engine.games.tzolkin.tables import (
    BLOCK_NAMES,
    BUILDING_TILES,
    GEAR_NAMES,
    MONUMENT_TILES,
    TECH_NAMES,
    TEMPLE_NAMES,
)

KEEP: Final = 1  # + index in KEPT_PAIRS: two of the four wealth tiles, by place in the offer
BEG: Final = 7  # + temple
PLACE: Final = 10  # + gear
PLACE_START: Final = 15
PITY: Final = 16  # + gear
PICK: Final = 21  # + PICK_STRIDE * gear + space
USE: Final = 64  # + action - 1
NONE: Final = 73
HARVEST_CORN: Final = 74
HARVEST_WOOD: Final = 75
BURN: Final = 76  # + temple
TILELESS: Final = 79
LEARN: Final = 80  # + technology
PAY: Final = 84  # + index in PAYMENTS
CLIMB: Final = 103  # + temple
CLIMB_TWO: Final = 106  # + index in TEMPLE_PAIRS
TAKE: Final = 109  # + kind of block
SELL: Final = 112  # + kind
BUY: Final = 115  # + kind
GO: Final = 118  # + GO_STRIDE * gear + action - 1
OFFER: Final = 137  # + 3 * kind + temple
STOP: Final = 146
END: Final = 147
ADVANCE: Final = 148  # + days - 1
MONUMENT: Final = 150  # + monument - 1
BUILD: Final = 163  # + building - 1
BUILD_WITH_TRACK: Final = 195  # + building - 1: using the architecture track
WAIVE: Final = 227  # + index in WAIVERS: using the track and leaving out one block of the price

PICK_STRIDE: Final = 8
GO_STRIDE: Final = 5

KEPT_PAIRS: Final[tuple[tuple[int, int], ...]] = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
TEMPLE_PAIRS: Final[tuple[tuple[int, int], ...]] = ((0, 1), (0, 2), (1, 2))

PAYMENTS: Final = tuple(
    (wood, stone, size - wood - stone)
    for size in (1, 2, 3)
    for wood in range(size, -1, -1)
    for stone in range(size - wood, -1, -1)
)
"""Every (wood, stone, gold) of one, two or three blocks."""
PAYMENTS_FROM: Final[tuple[int, ...]] = (0, 0, 3, 9, 19)
"""PAYMENTS[PAYMENTS_FROM[n] : PAYMENTS_FROM[n + 1]] are those of n blocks."""

WAIVERS: Final = tuple(
    (building, kind)
    for building, (_, cost, _) in enumerate(BUILDING_TILES)
    for kind in range(len(BLOCK_NAMES))
    if cost[kind]
)
WAIVE_ACTION: Final = {pair: WAIVE + index for index, pair in enumerate(WAIVERS)}
ACTIONS: Final = WAIVE + len(WAIVERS)


def _names() -> tuple[str, ...]:
    gears = [name.upper() for name in GEAR_NAMES]
    temples = [name.upper() for name in TEMPLE_NAMES]
    kinds = [name.upper() for name in BLOCK_NAMES]
    buildings = range(1, len(BUILDING_TILES))
    return (
        "UNSPECIFIED",
        *(f"KEEP_{first + 1}_{second + 1}" for first, second in KEPT_PAIRS),
        *(f"BEG_{temple}" for temple in temples),
        *(f"PLACE_{gear}" for gear in gears),
        "PLACE_START",
        *(f"PITY_{gear}" for gear in gears),
        *(f"PICK_{gear}_{space}" for gear in gears[:-1] for space in range(PICK_STRIDE)),
        *(f"PICK_{gears[-1]}_{space}" for space in range(11)),
        *(f"USE_{action}" for action in range(1, 10)),
        "NONE",
        "HARVEST_CORN",
        "HARVEST_WOOD",
        *(f"BURN_{temple}" for temple in temples),
        "TILELESS",
        *(f"LEARN_{tech.upper()}" for tech in TECH_NAMES),
        *("PAY_" + "_".join(kinds[kind] for kind in range(3) for _ in range(paid[kind])) for paid in PAYMENTS),
        *(f"CLIMB_{temple}" for temple in temples),
        *(f"CLIMB_{temples[first]}_{temples[second]}" for first, second in TEMPLE_PAIRS),
        *(f"TAKE_{kind}" for kind in kinds),
        *(f"SELL_{kind}" for kind in kinds),
        *(f"BUY_{kind}" for kind in kinds),
        *(f"GO_{gears[gear]}_{action}" for gear in range(4) for action in range(1, 5 if gear == 3 else 6)),
        *(f"OFFER_{kind}_{temple}" for kind in kinds for temple in temples),
        "STOP",
        "END",
        "ADVANCE_1",
        "ADVANCE_2",
        *(f"MONUMENT_{monument}" for monument in range(1, len(MONUMENT_TILES))),
        *(f"BUILD_{building}" for building in buildings),
        *(f"BUILD_{building}_WITH_TRACK" for building in buildings),
        *(f"BUILD_{building}_WAIVING_{kinds[kind]}" for building, kind in WAIVERS),
    )


ACTION_NAMES: Final = _names()
