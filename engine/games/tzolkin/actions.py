"""The action space: one int per thing a seat can answer, with its name.

An action is a base plus an offset, e.g. PLACE + gear. The names, prefixed with TZOLKIN_ACTION_, are the values of
the enum TzolkinAction in the protocol; action 0 is unspecified and never legal.
"""

from collections.abc import Iterable, Sequence
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


def _each(action: str, details: Iterable[object]) -> list[str]:
    return [f"{action}_{detail}" for detail in details]


def _of_workers(gears: Sequence[str], temples: Sequence[str]) -> list[str]:
    """Name what is done with workers, from the draft to the use of a space."""
    return [
        *_each("KEEP", (f"{first + 1}_{second + 1}" for first, second in KEPT_PAIRS)),
        *_each("BEG", temples),
        *_each("PLACE", (*gears, "START")),
        *_each("PITY", gears),
        *_each("PICK", (f"{gear}_{space}" for gear in gears[:-1] for space in range(PICK_STRIDE))),
        *_each(f"PICK_{gears[-1]}", range(11)),
        *_each("USE", range(1, 10)),
    ]


def _of_goods(gears: Sequence[str], temples: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """Name what is done with blocks, corn, technologies and temples."""
    harvested = ["HARVEST_CORN", "HARVEST_WOOD", *_each("BURN", temples), "TILELESS"]
    paid = ("_".join(kinds[kind] for kind in range(3) for _ in range(count[kind])) for count in PAYMENTS)
    climbed = [*temples, *(f"{temples[first]}_{temples[second]}" for first, second in TEMPLE_PAIRS)]
    traded = [name for action in ("TAKE", "SELL", "BUY") for name in _each(action, kinds)]
    used = [name for gear in range(4) for name in _each(gears[gear], range(1, 5 if gear == 3 else 6))]
    offered = (f"{kind}_{temple}" for kind in kinds for temple in temples)
    learned = _each("LEARN", (tech.upper() for tech in TECH_NAMES))
    gained = [*learned, *_each("PAY", paid), *_each("CLIMB", climbed)]
    return [*harvested, *gained, *traded, *_each("GO", used), *_each("OFFER", offered)]


def _of_buildings(kinds: Sequence[str]) -> list[str]:
    """Name what is built, and how."""
    built = _each("BUILD", range(1, len(BUILDING_TILES)))
    waived = [f"BUILD_{building}_WAIVING_{kinds[kind]}" for building, kind in WAIVERS]
    return [
        *_each("MONUMENT", range(1, len(MONUMENT_TILES))),
        *built,
        *(f"{name}_WITH_TRACK" for name in built),
        *waived,
    ]


def _names() -> tuple[str, ...]:
    gears, temples, kinds = ([name.upper() for name in names] for names in (GEAR_NAMES, TEMPLE_NAMES, BLOCK_NAMES))
    goods = _of_goods(gears, temples, kinds)
    end = ("STOP", "END", "ADVANCE_1", "ADVANCE_2")
    return ("UNSPECIFIED", *_of_workers(gears, temples), "NONE", *goods, *end, *_of_buildings(kinds))


ACTION_NAMES: Final = _names()
