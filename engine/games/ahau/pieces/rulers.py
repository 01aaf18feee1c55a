"""Rulers: their strength in conflicts, where they can flee, where they let workers be placed (RULES §4.3, §5.3)."""

from ballcourt.engine.games.ahau.columns import (
    END_TRIGGERED,
    LOST,
    POOL,
    RIGHT,
    RULER,
    SIDE,
    STANDING,
    TURN_CITY,
    WEAPONS,
)
from ballcourt.engine.games.ahau.pieces.people import cities_of, number, owned
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import ADJACENT_REGIONS, CITY_WALLS, REGION_COUNT, ROYAL_PALACE


def conflict_strength(row: list[int]) -> int:
    """Return the strength of an actor in a conflict: its right card plus its weapons."""
    return number(row[RIGHT]) + row[WEAPONS]


def ranked(state: AhauState, involved: list[int]) -> list[int]:
    """Order the actors of a conflict, winner first: by strength, Royal Palace (§12.7), Might (§4.3)."""
    return sorted(
        involved,
        key=lambda actor: (
            conflict_strength(state.actors[actor]),
            owned(state, actor, ROYAL_PALACE),
            state.might.index(actor),
        ),
        reverse=True,
    )


def refuges(state: AhauState, actor: int) -> list[int]:
    """List where a loser can go: adjacent regions without a ruler, or else any region without one (§4.3)."""
    side = state.table[SIDE]
    held = {row[RULER] for row in state.actors}
    adjacent = [region for region in ADJACENT_REGIONS[side][state.actors[actor][RULER]] if region not in held]
    return adjacent or [region for region in range(1, REGION_COUNT[side] + 1) if region not in held]


def placement_cities(state: AhauState, actor: int) -> list[int]:
    """List the cities where an actor may place a worker (§5.3)."""
    row = state.actors[actor]
    if not row[POOL]:
        return []
    cities = list(cities_of(state, row[RULER]))
    if row[LOST] and not owned(state, actor, CITY_WALLS):
        barred = cities_of(state, row[LOST])
        return [city for city in cities if city not in barred]
    return cities


def place_worker(state: AhauState, actor: int, city: int) -> None:
    """Place a worker from the pool; the last one irrevocably triggers the end (§5.3, §3.2, R-04)."""
    row = state.changing(actor)
    row[POOL] -= 1
    row[STANDING + city] += 1
    state.table[TURN_CITY] = city
    if not row[POOL]:
        state.table[END_TRIGGERED] = 1
