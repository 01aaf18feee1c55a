"""Summoning a god: strength, colours, the marker at its Temple (RULES §5.4)."""

from typing import ClassVar, Final

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau.actions import COLOUR, ENOUGH, GIVE, NO_SUMMON, SUMMON
from ballcourt.engine.games.ahau.gods import powers, trade
from ballcourt.engine.games.ahau.pieces.people import plays
from ballcourt.engine.games.ahau.pieces.supply import discard_tiles
from ballcourt.engine.games.ahau.pieces.temples import has_marker, put_marker
from ballcourt.engine.games.ahau.rounds.trading import Windowed
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import TILE_COLOUR, TILE_GOD

ALL_COLOURS: Final = (1 << at.COLOURS) - 1
POWERS: Final = {
    at.CHIEF: powers.use_chief,
    at.RAIN: powers.use_rain,
    at.TRADE: trade.use_trade,
    at.SUN: powers.use_sun,
    at.JAGUAR: powers.use_jaguar,
}


def built_tiles(row: list[int], god: int) -> tuple[int, int]:
    """Return the number of built tiles with the god, and the set of their colours."""
    count = colours = 0
    for space, tile in enumerate(row[at.PYRAMID : at.PYRAMID + at.SPACES]):
        if TILE_GOD[tile] == god:  # an empty space has no god
            count += 1
            colours |= 1 << row[at.PAINT + space]
    return count, colours


def colours_of(tiles: list[int]) -> int:
    """Return the set of colours that the tiles can count as."""
    colours = 0
    for tile in tiles:
        colours |= ALL_COLOURS if TILE_COLOUR[tile] == at.WILD else 1 << TILE_COLOUR[tile]
    return colours


def discardable(state: AhauState, actor: int, god: int) -> list[int]:
    """List the reserve tiles that can be discarded for a god; none in Ahau Family (§14.2)."""
    if state.table[at.MODE] == at.FAMILY:
        return []
    return [tile for tile in state.reserve(actor) if TILE_GOD[tile] == god]


def power_possible(state: AhauState, actor: int, god: int, colours: int) -> bool:
    """Return whether the power of a god can be used with a set of colours (§5.4)."""
    if state.table[at.MODE] == at.FAMILY:
        return True
    if god == at.RAIN:
        return powers.rain_possible(state, colours)
    if god == at.JAGUAR:
        return powers.jaguar_possible(state, actor, colours)
    return True


def can_summon(state: AhauState, actor: int, god: int) -> bool:
    """Return whether a god can be summoned at all; the High Priestess also needs a tile (R-21)."""
    built, colours = built_tiles(state.actors[actor], god)
    tiles = discardable(state, actor, god)
    return (built > 0 or len(tiles) > 0) and power_possible(state, actor, god, colours | colours_of(tiles))


class Summon(Windowed):
    """Which god to summon: the god of the city used, or any with the High Priestess (§5.4, §13.3)."""

    kind: ClassVar[int] = 50

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        if plays(state.actors[seat], at.HIGH_PRIESTESS):
            return [*[SUMMON + god for god in range(at.GODS) if can_summon(state, seat, god)], NO_SUMMON]
        god = state.gods[state.table[at.TURN_CITY]]
        return [SUMMON + god, NO_SUMMON] if can_summon(state, seat, god) else [NO_SUMMON]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        if action != NO_SUMMON:
            begin_summoning(state, seat, action - SUMMON)


def begin_summoning(state: AhauState, seat: int, god: int) -> None:
    """Summon a god; ask for discards first if the seat has any."""
    state.table[at.SUMMONED] |= 1 << god
    if discardable(state, seat, god):
        state.then(Discards(seat, god, built_tiles(state.actors[seat], god)[1]))
    else:
        complete_summoning(state, seat, god, built_tiles(state.actors[seat], god)[1], [])


class Discards(Frame[AhauState]):
    """Which reserve tiles to discard for a summoning, one by one in ascending order (§5.4, R-57).

    `colours` is the set of colours used so far. The chosen `tiles` stay in the reserve until the choice is complete.
    """

    kind: ClassVar[int] = 51
    fields: ClassVar[tuple[str, ...]] = ("seat", "god", "colours", "tiles")
    god: int
    colours: int
    tiles: tuple[int, ...]

    def __init__(self, seat: int, god: int, colours: int, *tiles: int) -> None:
        super().__init__(seat)
        self.god = god
        self.colours = colours
        self.tiles = tiles

    def row(self) -> list[int]:
        return [self.seat, self.god, self.colours, *self.tiles]

    def later(self, state: AhauState, seat: int) -> list[int]:
        """List the tiles after the last one chosen."""
        last = self.tiles[-1] if self.tiles else 0
        return [tile for tile in discardable(state, seat, self.god) if tile > last]

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List the tiles after the last one that keep the power possible, and to stop if it is possible now."""
        left = self.later(state, seat)
        options = [
            GIVE + tile - 1
            for place, tile in enumerate(left)
            if power_possible(state, seat, self.god, self.colours | colours_of(left[place:]))
        ]
        built = built_tiles(state.actors[seat], self.god)[0]
        if built + len(self.tiles) and power_possible(state, seat, self.god, self.colours):
            options.append(ENOUGH)
        return options

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Add the tile, after asking for the colour of a wild one, or summon with the tiles chosen."""
        if action == ENOUGH:
            complete_summoning(state, seat, self.god, self.colours, list(self.tiles))
            return
        tile = action - GIVE + 1
        if TILE_COLOUR[tile] == at.WILD:
            state.then(WildDiscard(seat, self.god, self.colours, *self.tiles, tile))
        else:
            state.then(Discards(seat, self.god, self.colours | 1 << TILE_COLOUR[tile], *self.tiles, tile))


class WildDiscard(Discards):
    """Which colour the wild tile chosen last counts as (§5.4)."""

    kind: ClassVar[int] = 52

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List the colours that keep the power possible."""
        colours = self.colours | colours_of(self.later(state, seat))
        return [
            COLOUR + colour
            for colour in range(at.COLOURS)
            if power_possible(state, seat, self.god, colours | 1 << colour)
        ]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Record the colour and ask for more tiles."""
        state.then(Discards(seat, self.god, self.colours | 1 << (action - COLOUR), *self.tiles))


def complete_summoning(state: AhauState, seat: int, god: int, colours: int, discards: list[int]) -> None:
    """Discard the tiles, put the marker, use the power (§5.4, R-08)."""
    row = state.actors[seat]
    built = built_tiles(row, god)[0]
    strength = built + len(discards) + plays(row, at.HIGH_PRIESTESS)
    discard_tiles(state, seat, discards)
    if built and not has_marker(state, seat, god):
        put_marker(state, seat, god)
    POWERS[god](state, seat, strength, colours)
