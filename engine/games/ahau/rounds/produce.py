"""Producing at a site (RULES §7.1 to §7.4)."""

from typing import ClassVar, Final

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.ahau.actions import ENOUGH, PRODUCE_AT, PRODUCE_FOR
from ballcourt.engine.games.ahau.columns import KATUN_TRIGGERED, LINKS, MERCHANT, MODE, RESOURCES, SOLO, TURN_CITY
from ballcourt.engine.games.ahau.pieces.people import TOUCHING, count_in, owned, plays
from ballcourt.engine.games.ahau.rewards import GainResource
from ballcourt.engine.games.ahau.rounds.trading import Windowed
from ballcourt.engine.games.ahau.state import AhauState, replaced
from ballcourt.engine.games.ahau.tables import (
    CALENDAR_SPACES,
    FARM_YIELD,
    LINK_CITIES,
    MERCHANT_YIELD,
    PRODUCE_MARKET,
    RAISED_BED_FARM,
    SITE_COLOUR,
)

ALL_LINKS: Final = tuple(range(LINKS))


def count_at(row: list[int], link: int) -> int:
    """Return the worker count of an actor in the two cities of a link."""
    first, second = LINK_CITIES[link]
    return count_in(row, first) + count_in(row, second)


def sites(state: AhauState, actor: int) -> list[int]:
    """List the links at the city used where an actor can produce (§7.1); a worker in the city suffices for all."""
    city, on_map = state.table[TURN_CITY], state.sites
    if count_in(state.actors[actor], city):
        return [link for link in TOUCHING[city] if on_map[link]]
    return _with_workers(state, actor, TOUCHING[city])


def sites_in_reach(state: AhauState, seat: int) -> list[int]:
    """List the links where a seat can produce: those at the city used; with the Merchant all (§7.2, R-11)."""
    return _with_workers(state, seat, ALL_LINKS) if plays(state.actors[seat], MERCHANT) else sites(state, seat)


def _with_workers(state: AhauState, actor: int, links: tuple[int, ...]) -> list[int]:
    row, on_map = state.actors[actor], state.sites
    return [link for link in links if on_map[link] and count_at(row, link)]


def deplete(state: AhauState, link: int) -> int:
    """Move the site of a link to the calendar; a full calendar triggers the celebration (§7.4). Return the site."""
    site = state.sites[link]
    state.sites = replaced(state.sites, link, 0)
    state.calendar = [*state.calendar, site]
    players = 2 if state.table[MODE] == SOLO else state.seats
    if len(state.calendar) >= CALENDAR_SPACES[players]:
        state.table[KATUN_TRIGGERED] = 1
    return site


class ProduceAt(Windowed):
    """At which site to produce; extra yields are asked for afterwards (§7.1, R-59)."""

    kind: ClassVar[int] = 40

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        return [PRODUCE_AT + link for link in sites_in_reach(state, seat)]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Gain resources for the seat's workers; Produce Market, calendar and Merchant follow in this order (R-62)."""
        link = action - PRODUCE_AT
        row = state.changing(seat)
        gained = count_at(row, link) + FARM_YIELD * owned(state, seat, RAISED_BED_FARM)
        row[RESOURCES + SITE_COLOUR[state.sites[link]]] += gained
        extras = [GainResource(seat) for _ in range(MERCHANT_YIELD)] if plays(row, MERCHANT) else []
        markets = owned(state, seat, PRODUCE_MARKET)
        state.then(*([ProduceFor(seat, link, markets, 0)] if markets else []), Deplete(link), *extras)


class ProduceFor(Windowed):
    """Whose workers the Produce Market also counts (§7.1); `named` is the set of actors already counted."""

    kind: ClassVar[int] = 41
    fields: ClassVar[tuple[str, ...]] = ("seat", "link", "left", "named")
    link: int
    left: int
    named: int

    def __init__(self, seat: int, link: int, left: int, named: int) -> None:
        super().__init__(seat)
        self.link = link
        self.left = left
        self.named = named

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List the other actors with workers there that have not been counted, and NOBODY."""
        others = [
            PRODUCE_FOR + actor
            for actor, row in enumerate(state.actors)
            if actor != seat and not self.named >> actor & 1 and count_at(row, self.link)
        ]
        return [*others, ENOUGH]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Gain resources for these workers, then ask for the next Produce Market."""
        named = self.named
        if action != ENOUGH:
            actor = action - PRODUCE_FOR
            named |= 1 << actor
            colour = SITE_COLOUR[state.sites[self.link]]
            state.changing(seat)[RESOURCES + colour] += count_at(state.actors[actor], self.link)
        if self.left > 1:
            state.then(ProduceFor(seat, self.link, self.left - 1, named))


class Deplete(Frame[AhauState]):
    """The step that moves the site used to the calendar (§7.3)."""

    kind: ClassVar[int] = 42
    fields: ClassVar[tuple[str, ...]] = ("link",)
    link: int

    def __init__(self, link: int) -> None:
        super().__init__()
        self.link = link

    def run(self, state: AhauState) -> None:
        deplete(state, self.link)
