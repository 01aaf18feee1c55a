"""Trading windows: trades and the Queen, added to the questions of a player's turn (RULES §9, §13.6)."""

from typing import ClassVar, Final

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.ahau import columns
from ballcourt.engine.games.ahau.actions import COLOUR_PAIRS, GAIN, GIVE, QUEEN, TRADE_RESOURCES, TRADE_TILE
from ballcourt.engine.games.ahau.columns import COLOURS, QUEEN_USED, RESOURCES, TURN, WILD
from ballcourt.engine.games.ahau.pieces.people import lay_down, plays, standing_cities
from ballcourt.engine.games.ahau.pieces.supply import discard_tiles, to_bag
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import TILE_COLOUR

TRADE_RATE: Final = 2
TRADES_OF: Final = tuple(
    [TRADE_RESOURCES + index for index, pair in enumerate(COLOUR_PAIRS) if pair[0] == give] for give in range(COLOURS)
)
"""By colour given: the trades of two resources of this colour for one of another."""
FITTING: Final = (*(1 << colour | 1 << WILD for colour in range(COLOURS)), (1 << WILD + 1) - 1)
"""By colour of a tile: the set of colours it can be traded with; wilds match any colour (§9.2)."""

# where the tiles of a trade go
TO_DISCARDS: Final = 0
TO_BAG: Final = 1


def resource_trades(row: list[int]) -> list[int]:
    """List the trades of two resources of a colour for one of another (§9.1)."""
    found: list[int] = []
    for give, owned in enumerate(row[RESOURCES : RESOURCES + COLOURS]):
        if owned >= TRADE_RATE:
            found += TRADES_OF[give]
    return found


def partners(reserve: list[int], tile: int) -> list[int]:
    """List the tiles of a reserve with higher numbers that a tile can be traded with."""
    fitting = FITTING[TILE_COLOUR[tile]]
    return [other for other in reserve if other > tile and fitting >> TILE_COLOUR[other] & 1]


def tile_trades(reserve: list[int]) -> list[int]:
    """List the tiles that a trade can begin with; a pair begins with its lower number."""
    found = []
    behind = 0  # the set of colours of the tiles with higher numbers
    for tile in reserve[::-1]:
        colour = TILE_COLOUR[tile]
        if behind & FITTING[colour]:
            found.append(TRADE_TILE + tile - 1)
        behind |= 1 << colour
    found.reverse()
    return found


def window(state: AhauState, seat: int) -> list[int]:
    """List what a trading window offers: the Queen and trades. Each of them lowers what the seat holds (§9.4)."""
    row, reserve = state.actors[seat], state.reserve(seat)
    offered = resource_trades(row)
    if plays(row, columns.QUEEN):
        offered = queen_uses(row) + offered
    if len(reserve) > 1:
        offered += tile_trades(reserve)
    return offered


def queen_uses(row: list[int]) -> list[int]:
    """List the uses of the Queen: lay down a worker for a resource, once per round (§13.6)."""
    if row[QUEEN_USED] or not plays(row, columns.QUEEN):
        return []
    paid = [colour for colour in range(COLOURS) if row[RESOURCES + colour]]
    return [QUEEN + COLOURS * city + colour for city in standing_cities(row) for colour in paid]


def use_queen(state: AhauState, seat: int, action: int) -> None:
    """Pay the Queen's resource and lay the worker down."""
    row = state.changing(seat)
    city, colour = divmod(action - QUEEN, COLOURS)
    row[QUEEN_USED] = 1
    row[RESOURCES + colour] -= 1
    lay_down(row, city)


def trade_resources(row: list[int], action: int) -> None:
    """Carry out a trade of resources."""
    give, get = COLOUR_PAIRS[action - TRADE_RESOURCES]
    row[RESOURCES + give] -= TRADE_RATE
    row[RESOURCES + get] += 1


def trade_tiles(state: AhauState, seat: int, tiles: list[int], colour: int, goal: int) -> None:
    """Carry out a trade of tiles; `goal` is where they go."""
    state.changing(seat)[RESOURCES + colour] += 1
    if goal == TO_BAG:
        for tile in tiles:
            to_bag(state, seat, tile)
    else:
        discard_tiles(state, seat, tiles)


def use_window(state: AhauState, seat: int, action: int) -> None:
    """Trade, begin a trade of tiles, or use the Queen."""
    if action >= TRADE_TILE:
        state.frames.append(TradePartner(seat, action - TRADE_TILE + 1, TO_DISCARDS))
    elif action >= TRADE_RESOURCES:
        trade_resources(state.changing(seat), action)
    else:
        use_queen(state, seat, action)


class TradePartner(Frame[AhauState]):
    """Which second tile to trade; the trade cannot be cancelled any more (§9.2)."""

    kind: ClassVar[int] = 92
    fields: ClassVar[tuple[str, ...]] = ("seat", "tile", "goal")
    tile: int
    goal: int

    def __init__(self, seat: int, tile: int, goal: int) -> None:
        super().__init__(seat)
        self.tile = tile
        self.goal = goal

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List every matching tile with a higher number."""
        return [GIVE + other - 1 for other in partners(state.reserve(seat), self.tile)]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Trade, or ask for the colour of two wild tiles."""
        other = action - GIVE + 1
        colour = min(TILE_COLOUR[self.tile], TILE_COLOUR[other])
        if colour == WILD:
            state.then(TradeWilds(seat, self.tile, other, self.goal))
        else:
            trade_tiles(state, seat, [self.tile, other], colour, self.goal)


class TradeWilds(Frame[AhauState]):
    """Which colour of resource two wild tiles are traded for (§9.2)."""

    kind: ClassVar[int] = 93
    fields: ClassVar[tuple[str, ...]] = ("seat", "first", "second", "goal")
    first: int
    second: int
    goal: int

    def __init__(self, seat: int, first: int, second: int, goal: int) -> None:
        super().__init__(seat)
        self.first = first
        self.second = second
        self.goal = goal

    def options(self, state: AhauState, seat: int) -> list[int]:
        return [GAIN + colour for colour in range(COLOURS)]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        trade_tiles(state, seat, [self.first, self.second], action - GAIN, self.goal)


class Windowed(Frame[AhauState]):
    """A question with a trading window: the seat whose turn it is may trade or use the Queen first (§9.3, R-16).

    A subclass writes `own_options` and `own_answer`. A question without own options lapses (R-42).
    """

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List the answers to the question itself in a new list, ascending; with none the question lapses."""
        raise NotImplementedError

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Carry out one of the own options."""
        raise NotImplementedError

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List the own options and, during the turn of the seat, what the window adds."""
        own = self.own_options(state, seat)
        if own and state.table[TURN] == seat:
            own += window(state, seat)
        return own

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Carry out an own option, or use the window and ask again."""
        if action < QUEEN:
            self.own_answer(state, seat, action)
        else:
            state.frames.append(self)
            use_window(state, seat, action)
