"""The powers of the Chief, Rain, Sun and Jaguar gods (RULES §6, in Ahau Family §14.2e)."""

from typing import ClassVar, Final

from ballcourt.engine.core.bits import members
from ballcourt.engine.games.ahau import actions as act
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau.pieces.people import lay_down, sites_of, stand_up, standing_cities, to_pool, touches
from ballcourt.engine.games.ahau.pieces.supply import (
    add_tile,
    can_draw,
    draw_tile,
    draw_to_reserve,
    fill_bag,
    take_tile_at,
    tile_at,
)
from ballcourt.engine.games.ahau.rewards import GainResource, MightAdvance, take_back
from ballcourt.engine.games.ahau.rounds.produce import deplete
from ballcourt.engine.games.ahau.rounds.trading import Windowed
from ballcourt.engine.games.ahau.sources import JAGUAR
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import SITE_COLOUR, TILE_COLOUR

FAMILY_DRAWS: Final = 2
"""How many tiles the Chief God draws per strength in Ahau Family."""


def use_chief(state: AhauState, seat: int, strength: int, colours: int) -> None:
    """Take tiles (§6.1); in Ahau Family draw them (§14.2)."""
    if state.table[at.MODE] == at.FAMILY:
        draw_to_reserve(state, seat, FAMILY_DRAWS * strength)
    else:
        state.then(ChiefColour(seat, strength, colours))


def rain_possible(state: AhauState, colours: int) -> bool:
    """Return whether a site on the map has one of the colours used (§6.2)."""
    return bool(sites_of(state, colours))


def use_rain(state: AhauState, seat: int, strength: int, colours: int) -> None:
    """Deplete a site for its resources (§6.2); in Ahau Family gain the colours of drawn tiles (§14.2, R-64)."""
    if state.table[at.MODE] != at.FAMILY:
        state.then(RainSite(seat, strength, colours))
        return
    drawn = [tile for tile in [draw_tile(state) for _ in range(strength)] if tile]
    if drawn:
        fill_bag(state, drawn)
    for tile in drawn:
        if TILE_COLOUR[tile] == at.WILD:
            state.then(GainResource(seat))
        else:
            state.changing(seat)[at.RESOURCES + TILE_COLOUR[tile]] += 1


def use_sun(state: AhauState, seat: int, strength: int, colours: int) -> None:
    """Take cards back, then offer to lay down a worker (§6.4); Ahau Family only takes cards back (§14.2)."""
    state.then(SunTake(seat, strength), *([] if state.table[at.MODE] == at.FAMILY else [SunLay(seat, colours)]))


def jaguar_possible(state: AhauState, actor: int, colours: int) -> bool:
    """Return whether a worker can be removed or stood up (§6.5, R-10, R-44)."""
    row = state.actors[actor]
    if any(row[at.LYING : at.LYING + at.CITIES]):
        return True
    return any(touches(state, city, colours) for city in standing_cities(row))


def use_jaguar(state: AhauState, seat: int, strength: int, colours: int) -> None:
    """Give up a worker for Fame (§6.5); in Ahau Family just gain the Fame (§14.2)."""
    if state.table[at.MODE] == at.FAMILY:
        state.gain_fame(seat, strength, JAGUAR)
    else:
        state.then(JaguarWorker(seat, strength, colours))


class Strong(Windowed):
    """A question of a god's power, with the strength left and the set of colours used."""

    fields: ClassVar[tuple[str, ...]] = ("seat", "left", "colours")
    left: int
    colours: int

    def __init__(self, seat: int, left: int, colours: int) -> None:
        super().__init__(seat)
        self.left = left
        self.colours = colours


class ChiefColour(Strong):
    """Which of the colours used the Chief God's tiles may have (§6.1)."""

    kind: ClassVar[int] = 60

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        return [act.COLOUR + colour for colour in members(self.colours)]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        state.then(ChiefStep(seat, self.left, action - act.COLOUR))


