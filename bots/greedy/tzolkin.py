"""Greedy's values of Tzolk'in positions, in victory points: all that is owned, at prices that fall towards the end."""

from typing import Final

from ballcourt.engine.games.tzolkin import actions, columns, tables
from ballcourt.engine.games.tzolkin.state import TzolkinState

LAST_DAY: Final = 27

# worth at the end, and how much more at the start
CORN: Final = (0.25, 0.3)
BLOCKS: Final = ((0.5, 0.6), (0.75, 0.9), (1.0, 1.2))  # wood, stone, gold
SKULL: Final = (3.0, 2.0)
TECHNOLOGY: Final = (0.0, 4.0)  # a level
WORKER: Final = (0.0, 8.0)
FREE_FOOD: Final = (0.0, 3.0)

# a worker's outlook on each space: Palenque, Yaxchilan, Tikal, Uxmal, Chichen Itza
OUTLOOK: Final[tuple[tuple[float, ...], ...]] = (  # of several lengths, which mypyc takes for unset
    (0.6, 1.2, 1.8, 2.4, 3.0, 3.5, 3.0, 0.0),
    (0.6, 1.0, 1.4, 1.9, 2.3, 2.8, 2.4, 0.0),
    (0.6, 1.2, 1.6, 2.2, 2.6, 2.6, 2.2, 0.0),
    (0.5, 0.9, 1.2, 2.0, 2.0, 2.2, 2.0, 0.0),
    (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.6, 1.4, 0.0),
)
IN_HAND: Final = 0.4

HUNGER: Final = 1.2  # for a corn that a Food Day of today would lack


def is_follow_up(legal: list[int]) -> bool:
    """Return whether a question is about an action already chosen, not about what to do next."""
    return legal[0] >= actions.USE and legal[0] not in (actions.END, actions.ADVANCE)


def value(state: TzolkinState, seat: int) -> float:
    """Price what the seat has, in victory points."""
    player = state.players[seat]
    day = state.table[columns.DAY]
    early = max(0, LAST_DAY - day) / LAST_DAY
    return (
        player[columns.VP] / columns.QUARTERS
        + goods(player, early)
        + temples(player, early)
        + price(TECHNOLOGY, early) * sum(player[columns.TECH : columns.TECH + columns.TECHS])
        + price(WORKER, early) * player[columns.WORKERS]
        + workers(state.slots, player, seat)
        - hunger(player, day)
    )


def price(worth: tuple[float, float], early: float) -> float:
    """Return a value between that at the start (early = 1) and that at the end (0)."""
    return worth[0] + worth[1] * early


def goods(player: list[int], early: float) -> float:
    """Price corn, blocks, skulls and the right to free food."""
    blocks = sum(price(BLOCKS[kind], early) * player[columns.WOOD + kind] for kind in range(columns.BLOCKS))
    food = player[columns.FREE_FOOD] + player[columns.FOOD_DISCOUNT] * player[columns.WORKERS] / 2
    worth = price(CORN, early) * player[columns.CORN] + price(SKULL, early) * player[columns.SKULLS]
    return worth + blocks + price(FREE_FOOD, early) * food


def temples(player: list[int], early: float) -> float:
    """Price the temple steps: their points at the ends of the remaining ages."""
    steps = player[columns.TEMPLE : columns.TEMPLE + columns.TEMPLES]
    points = sum(values[step] for values, step in zip(tables.TEMPLE_VP, steps, strict=True))
    return points * (2.0 if early > 0.5 else 1.0)


def workers(slots: list[int], player: list[int], seat: int) -> float:
    """Price the outlook of the workers on the gears and in hand."""
    outlook = IN_HAND * player[columns.HAND]
    for base, spaces in zip(tables.GEAR_BASE, OUTLOOK, strict=True):
        for space, worth in enumerate(spaces):
            if slots[base + space] == seat:
                outlook += worth
    return outlook


def hunger(player: list[int], day: int) -> float:
    """Price the corn that the next Food Day needs and the player lacks, more as it comes nearer."""
    days = min((food_day - day for food_day in tables.FOOD_DAY if food_day >= day), default=0)
    need = (player[columns.WORKERS] - player[columns.FREE_FOOD]) * (2 - player[columns.FOOD_DISCOUNT])
    lacking = max(0, need - player[columns.CORN])
    return HUNGER * lacking / (1 + days)
