"""Planner's values of Maya positions at the end of a turn, in points ahead of the others.

The prices are set once a turn, from what lies on the board and how many tiles are left; a position of that turn is
then valued by what has changed since. Points on the track count in full. The rest are guesses: the growth of groups,
the points of open cities, and the value of a tile in hand.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from operator import add
from typing import Final

from ballcourt.engine.games.maya import actions, board, cities, columns, tables
from ballcourt.engine.games.maya.columns import CITY, CROPS, KINDS, PLANTATION, VALUES, WILD
from ballcourt.engine.games.maya.state import MayaState

# -- the race: it ends when a player has no tiles left
WIN: Final = 50.0  # what it is worth, beyond the lead, to have beaten all others at the end

# -- growing groups
GROWTH: Final = 0.35  # share of the predicted growth that comes true
RACK_TILE: Final = 0.8  # how likely a tile on the rack will be planted
SUPPLY_TILE: Final = 0.2  # and one that has to be drawn first
CROPS_A_TILE: Final = 1.25
ROOM: Final = (0.0, 0.55, 0.75, 0.87, 0.95, 1.0)  # share of a group's worth by the empty cells around it
HAND: Final = 1.0  # a tile on the rack, beyond the growth it promises

# -- open cities
CITIES: Final = 1.2  # weight of the predicted points; more than 1 plays better
CITY_GROWTH: Final = 0.25  # tiles that a city still gains, by empty cells around it
CLOSING: Final = 0.5  # share of the cells around a city that are filled only by chance
UNDECIDED: Final = 0.5  # crops that players may still add, by empty cells around the city
SHARPNESS: Final = (0.0, 0.0, 3.5, 3.0, 2.5)  # by seats: how much more likely the larger share takes a place
MOST_FILLED: Final = 0.95


@dataclass(frozen=True, slots=True)
class Group:
    """Connected plantations of one seat and crop."""

    crop: int
    crops: int
    cells: frozenset[int]
    room: frozenset[int]
    """The empty cells around it."""


def is_follow_up(legal: list[int]) -> bool:
    """Return whether a question is about an action already chosen: which tile, where, but not whether to plant more."""
    return legal[0] >= actions.TILE and legal[-1] != actions.STOP


def ends_turn(action: int) -> bool:
    """Return False: after the last action of a turn another seat is asked."""
    return False


def fingerprint(state: MayaState, seat: int) -> Hashable:
    """Return board, tiles in hand and question: the order of planting makes no difference."""
    question = state.frame_rows()[-1:]
    return (*state.cells, *state.racks[seat], state.held, *(part for row in question for part in row))


def appraiser(state: MayaState, seat: int) -> Callable[[MayaState], float]:
    """Return a function that values the positions of a turn that begins here."""
    return Appraiser(state, seat).value


class Appraiser:
    """The prices of one turn of one seat."""

    def __init__(self, state: MayaState, seat: int) -> None:
        self.seat = seat
        self.weights = [1.0 if other == seat else -1 / (state.seats - 1) for other in range(state.seats)]
        self.cells = state.cells[:]
        self.rack = by_crop(state.racks[seat])
        self.placed = len(state.hidden[seat])
        self.left = min(player[columns.RACK] + player[columns.SUPPLY] for player in state.players)
        empty = len([content for content in self.cells if WILD <= content < PLANTATION])
        self.filling = min(MOST_FILLED, self.left * state.seats / max(1, empty))
        face_down = by_crop([state.hidden[seat].count(kind) for kind in range(KINDS)])
        self.unseen = shares(unseen(state, seat, [*map(add, self.rack, face_down)]))
        self.groups = [groups_of(self.cells, other) for other in range(state.seats)]
        self.plantings = [self.plantings_of(state, other) for other in range(state.seats)]
        self.growths = [growth(*pair) for pair in zip(self.groups, self.plantings, strict=True)]
        self.cities = [self.city(state, temple) for temple in range(tables.TEMPLES)]

    def value(self, state: MayaState) -> float:
        """Value a position for the seat; an unfinished planting counts as stopped here."""
        if state.planted:
            state = state.clone()
            state.apply(state.pending_seats()[0], actions.STOP)
        lead = sum(weight * score for weight, score in zip(self.weights, state.scores(), strict=True))
        if not state.frames:
            return lead + WIN * state.returns()[self.seat]
        laid = [
            cell
            for cell, (now, before) in enumerate(zip(state.cells, self.cells, strict=True))
            if now != before and now >= PLANTATION
        ]
        return lead + self.hand_and_groups(state, laid) + CITIES * self.open_cities(state, laid)

    def hand_and_groups(self, state: MayaState, laid: list[int]) -> float:
        """Price the rack, and the growth of all seats' groups after the cells of this turn were taken."""
        taken = frozenset(laid)
        planted = [cell for cell in laid if state.cells[cell] < CITY]
        worth = 0.0
        for seat, groups in enumerate(self.groups):
            if seat == self.seat:
                now = after_planting(state.cells, groups, planted, taken)
                growing = growth(now, self.own_plantings(state, planted))
            elif any(not taken.isdisjoint(group.room) for group in groups):
                growing = growth([crowded(group, taken) for group in groups], self.plantings[seat])
            else:
                growing = self.growths[seat]
            worth += self.weights[seat] * growing
        return GROWTH * worth + HAND * state.players[self.seat][columns.RACK]

    def own_plantings(self, state: MayaState, planted: list[int]) -> list[float]:
        """Predict the seat's plantings by crop from the tiles kept; tiles just drawn count like those of the supply."""
        rack = self.rack[:]
        for cell in planted:
            rack[crop_of(state.cells[cell])] -= 1
        if len(state.hidden[self.seat]) > self.placed and any(rack):
            rack[state.hidden[self.seat][-1] // VALUES] -= 1
        player = state.players[self.seat]
        drawn = player[columns.RACK] - sum(rack)
        return self.predicted(rack, drawn, player[columns.SUPPLY], self.unseen)

    def plantings_of(self, state: MayaState, seat: int) -> list[float]:
        """Predict the plantings by crop of another seat, whose rack is unknown."""
        none = [0] * CROPS
        player = state.players[seat]
        return self.predicted(none, player[columns.RACK], player[columns.SUPPLY], shares(unseen(state, seat, none)))

    def predicted(self, rack: list[int], drawn: int, supply: int, unseen: list[float]) -> list[float]:
        """Divide the remaining turns among the crops of known tiles, unknown tiles on the rack, and the supply."""
        tiles = [
            RACK_TILE * (known + drawn * share) + SUPPLY_TILE * supply * share
            for known, share in zip(rack, unseen, strict=True)
        ]
        most = min(1.0, self.left / max(1.0, sum(tiles)))
        return [most * count for count in tiles]

    def open_cities(self, state: MayaState, laid: list[int]) -> float:
        """Price the open cities; cities not touched since the turn began keep their value."""
        touched: set[int] = set()
        for cell in laid:
            touched.update(cities_at(state.cells, cell))
        return sum(
            self.city(state, temple) if temple in touched else before for temple, before in enumerate(self.cities)
        )

    def city(self, state: MayaState, temple: int) -> float:
        """Return the lead that an open city is expected to give, 0 for a city that has been scored or has not begun."""
        size, empty = state.cities[columns.SIZE + temple], state.cities[columns.EDGE + temple]
        if not size or not empty:
            return 0.0
        first, second = points_for(size + CITY_GROWTH * empty)
        sharpness = SHARPNESS[state.seats]
        odds = [(crops + UNDECIDED * empty) ** sharpness for crops in cities.crops_around(state, temple)]
        closing: float = self.filling ** (CLOSING * empty)
        return closing * sum(
            weight * (first * wins + second * follows)
            for weight, wins, follows in zip(self.weights, *places(odds), strict=True)
        )


def by_crop(kinds: Iterable[int]) -> list[int]:
    """Add up counts by kind to counts by crop."""
    counts = list(kinds)
    return [sum(counts[VALUES * crop : VALUES * crop + VALUES]) for crop in range(CROPS)]


def crop_of(content: int) -> int:
    """Return the crop of a plantation."""
    return (content - PLANTATION) % KINDS // VALUES


def crops_of(content: int) -> int:
    """Return how many crops a plantation has."""
    return 1 + (content - PLANTATION) % VALUES


def unseen(state: MayaState, seat: int, known: list[int]) -> list[int]:
    """Count by crop the tiles of a seat that lie neither face up nor among the known ones."""
    counts = [count - have for count, have in zip(by_crop(tables.MIX), known, strict=True)]
    for content in state.cells:
        if PLANTATION <= content < CITY and (content - PLANTATION) // KINDS == seat:
            counts[crop_of(content)] -= 1
    return counts


def shares(counts: list[int]) -> list[float]:
    """Return the share of each count in all."""
    return [count / max(1, sum(counts)) for count in counts]


def groups_of(cells: list[int], seat: int) -> list[Group]:
    """Find the groups of a seat."""
    groups: list[Group] = []
    met: set[int] = set()
    for cell, content in enumerate(cells):
        if PLANTATION <= content < CITY and (content - PLANTATION) // KINDS == seat and cell not in met:
            group = group_at(cells, cell)
            met |= group.cells
            groups.append(group)
    return groups


def group_at(cells: list[int], cell: int) -> Group:
    """Describe the group that a plantation belongs to."""
    members = board.group_of(cells, cell)
    crops = sum(crops_of(cells[member]) for member in members)
    room = frozenset(board.empty_around(cells, members))
    return Group(crop_of(cells[cell]), crops, frozenset(members), room)


def after_planting(cells: list[int], groups: list[Group], planted: list[int], taken: frozenset[int]) -> list[Group]:
    """Return the groups of a seat after its turn: what it has planted is in one of them."""
    if not planted:
        return [crowded(group, taken) for group in groups]
    grown = group_at(cells, planted[0])
    return [grown, *(crowded(group, taken) for group in groups if group.cells.isdisjoint(grown.cells))]


def crowded(group: Group, taken: frozenset[int]) -> Group:
    """Return a group after cells have been taken."""
    if taken.isdisjoint(group.room):
        return group
    return Group(group.crop, group.crops, group.cells, group.room - taken)


def growth(groups: list[Group], plantings: list[float]) -> float:
    """Return the points of some plantings by crop, one tile in a turn, each in the best group of its crop."""
    best = [0.0] * CROPS
    for group in groups:
        base = group.crops * ROOM[min(len(group.room), len(ROOM) - 1)]
        best[group.crop] = max(best[group.crop], base)
    return sum(
        count * base + CROPS_A_TILE * count * (count + 1) / 2 for base, count in zip(best, plantings, strict=True)
    )


def cities_at(cells: list[int], cell: int) -> list[int]:
    """List the temples of the cities that a new tile is part of or adjacent to."""
    content = cells[cell]
    return [content - CITY] if content >= CITY else board.cities_beside(cells, cell)


def points_for(size: float) -> tuple[float, float]:
    """Return first and second place for a city of a fractional size, by interpolation."""
    points = tables.CITY_POINTS
    below = min(int(size), len(points) - 1)
    above = min(below + 1, len(points) - 1)
    part = size - below
    first, second = (low + part * (high - low) for low, high in zip(points[below], points[above], strict=True))
    return first, second


def places(odds: list[float]) -> tuple[list[float], list[float]]:
    """Return every seat's probabilities to be first and to be second, from the odds of being first."""
    total = sum(odds)
    if not total:
        return odds, odds
    first = [odd / total for odd in odds]
    second = [
        sum(
            wins * odd / (total - winner)
            for other, (wins, winner) in enumerate(zip(first, odds, strict=True))
            if other != seat and total > winner
        )
        for seat, odd in enumerate(odds)
    ]
    return first, second
