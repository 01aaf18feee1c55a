"""Trading and the Queen: what a window adds to a question of the active player (RULES §9, §13.6)."""

from functools import lru_cache

from engine.core.frames import Frame
from engine.games.ahau import columns
from engine.games.ahau.actions import (
    COLOUR_PAIRS,
    QUEEN,
    TILE_TRADE,
    TILE_TRADES,
    TRADE_RESOURCES,
    TRADE_TILES,
)
from engine.games.ahau.columns import COLOURS, QUEEN_USED, RESOURCES, TURN, WILD
from engine.games.ahau.people import lay_down, plays, standing_cities
from engine.games.ahau.state import AhauState
from engine.games.ahau.supply import discard_tiles
from engine.games.ahau.tables import TILE_COLOUR

TRADE_RATE = 2


def resource_trades(row: list[int]) -> list[int]:
    """List the trades of two resources of a colour for one of another (§9.1); four actions for each colour given."""
    found: list[int] = []
    for give in range(COLOURS):
        if row[RESOURCES + give] >= TRADE_RATE:
            first = TRADE_RESOURCES + (COLOURS - 1) * give
            found += range(first, first + COLOURS - 1)
    return found


@lru_cache(maxsize=1 << 14)
def _tile_trades(reserve: tuple[int, ...]) -> tuple[int, ...]:
    trades = []
    for place, first in enumerate(reserve):
        for second in reserve[place + 1 :]:
            one, other = TILE_COLOUR[first], TILE_COLOUR[second]
            if one == other == WILD:
                trades += [TRADE_TILES + TILE_TRADE[first, second, colour] for colour in range(COLOURS)]
            elif one == other or WILD in (one, other):
                trades.append(TRADE_TILES + TILE_TRADE[first, second, min(one, other)])
    return tuple(sorted(trades))


def tile_trades(reserve: list[int]) -> list[int]:
    """List the trades of two tiles, each of a colour or wild, for a resource of it (§9.2)."""
    return list(_tile_trades(tuple(reserve)))


def trades(state: AhauState, seat: int) -> list[int]:
    """List everything a seat can trade; every trade leaves it with less (§9.4)."""
    return [*resource_trades(state.actors[seat]), *tile_trades(state.reserves[seat])]


def queen_uses(state: AhauState, seat: int) -> list[int]:
    """List what the Queen can do for a seat: pay a resource, lay a worker down, once in the round (§13.6)."""
    row = state.actors[seat]
    if row[QUEEN_USED] or not plays(row, columns.QUEEN):
        return []
    paid = [colour for colour in range(COLOURS) if row[RESOURCES + colour]]
    return [QUEEN + COLOURS * city + colour for city in standing_cities(row) for colour in paid]


def use_queen(state: AhauState, seat: int, action: int) -> None:
    """Pay the Queen's resource and lay the worker down."""
    row = state.actors[seat]
    city, colour = divmod(action - QUEEN, COLOURS)
    row[QUEEN_USED] = 1
    row[RESOURCES + colour] -= 1
    lay_down(row, city)


def trade(state: AhauState, seat: int, action: int) -> list[int]:
    """Carry a trade out; return the two tiles of a tile trade, which the caller puts away."""
    row = state.actors[seat]
    if action < TRADE_TILES:
        give, get = COLOUR_PAIRS[action - TRADE_RESOURCES]
        row[RESOURCES + give] -= TRADE_RATE
        row[RESOURCES + get] += 1
        return []
    first, second, colour = TILE_TRADES[action - TRADE_TILES]
    row[RESOURCES + colour] += 1
    return [first, second]


def use_window(state: AhauState, seat: int, action: int) -> None:
    """Carry out a trade or the Queen."""
    if action < TRADE_RESOURCES:
        use_queen(state, seat, action)
    else:
        discard_tiles(state, seat, trade(state, seat, action))


class Windowed(Frame[AhauState]):
    """A question that also lets the player whose turn runs trade or use the Queen; then it is asked again (§9.3, R-16).

    A subclass writes `choices` and `decide` instead of `options` and `answer`. Without choices it lapses (R-42).
    """

    def choices(self, state: AhauState, seat: int) -> list[int]:
        """List the answers proper, ascending; none lets the question lapse."""
        raise NotImplementedError

    def decide(self, state: AhauState, seat: int, action: int) -> None:
        """Carry out one of the choices."""
        raise NotImplementedError

    def options(self, state: AhauState, seat: int) -> list[int]:
        """The choices, and in the own turn what the window adds."""
        choices = self.choices(state, seat)
        if not choices or state.table[TURN] != seat:
            return choices
        return [*choices, *queen_uses(state, seat), *trades(state, seat)]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Decide, or use the window and ask again."""
        if action < QUEEN:
            self.decide(state, seat, action)
        else:
            use_window(state, seat, action)
            state.then(self)
