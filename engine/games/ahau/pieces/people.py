"""Workers on the map, what an actor owns and which Roles it plays (RULES §1.7, §12, §13)."""

from typing import Final

from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import BUILDING_KIND, LINK_CITIES, REGION_CITIES, ROYAL_PALACE, SITE_COLOUR

TOUCHING: Final = tuple(
    tuple(link for link in range(len(LINK_CITIES)) if city in LINK_CITIES[link]) for city in range(at.CITIES)
)
"""By city: the links that end there."""


def count_in(row: list[int], city: int) -> int:
    """Return an actor's worker count in a city; a lying worker counts twice (§1.7)."""
    return row[at.STANDING + city] + 2 * row[at.LYING + city]


def counts(row: list[int]) -> list[int]:
    """Return an actor's worker counts by city."""
    return [
        standing + 2 * lying
        for standing, lying in zip(row[at.STANDING : at.LYING], row[at.LYING : at.RESOURCES], strict=True)
    ]


def cities_of(state: AhauState, region: int) -> tuple[int, ...]:
    """Return the cities that border a region (§1.6)."""
    return REGION_CITIES[state.table[at.SIDE]][region]


def covers(state: AhauState, actor: int, region: int) -> bool:
    """Return whether an actor has a worker in every city that borders a region."""
    return not without_worker(state.actors[actor], cities_of(state, region))


def without_worker(row: list[int], cities: tuple[int, ...]) -> list[int]:
    """List those of some cities where an actor has no worker."""
    return [city for city in cities if not (row[at.STANDING + city] or row[at.LYING + city])]


def standing_cities(row: list[int]) -> list[int]:
    """List the cities where an actor has a standing worker."""
    return [city for city, workers in enumerate(row[at.STANDING : at.STANDING + at.CITIES]) if workers]


def lay_down(row: list[int], city: int) -> None:
    """Lay a standing worker down."""
    row[at.STANDING + city] -= 1
    row[at.LYING + city] += 1


def stand_up(row: list[int], city: int) -> None:
    """Stand a lying worker up."""
    row[at.STANDING + city] += 1
    row[at.LYING + city] -= 1


def to_pool(row: list[int], city: int) -> None:
    """Return a standing worker to the pool."""
    row[at.STANDING + city] -= 1
    row[at.POOL] += 1


def touches(state: AhauState, city: int, colours: int) -> bool:
    """Return whether a city touches a site of a colour in the set."""
    for link in TOUCHING[city]:
        site = state.sites[link]
        if site and colours >> SITE_COLOUR[site] & 1:
            return True
    return False


def sites_of(state: AhauState, colours: int) -> list[int]:
    """List the links that hold a site of a colour in the set."""
    return [link for link, site in enumerate(state.sites) if site and colours >> SITE_COLOUR[site] & 1]


def owned(state: AhauState, actor: int, kind: int) -> int:
    """Count an actor's buildings of a kind (§12.9); of King Pakal's only the printed one counts (R-33)."""
    if actor == state.seats and state.table[at.MODE] == at.SOLO:
        return int(kind == ROYAL_PALACE and state.table[at.SOLO_NIGHT])
    row = state.actors[actor]
    count = 0
    space = at.BUILDINGS
    while space < at.BUILDINGS + at.BUILDING_SPACES and row[space]:  # the spaces are filled from the left
        if BUILDING_KIND[row[space]] == kind:
            count += 1
        space += 1
    return count


def number(card: int) -> int:
    """Return the number on a card."""
    return card - at.ROLE if card > at.ROLE else card


def plays(row: list[int], card: int) -> bool:
    """Return whether a card was played this round (§13.4); taking it back does not end its ability (R-09)."""
    return row[at.LEFT] == card or row[at.RIGHT] == card


def hand(state: AhauState, seat: int) -> int:
    """Return the set of cards that a seat can select (§1.4, §13.1), including any already selected this round."""
    row = state.actors[seat]
    cards = at.REGION_CARDS | (1 << state.roles[seat] if state.roles[seat] else 0)
    return cards & ~(row[at.PLAYED] | row[at.DISCARD])


def stuck(state: AhauState, cards: int) -> bool:
    """Return whether a hand is two cards numbered 6 on side a, which has no region 6 (§4.1, §5.6)."""
    return state.table[at.SIDE] == at.SIDE_A and cards == 1 << at.ROLE | 1 << at.DANCER


def resources(row: list[int]) -> int:
    """Count an actor's resources; the supply is unlimited (R-35)."""
    return sum(row[at.RESOURCES : at.RESOURCES + at.COLOURS])
