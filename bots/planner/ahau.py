"""Planner's values of Ahau positions, in Fame ahead of the others, and its search of a turn.

Fame counts in full. Markers and majorities count for every celebration still expected. Everything else is a guess of
what it helps to gain, and fades as the rounds run out.
"""

from collections.abc import Callable, Hashable
from typing import Final

from ballcourt.engine.core.bits import members
from ballcourt.engine.games.ahau import actions, columns, tables
from ballcourt.engine.games.ahau.building.pyramid import neighbours_of, open_spaces
from ballcourt.engine.games.ahau.building.step import BuildNext
from ballcourt.engine.games.ahau.columns import CITIES, COLOURS, GODS, MARKER_SPACES, SPACES
from ballcourt.engine.games.ahau.movement.cards import SelectCards
from ballcourt.engine.games.ahau.movement.conflicts import Conflicts
from ballcourt.engine.games.ahau.movement.ending import MovementEnd
from ballcourt.engine.games.ahau.movement.tiles import TakeTiles
from ballcourt.engine.games.ahau.pieces import metrics, people
from ballcourt.engine.games.ahau.rounds.katun import KatunTrade
from ballcourt.engine.games.ahau.rounds.turn import Turn, Turns
from ballcourt.engine.games.ahau.state import AhauState

from .search import BUDGET, Plan, Step, TurnRules, TurnSearch

TO_COME: Final = frozenset([Conflicts.kind, TakeTiles.kind, MovementEnd.kind, Turns.kind])
"""Frames that wait until the Action turns of a round are lined up."""

# -- the end
WIN: Final = 40.0  # what it is worth, beyond the lead, to have beaten all others
FADING: Final = 4.0  # rounds before the end from which on things are worth less and less
DEPLETED: Final = 0.7  # sites that a player depletes in a round: what brings the next celebration

# -- celebrations
MARKER: Final = 1.0  # share of what a marker would score if the K'atun ended now
LATER_MARKER: Final = 1.0  # for each K'atun after this one, of a god that can be summoned with a built tile
MAJORITY: Final = 0.8  # share of what the cities would score

# -- things
RESOURCE: Final = (0.0, 1.1, 1.9, 2.5, 3.0, 3.4, 3.7, 4.0)  # by resources of one colour
TILE: Final = (0.0, 0.9, 1.7, 2.4, 3.0, 3.5, 3.9, 4.2, 4.4)  # by tiles in the reserve
FITS: Final = 0.35  # what a reserve tile would have in common with its neighbours
LEVEL: Final = (0.0, 1.6, 2.0, 2.0, 0.0)  # a built tile by level: it summons and carries others
LYING: Final = 0.9  # a worker that counts twice
CROWD: Final = 0.25  # a worker beyond the first in a city: it builds and produces more
WEAPON: Final = 0.5
STEP: Final = 0.8  # on Might
ROLE: Final = 1.5
CARD: Final = 0.15  # in hand
COVER: Final = (3.0, 1.2, 0.4, 0.1, 0.0, 0.0, 0.0)  # a region with a building, by cities still without a worker

BUILDING: Final = (2.0, 3.0, 1.0, 1.5, 2.0, 2.5, 2.5, 3.0, 6.0, 2.0, 2.5, 3.5, 2.5, 2.5, 3.5)
"""A building by kind, from Acropolis to Workshop, beyond what it has given already."""
SLOT: Final = (0.0, 0.5, 1.0, 1.8, 3.0, 3.0)  # by building spaces filled: the last ones pay best

# -- the search
WIDTH: Final = 8
SELECTION_WIDTH: Final = 3  # in the turn that each selection of cards would lead to


def appraiser(state: AhauState, seat: int) -> Callable[[AhauState], float]:
    """Return a function that values the positions of this turn for the seat."""
    return Appraiser(state, seat).value


def is_follow_up(legal: list[int]) -> bool:
    """Return whether a question is about an action already chosen; building and moving are actions of their own."""
    first = legal[0]
    if actions.MOVE_FROM <= first < actions.MOVE_TO or actions.BUILD_TILE <= first <= actions.STOP_BUILDING:
        return False
    if first in (actions.STOP_MOVING, actions.QUEEN_PASS, actions.KATUN_DONE):
        return False
    return first >= actions.PRODUCE_AT or actions.NO_SUMMON < first < actions.PRODUCE


def ends_turn(action: int) -> bool:
    """Return False: when a turn is over, others are asked."""
    return False


def fingerprint(state: AhauState, seat: int) -> Hashable:
    """Return what a seat owns, the board and the last questions."""
    asked = [(frame.kind, *frame.row()) for frame in state.frames[-3:]]
    return (
        tuple(state.actors[seat]),
        tuple(state.regions),
        tuple(state.temples),
        tuple(state.sites),
        tuple(state.offer),
        tuple(asked),
    )


