"""Payments for tiles, with discounts and the stand-ins of the Market (RULES §7.6, §7.10, §7.11)."""

from functools import cache
from itertools import combinations
from typing import Final, TypeAlias

from ballcourt.engine.core.bits import mask
from ballcourt.engine.games.ahau.actions import PAY, PAYMENTS
from ballcourt.engine.games.ahau.columns import COLOURS, DISCOUNTS, MASTER_BUILDER, RESOURCES, STAND_INS, WILD
from ballcourt.engine.games.ahau.pieces.people import owned, plays
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import BUILDING_COLOURS, MARKET, MARKET_STAND_INS, MASTER_BUILDS

TOKENS: Final = tuple(tuple(paid.count(colour) for colour in range(COLOURS)) for paid in PAYMENTS)
"""By payment: the number of tokens of each colour."""
PAID: Final = tuple(mask(paid) for paid in PAYMENTS)
"""By payment: the set of its colours."""
Prices: TypeAlias = tuple[tuple[int, tuple[int, ...], int], ...]
"""Ways to pay: the PAY action, the tokens of each colour, and how many of them stand for another colour."""


@cache
def pyramid_prices(colour: int, level: int, discount: int, stand_ins: int) -> Prices:
    """List the ways to pay for a pyramid tile: as many colours as the level, including its own (§7.6)."""
    size = max(0, level - discount)
    needed = [
        colours for colours in combinations(range(COLOURS), size) if discount or colour == WILD or colour in colours
    ]
    return _prices(size, needed, stand_ins)


@cache
def building_prices(kind: int, discount: int, stand_ins: int) -> Prices:
    """List the ways to pay for a building; a discount drops any of the printed colours (§7.7, §7.10)."""
    printed = BUILDING_COLOURS[kind]
    size = max(0, len(printed) - discount)
    return _prices(size, list(combinations(printed, size)), stand_ins)


def _prices(size: int, needed: list[tuple[int, ...]], stand_ins: int) -> Prices:
    """List the payments of a size that at most `stand_ins` turn into a needed one, with the fewest that do."""
    sets = [mask(colours) for colours in needed]
    found = []
    for index, paid in enumerate(PAYMENTS):
        if len(paid) == size:
            foreign = min([(colours & ~PAID[index]).bit_count() for colours in sets])
            if foreign <= stand_ins:
                found.append((PAY + index, TOKENS[index], foreign))
    return tuple(found)


def affordable(row: list[int], prices: Prices) -> list[int]:
    """List the PAY actions that an actor has the tokens for."""
    yellow, blue, black, brown, white = row[RESOURCES : RESOURCES + COLOURS]
    return [
        action
        for action, (a, b, c, d, e), _ in prices
        if a <= yellow and b <= blue and c <= black and d <= brown and e <= white
    ]


def savings(state: AhauState, seat: int) -> tuple[int, int]:
    """Return what makes the next tile or building cheaper: the discount, and how many tokens may stand in."""
    return master_discount(state.actors[seat]), stand_ins_left(state, seat)


def stand_ins_left(state: AhauState, seat: int) -> int:
    """Return how many more tokens may stand for another colour in this build step (R-15).

    A Market that was used and then replaced leaves none.
    """
    markets = owned(state, seat, MARKET)
    return max(0, MARKET_STAND_INS * markets - state.table[STAND_INS]) if markets else 0


def master_discount(row: list[int]) -> int:
    """Return the Master Builder's discount: 1 on each of the first two tiles paid in a round (R-13)."""
    return int(plays(row, MASTER_BUILDER) and row[DISCOUNTS] < MASTER_BUILDS)


def pay_tokens(state: AhauState, seat: int, prices: Prices, action: int) -> None:
    """Pay the tokens of a PAY action and record the stand-ins and the discount used."""
    row = state.changing(seat)
    for price, tokens, foreign in prices:
        if price == action:
            for colour, count in enumerate(tokens):
                row[RESOURCES + colour] -= count
            state.table[STAND_INS] += foreign
    row[DISCOUNTS] += master_discount(row)