class ChiefStep(Strong):
    """Which tile to take: of the colour, wild, or from the bag (§6.1); `colours` is the one colour."""

    kind: ClassVar[int] = 61

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List the matching tiles of all regions, and to draw; the rest lapses if there are none."""
        options = []
        for spot in range(at.REGIONS * at.POSITIONS):
            tile = tile_at(state, spot // at.POSITIONS + 1, spot % at.POSITIONS)
            if tile and TILE_COLOUR[tile] in (self.colours, at.WILD):
                options.append(act.TAKE + spot)
        if can_draw(state):
            options.append(act.DRAW)
        return options

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Take or draw a tile, then ask again while strength is left."""
        if action == act.DRAW:
            add_tile(state, seat, draw_tile(state))
        else:
            spot = action - act.TAKE
            add_tile(state, seat, take_tile_at(state, spot // at.POSITIONS + 1, spot % at.POSITIONS))
        if self.left > 1:
            state.then(ChiefStep(seat, self.left - 1, self.colours))


class RainSite(Strong):
    """Which site the Rain God depletes (§6.2)."""

    kind: ClassVar[int] = 62

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        return [act.RAIN_SITE + link for link in sites_of(state, self.colours)]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Deplete the site and gain as many of its resources as the strength."""
        site = deplete(state, action - act.RAIN_SITE)
        state.changing(seat)[at.RESOURCES + SITE_COLOUR[site]] += self.left


class SunTake(Windowed):
    """Which card the Sun God takes back (§6.4)."""

    kind: ClassVar[int] = 63
    fields: ClassVar[tuple[str, ...]] = ("seat", "left")
    left: int

    def __init__(self, seat: int, left: int) -> None:
        super().__init__(seat)
        self.left = left

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        row = state.actors[seat]
        return [*[act.CARD_BACK + card - 1 for card in members(row[at.PLAYED] | row[at.DISCARD])], act.NO_CARD_BACK]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Take the card; ask again while strength and cards last."""
        if action == act.NO_CARD_BACK:
            return
        row = state.changing(seat)
        take_back(row, action - act.CARD_BACK + 1)
        if self.left > 1 and row[at.PLAYED] | row[at.DISCARD]:
            state.then(SunTake(seat, self.left - 1))


class SunLay(Windowed):
    """Whether to lay down a worker that touches a site of a colour used (§6.4)."""

    kind: ClassVar[int] = 64
    fields: ClassVar[tuple[str, ...]] = ("seat", "colours")
    colours: int

    def __init__(self, seat: int, colours: int) -> None:
        super().__init__(seat)
        self.colours = colours

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List the cities with such a worker, and none."""
        cities = standing_cities(state.actors[seat])
        return [*[act.LAY_DOWN + city for city in cities if touches(state, city, self.colours)], act.NO_LAY_DOWN]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        if action != act.NO_LAY_DOWN:
            lay_down(state.changing(seat), action - act.LAY_DOWN)


class JaguarWorker(Strong):
    """Which worker returns to the pool or stands up (§6.5, R-10, R-44)."""

    kind: ClassVar[int] = 65

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List the standing workers that touch a site of a colour used, and lying workers anywhere."""
        row = state.actors[seat]
        removable = [city for city in standing_cities(row) if touches(state, city, self.colours)]
        lying = [city for city in range(at.CITIES) if row[at.LYING + city]]
        return [*[act.JAGUAR_REMOVE + city for city in removable], *[act.JAGUAR_STAND + city for city in lying]]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Move the worker, gain Fame and offer to advance on Might."""
        row = state.changing(seat)
        if action >= act.JAGUAR_STAND:
            stand_up(row, action - act.JAGUAR_STAND)
        else:
            to_pool(row, action - act.JAGUAR_REMOVE)
        state.gain_fame(seat, self.left, JAGUAR)
        state.then(MightAdvance(seat))