class Search(TurnSearch[AhauState]):
    """A search of a turn of Ahau. Cards are selected by the value of the turn that follows."""

    def __init__(
        self,
        seat: int,
        rules: TurnRules[AhauState],
        value: Callable[[AhauState], float],
        width: int = WIDTH,
        budget: int = BUDGET,
    ) -> None:
        super().__init__(seat, rules, value, width, budget)

    def plans(self, state: AhauState) -> list[Plan[AhauState]]:
        """Return the complete plans that were found; for every selection of cards it is the best one."""
        if state.frames[-1].kind != SelectCards.kind:
            return super().plans(state)
        chosen = self.candidates(state, state.legal_actions(self._seat))
        share = self._budget // len(chosen)
        return [self.selected(state, action, share) for action in chosen]

    def selected(self, state: AhauState, action: int, budget: int) -> Plan[AhauState]:
        """Return the best plan that begins with a selection of cards."""
        after = state.clone()
        after.apply(self._seat, action)
        self.settle(after)
        first = Step(state, action)
        if self.is_over(after):
            return Plan((first,), after, self._value(after), complete=True)
        plan = Search(self._seat, self._rules, self._value, SELECTION_WIDTH, budget).best(after)
        return Plan((first, *plan.steps), plan.state, plan.worth, plan.complete)

    def prepare(self, state: AhauState) -> None:
        """Select the cards of the others."""
        for other in state.pending_seats():
            if other != self._seat:
                state.apply(other, stand_in(state, other))

    def settle(self, state: AhauState) -> None:
        """Play for the others until it is the seat's turn, or its turn is over."""
        while self._is_to_come(state):
            for other in state.pending_seats():
                state.apply(other, stand_in(state, other))

    def is_over(self, state: AhauState) -> bool:
        """Return whether the turn has ended: the next question is for another seat or of another round."""
        return self._seat not in state.pending_seats() or state.frames[-1].kind == SelectCards.kind

    def candidates(self, state: AhauState, legal: list[int]) -> list[int]:
        """Leave out what is seldom better, such as trading at any time."""
        first = legal[0]
        if actions.SELECT <= first < actions.CAPTAIN_STAY:
            return selections(legal)
        if actions.CARD_BACK <= first < actions.NO_CARD_BACK:
            return legal[-2:]
        if state.frames[-1].kind in (BuildNext.kind, KatunTrade.kind):
            return [action for action in legal if action < actions.TRADE_RESOURCES or useful(state, self._seat, action)]
        return [action for action in legal if action < actions.QUEEN] or legal

    def _is_to_come(self, state: AhauState) -> bool:
        if self._seat in state.pending_seats():
            return False
        return any(
            frame.kind in TO_COME or (isinstance(frame, Turn) and frame.actor == self._seat) for frame in state.frames
        )


QUIET: Final = frozenset((actions.NO_SUMMON, actions.PASS))


def stand_in(state: AhauState, seat: int) -> int:
    """Answer for another seat: cards by the random numbers of the sampled position, otherwise the smallest action."""
    legal = state.legal_actions(seat)
    if actions.SELECT <= legal[0] < actions.CAPTAIN_STAY:
        drawn = state.chance[0] >> 4 * seat
        return legal[drawn % len(legal)]
    return next((action for action in legal if action in QUIET), legal[0])


def selections(legal: list[int]) -> list[int]:
    """Choose for every left card the lowest and the highest right card."""
    by_left: dict[int, list[int]] = {}
    for action in legal:
        by_left.setdefault(actions.CARD_PAIRS[action - actions.SELECT][0], []).append(action)
    return sorted({action for pairs in by_left.values() for action in (pairs[0], pairs[-1])})


def useful(state: AhauState, seat: int, action: int) -> bool:
    """Return whether a trade gives a colour that the seat lacks, for tiles only if it has more than enough."""
    row = state.actors[seat]
    if action < actions.TRADE_TILE:
        _, get = actions.COLOUR_PAIRS[action - actions.TRADE_RESOURCES]
        return not row[columns.RESOURCES + get]
    colour = tables.TILE_COLOUR[action - actions.TRADE_TILE + 1]
    return len(state.reserve(seat)) > COLOURS and (colour == columns.WILD or not row[columns.RESOURCES + colour])


