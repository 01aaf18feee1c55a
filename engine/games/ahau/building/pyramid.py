"""Building pyramid tiles (RULES §7.5, §7.6)."""

from typing import ClassVar

from ballcourt.engine.core.frames import ActorStep, Frame
from ballcourt.engine.games.ahau import sources
from ballcourt.engine.games.ahau.actions import AT, COLOUR, PAY, PAYMENTS
from ballcourt.engine.games.ahau.building.payments import Prices, affordable, pay_tokens, pyramid_prices, savings
from ballcourt.engine.games.ahau.columns import BUILT, COLOURS, END_TRIGGERED, NIGHT, PAINT, PYRAMID, SPACES, WILD
from ballcourt.engine.games.ahau.pieces.people import owned
from ballcourt.engine.games.ahau.pieces.supply import drop_tile
from ballcourt.engine.games.ahau.rewards import give_reward
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import (
    BELOW,
    NEIGHBOURS,
    PYRAMID_REWARDS,
    ROYAL_MONUMENT,
    SPACE_LEVEL,
    TILE_COLOUR,
    TILE_GOD,
    TOP_SPACE,
)


def open_spaces(row: list[int]) -> list[int]:
    """List the pyramid spaces that are empty and supported."""
    built = row[PYRAMID : PYRAMID + SPACES]
    return [
        space
        for space, below in enumerate(BELOW)
        if not built[space] and (not below or (built[below[0]] and built[below[1]]))
    ]


def payable_tiles(state: AhauState, seat: int, discount: int, stand_ins: int) -> list[int]:
    """List the reserve tiles that the seat can pay for on the lowest open level, which costs least."""
    row, reserve = state.actors[seat], state.reserve(seat)
    built = row[PYRAMID : PYRAMID + SPACES]
    if 0 not in built:
        return []
    level = SPACE_LEVEL[built.index(0)]
    colours = {TILE_COLOUR[tile] for tile in reserve}
    payable = {colour for colour in colours if affordable(row, pyramid_prices(colour, level, discount, stand_ins))}
    return [tile for tile in reserve if TILE_COLOUR[tile] in payable]


class BuildAt(Frame[AhauState]):
    """On which space to build a pyramid tile (§7.6)."""

    kind: ClassVar[int] = 77
    fields: ClassVar[tuple[str, ...]] = ("seat", "tile")
    tile: int

    def __init__(self, seat: int, tile: int) -> None:
        super().__init__(seat)
        self.tile = tile

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List the open spaces that the seat can pay for."""
        row = state.actors[seat]
        colour = TILE_COLOUR[self.tile]
        discount, stand_ins = savings(state, seat)
        return [
            AT + space
            for space in open_spaces(row)
            if affordable(row, pyramid_prices(colour, SPACE_LEVEL[space], discount, stand_ins))
        ]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        state.then(PayForTile(seat, self.tile, action - AT))


class OfTile(Frame[AhauState]):
    """A question about a pyramid tile to be built on a space."""

    fields: ClassVar[tuple[str, ...]] = ("seat", "tile", "space")
    tile: int
    space: int

    def __init__(self, seat: int, tile: int, space: int) -> None:
        super().__init__(seat)
        self.tile = tile
        self.space = space


class PayForTile(OfTile):
    """Which tokens to pay for a pyramid tile (§7.6)."""

    kind: ClassVar[int] = 71

    def prices(self, state: AhauState, seat: int) -> Prices:
        """List the ways to pay."""
        return pyramid_prices(TILE_COLOUR[self.tile], SPACE_LEVEL[self.space], *savings(state, seat))

    def options(self, state: AhauState, seat: int) -> list[int]:
        return affordable(state.actors[seat], self.prices(state, seat))

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Pay, then build the tile or ask for the colour of a wild one."""
        pay_tokens(state, seat, self.prices(state, seat), action)
        state.table[BUILT] += 1
        if TILE_COLOUR[self.tile] == WILD:
            state.then(PaintWild(seat, self.tile, self.space, action - PAY))
        else:
            build_tile(state, seat, self.tile, self.space, TILE_COLOUR[self.tile])


class PaintWild(OfTile):
    """Which colour a wild tile takes: that of a token paid, or any if none was paid (§7.6, R-14)."""

    kind: ClassVar[int] = 72
    fields: ClassVar[tuple[str, ...]] = ("seat", "tile", "space", "payment")
    payment: int

    def __init__(self, seat: int, tile: int, space: int, payment: int) -> None:
        super().__init__(seat, tile, space)
        self.payment = payment

    def options(self, state: AhauState, seat: int) -> list[int]:
        colours = sorted(set(PAYMENTS[self.payment])) or range(COLOURS)
        return [COLOUR + colour for colour in colours]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        build_tile(state, seat, self.tile, self.space, action - COLOUR)


def build_tile(state: AhauState, seat: int, tile: int, space: int, colour: int) -> None:
    """Place a tile and queue the reward of the space, then the Fame for its neighbours (§7.6, R-62)."""
    row = state.changing(seat)
    drop_tile(state, seat, tile)
    row[PYRAMID + space] = tile
    row[PAINT + space] = colour
    if space == TOP_SPACE:
        state.table[END_TRIGGERED] = 1
    state.then(Adjacency(seat, space))
    give_reward(state, seat, PYRAMID_REWARDS[state.table[NIGHT]][space], sources.PYRAMID)


def neighbours_of(row: list[int], space: int) -> tuple[list[int], list[int]]:
    """Return the gods and the colours of the tiles built on the spaces next to a space."""
    gods, colours = [], []
    for neighbour in NEIGHBOURS[space]:
        tile = row[PYRAMID + neighbour]
        if tile:
            gods.append(TILE_GOD[tile])
            colours.append(row[PAINT + neighbour])
    return gods, colours


def shared_traits(row: list[int], space: int, god: int, colour: int) -> int:
    """Count the neighbours of the same god plus the neighbours of the same colour."""
    gods, colours = neighbours_of(row, space)
    return gods.count(god) + colours.count(colour)


class Adjacency(ActorStep[AhauState]):
    """Fame for the traits that a new tile shares with its neighbours; Royal Monuments add to it (§7.6, §12.6)."""

    kind: ClassVar[int] = 73
    fields: ClassVar[tuple[str, ...]] = ("actor", "space")
    space: int

    def __init__(self, actor: int, space: int) -> None:
        super().__init__(actor)
        self.space = space

    def run(self, state: AhauState) -> None:
        row = state.actors[self.actor]
        common = shared_traits(row, self.space, TILE_GOD[row[PYRAMID + self.space]], row[PAINT + self.space])
        state.gain_fame(self.actor, common * (1 + owned(state, self.actor, ROYAL_MONUMENT)), sources.NEIGHBOURS)
