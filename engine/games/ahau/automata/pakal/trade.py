"""King Pakal's moves with the God of Trade: completing a region or making majorities (RULES §15.8)."""

from itertools import combinations_with_replacement, permutations
from typing import Final, TypeAlias

from ballcourt.engine.games.ahau.automata.pakal.goods import (
    HUMAN,
    PAKAL,
    gain_resources,
    missing,
    pieces,
    place_building,
    workers_of_both,
)
from ballcourt.engine.games.ahau.automata.shadow import ranks
from ballcourt.engine.games.ahau.columns import CITIES, RULER, SIDE_A, STANDING
from ballcourt.engine.games.ahau.pieces.people import cities_of, count_in, standing_cities, without_worker
from ballcourt.engine.games.ahau.pieces.supply import building_in, take_building_in
from ballcourt.engine.games.ahau.sources import MAJORITIES
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import ADJACENT_CITIES

Plan: TypeAlias = list[tuple[int, int]]
"""The workers to move, each as a pair of cities: from, to."""


def _distances() -> tuple[tuple[int, ...], ...]:
    """Return the distance in links between every two cities on side a of the board."""
    far = CITIES
    table = [[0 if one == other else far for other in range(CITIES)] for one in range(CITIES)]
    for city, near in enumerate(ADJACENT_CITIES[SIDE_A]):
        for other in near:
            table[city][other] = 1
    for via in range(CITIES):
        for one in range(CITIES):
            for other in range(CITIES):
                table[one][other] = min(table[one][other], table[one][via] + table[via][other])
    return tuple(tuple(row) for row in table)


DISTANCE: Final = _distances()


def move_workers(state: AhauState, strength: int) -> None:
    """Complete the region for its building and gain resources for unused strength, or make majorities and gain Fame."""
    row = state.changing(PAKAL)
    plan = completion(state, strength) if building_in(state, row[RULER]) else None
    if plan is None:
        state.gain_fame(PAKAL, make_majorities(state, strength), MAJORITIES)
        return
    _move(row, plan)
    gain_resources(state, strength - plan_length(plan))
    place_building(state, take_building_in(state, row[RULER]))


def plan_length(plan: Plan) -> int:
    """Return how many single moves a plan takes."""
    return sum([DISTANCE[source][goal] for source, goal in plan])


def _move(row: list[int], plan: Plan) -> None:
    for source, goal in plan:
        row[STANDING + source] -= 1
        row[STANDING + goal] += 1


def completion(state: AhauState, strength: int) -> Plan | None:
    """Return the shortest plan that puts a worker into every city of his region; None if it is too long (R-28)."""
    row = state.actors[PAKAL]
    region = cities_of(state, row[RULER])
    empty = without_worker(row, region)
    if len(empty) > strength:
        return None
    spare = [_spare(row, city, city in region) for city in range(CITIES)]
    sources = [city for city in range(CITIES) if spare[city] > 0]
    plans = []
    for chosen in combinations_with_replacement(sources, len(empty)):
        if any(chosen.count(city) > spare[city] for city in chosen):
            continue
        plan = min([list(zip(order, empty, strict=True)) for order in permutations(chosen)], key=plan_length)
        length = plan_length(plan)
        if length <= strength:
            abandoned = sum([chosen.count(city) == pieces(row, city) for city in set(chosen)])
            plans.append(((length, abandoned, chosen), plan))
    return min(plans)[1] if plans else None


def _spare(row: list[int], city: int, needed: bool) -> int:
    """Return how many standing workers may leave a city; one must stay in a city of his region."""
    return min(row[STANDING + city], pieces(row, city) - needed)


def make_majorities(state: AhauState, strength: int) -> int:
    """Move workers from secure cities to make majorities; return the strength left (R-29, R-50)."""
    while plan := _majority_plan(state, strength):
        _move(state.changing(PAKAL), plan)
        strength -= plan_length(plan)
    return strength


def _majority_plan(state: AhauState, strength: int) -> Plan:
    """Return the moves that win a city: fewest workers missing; ties: fewest workers there, rank, topmost."""
    sources = _departures(state, strength)
    if not sources:
        return []
    lacking = [missing(state, goal) for goal in range(CITIES)]
    goals = [goal for goal in range(CITIES) if 0 < lacking[goal] <= len(sources)]
    plans = [[(source, goal) for source in sources[: lacking[goal]]] for goal in goals]

    def key(plan: Plan) -> tuple[int, int, int, int]:
        goal = plan[0][1]
        return len(plan), workers_of_both(state, goal), ranks(state)[state.gods[goal]], goal

    return min([plan for plan in plans if plan_length(plan) <= strength], key=key, default=[])


def _departures(state: AhauState, most: int) -> list[int]:
    """List the cities that workers would leave one by one, each the best source at that moment.

    They do not depend on the goal, which is never a source: it is not his yet.
    """
    row, human = state.actors[PAKAL][:], state.actors[HUMAN]
    departures: list[int] = []
    while len(departures) < most:
        sources = [city for city in standing_cities(row) if _secure(row, human, city)]
        if not sources:
            break
        source = min([_source_order(state, row, city) for city in sources])[-1]
        departures.append(source)
        row[STANDING + source] -= 1
    return departures


def _secure(row: list[int], human: list[int], city: int) -> bool:
    """Return whether a standing worker can leave a city without losing his majority to the human."""
    return pieces(row, city) > 1 and count_in(row, city) > count_in(human, city)


def _source_order(state: AhauState, row: list[int], city: int) -> tuple[int, int, int, int]:
    """Return a sort key for the sources: the largest margin, fewest workers, rank, topmost."""
    own, other = count_in(row, city), count_in(state.actors[HUMAN], city)
    return other - own, own + other, ranks(state)[state.gods[city]], city