class Appraiser:
    """Values the positions of one turn."""

    def __init__(self, state: AhauState, seat: int) -> None:
        table = state.table
        solo = table[columns.MODE] == columns.SOLO
        self.seat = seat
        self.scorers = range(state.seats + solo)
        others = max(1, len(self.scorers) - 1)
        self.weights = [1.0 if actor == seat else -1 / others for actor in self.scorers]
        self.personal = table[columns.PERSONAL] or table[columns.MODE] == columns.FAMILY
        pools = [row[columns.POOL] for row in state.actors]
        self.rounds = 0 if table[columns.END_TRIGGERED] else min(pools)
        self.fade = min(1.0, self.rounds / FADING)
        players = max(2, state.seats)
        ahead = DEPLETED * players * self.rounds - tables.CALENDAR_SPACES[players] + len(state.calendar)
        later = max(0.0, ahead / tables.CALENDAR_SPACES[players]) + (self.rounds > 0)
        self.later = min(tables.KATUNS - table[columns.KATUN], later) if self.rounds else 0.0

    def value(self, state: AhauState) -> float:
        """Value a position for the seat."""
        fame = sum(
            weight * state.actors[actor][columns.FAME] for actor, weight in zip(self.scorers, self.weights, strict=True)
        )
        if not state.frames:
            return float(fame + WIN * state.returns()[self.seat])
        later = self.later_from(state)
        worth = fame + MARKER * self.markers(state) + MAJORITY * (1 + later) * self.majorities(state)
        return float(worth + later * self.symbols(state) + self.fade * self.holdings(state))

    def later_from(self, state: AhauState) -> float:
        """Return the number of celebrations expected after the next one."""
        return min(self.later, tables.KATUNS - state.table[columns.KATUN]) if self.later else 0.0

    def markers(self, state: AhauState) -> float:
        """Return the lead that the markers would score."""
        lead = 0.0
        for god in range(GODS):
            marks = [
                mark for mark in state.temples[MARKER_SPACES * god : MARKER_SPACES * (god + 1)] if mark in self.scorers
            ]
            if marks:
                values = [metrics.metric(state, actor, state.scoring[god]) for actor in self.scorers]
                best = max(values)
                lead += sum(self.weights[actor] * (values[actor] if self.personal else best) for actor in marks)
        return lead

    def majorities(self, state: AhauState) -> float:
        """Return the lead that the cities would score."""
        lead = 0.0
        for city in range(CITIES):
            counts = [people.count_in(row, city) for row in state.actors]
            highest = max(counts)
            if highest:
                leaders = [actor for actor, count in enumerate(counts) if count == highest]
                fame = tables.MAJORITY_FAME if len(leaders) == 1 else tables.TIE_FAME
                share = sum(self.weights[actor] for actor in leaders if actor in self.scorers)
                lead += fame * share
        return lead

    def symbols(self, state: AhauState) -> float:
        """Price the gods that can be summoned with built tiles in a later K'atun."""
        pyramid = state.actors[self.seat][columns.PYRAMID : columns.PYRAMID + SPACES]
        return LATER_MARKER * len({tables.TILE_GOD[tile] for tile in pyramid if tile})

    def holdings(self, state: AhauState) -> float:
        """Price what helps to gain Fame in the rounds to come."""
        row = state.actors[self.seat]
        reserve = state.reserve(self.seat)
        lying = row[columns.LYING : columns.LYING + CITIES]
        standing = row[columns.STANDING : columns.STANDING + CITIES]
        goods = row[columns.RESOURCES : columns.RESOURCES + COLOURS]
        pyramid = row[columns.PYRAMID : columns.PYRAMID + SPACES]
        return (
            sum(RESOURCE[min(count, len(RESOURCE) - 1)] for count in goods)
            + TILE[min(len(reserve), len(TILE) - 1)]
            + FITS * self.fits(row, reserve)
            + sum(LEVEL[tables.SPACE_LEVEL[space]] for space, tile in enumerate(pyramid) if tile)
            + LYING * sum(lying)
            + CROWD * sum(max(0, stood + 2 * lain - 1) for stood, lain in zip(standing, lying, strict=True))
            + WEAPON * row[columns.WEAPONS]
            + STEP * row[columns.STEP]
            + ROLE * bool(row[columns.ROLE_ORDER])
            + CARD * len(members(people.hand(state, self.seat)))
            + self.buildings(row)
            + self.covers(state)
        )

    def fits(self, row: list[int], reserve: list[int]) -> int:
        """Count what the reserve tiles would have in common with their neighbours, each on its best space."""
        neighbours = [neighbours_of(row, space) for space in open_spaces(row)]
        return sum(
            max(
                gods.count(tables.TILE_GOD[tile]) + colours.count(tables.TILE_COLOUR[tile])
                for gods, colours in neighbours
            )
            for tile in (reserve if neighbours else ())
        )

    def buildings(self, row: list[int]) -> float:
        """Price the buildings, and the building spaces filled."""
        owned = [
            building for building in row[columns.BUILDINGS : columns.BUILDINGS + columns.BUILDING_SPACES] if building
        ]
        return SLOT[len(owned)] + sum(BUILDING[tables.BUILDING_KIND[building]] for building in owned)

    def covers(self, state: AhauState) -> float:
        """Price the progress towards the free buildings of regions."""
        row = state.actors[self.seat]
        empty = {city for city in range(CITIES) if not people.count_in(row, city)}
        side = state.table[columns.SIDE]
        return sum(
            COVER[len(empty.intersection(tables.REGION_CITIES[side][region]))]
            for region in range(1, tables.REGION_COUNT[side] + 1)
            if state.regions[columns.REGION_COLUMNS * (region - 1) + columns.BUILDING]
        )
