"""The Movement Phase: cards, rulers, tiles (RULES §4)."""

from functools import cache
from typing import ClassVar

from ballcourt.engine.core.frames import EVERYBODY, Frame
from ballcourt.engine.games.ahau import automaton
from ballcourt.engine.games.ahau.actions import (
    CAPTAIN,
    CAPTAIN_STAY,
    CARD_PAIR,
    CARD_PAIRS,
    ENOUGH,
    QUEEN_PASS,
    SELECT,
    TAKE,
)
from ballcourt.engine.games.ahau.columns import (
    CELEBRATED,
    DISCOUNTS,
    FAME,
    LEFT,
    LOST,
    PLAYED,
    POSITIONS,
    QUEEN_USED,
    RIGHT,
    ROLE,
    ROLE_SEEN,
    ROUND,
    RULER,
    SIDE,
    WAR_CAPTAIN,
)
from ballcourt.engine.games.ahau.conflicts import Conflicts
from ballcourt.engine.games.ahau.people import cities_of, count_in, hand, members, number, owned, plays
from ballcourt.engine.games.ahau.state import AhauState, replaced
from ballcourt.engine.games.ahau.steps import Step
from ballcourt.engine.games.ahau.supply import add_tile, take_tile_at, tile_at
from ballcourt.engine.games.ahau.tables import (
    ACROPOLIS,
    ACROPOLIS_FAME,
    ADJACENT_REGIONS,
    GATEWAY,
    OBSERVATION_TOWER,
    REGION_COUNT,
)
from ballcourt.engine.games.ahau.trading import queen_uses, use_queen
from ballcourt.engine.games.ahau.turn import Turns, clear_turn


class RoundStart(Step):
    """Begin round after round until the match is over: clear the table, let everybody select cards (§3.1)."""

    kind: ClassVar[int] = 10

    def run(self, state: AhauState) -> None:
        """Begin a round and wait below it for the next one."""
        if state.table[CELEBRATED]:
            return
        for row in state.actors:
            row[LOST] = row[LEFT] = row[RIGHT] = row[QUEEN_USED] = row[DISCOUNTS] = 0
        clear_turn(state)
        state.table[ROUND] += 1
        state.then(SelectCards(), self)


@cache
def selections(cards: int, highest: int) -> list[int]:
    """List the ways to select two cards of a set, the number of the left one up to the highest region (§4.1)."""
    held = members(cards)
    return [
        SELECT + CARD_PAIR[left, right] for left in held if number(left) <= highest for right in held if left != right
    ]


class SelectCards(Frame[AhauState]):
    """Everybody secretly selects a destination and a strength; revealed together (§4.1, §4.2)."""

    kind: ClassVar[int] = 11

    def __init__(self) -> None:
        super().__init__(EVERYBODY)

    def row(self) -> list[int]:
        """Return the constructor's arguments: none."""
        return []

    def pending(self, state: AhauState) -> list[int]:
        """Whoever has not selected yet."""
        return [seat for seat in range(state.seats) if not state.answers[seat]]

    def options(self, state: AhauState, seat: int) -> list[int]:
        """Two different cards of the hand; the left one must have the number of a region."""
        return selections(hand(state, seat), REGION_COUNT[state.table[SIDE]])

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Note the selection; the last one reveals all, the Shadow before the War Captain (R-24)."""
        state.answers = replaced(state.answers, seat, action)
        if 0 in state.answers:
            state.then(self)
            return
        for owner in range(state.seats):
            reveal(state, owner, *CARD_PAIRS[state.answers[owner] - SELECT])
        state.answers = [0] * state.seats
        automaton.reveal(state)
        captains = [WarCaptain(seat) for seat in range(state.seats) if plays(state.actors[seat], WAR_CAPTAIN)]
        state.then(*captains, Conflicts(1), TakeTiles(), MovementEnd())


def reveal(state: AhauState, actor: int, left: int, right: int) -> None:
    """Lay an actor's two cards on the table and move its ruler."""
    row = state.actors[actor]
    row[LEFT] = left
    row[RIGHT] = right
    row[PLAYED] = 1 << left | 1 << right
    row[RULER] = number(left)
    if max(left, right) > ROLE:
        row[ROLE_SEEN] = max(left, right)


class WarCaptain(Frame[AhauState]):
    """Where the War Captain leads the ruler, before the conflicts (§13.5)."""

    kind: ClassVar[int] = 12

    def options(self, state: AhauState, seat: int) -> list[int]:
        """Nowhere, or an adjacent region."""
        adjacent = ADJACENT_REGIONS[state.table[SIDE]][state.actors[seat][RULER]]
        return [CAPTAIN_STAY, *[CAPTAIN + region - 1 for region in adjacent]]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Move the ruler."""
        if action != CAPTAIN_STAY:
            state.actors[seat][RULER] = action - CAPTAIN + 1


class TakeTiles(Step):
    """Fix the order of the round and let everybody take a tile in it (§4.4, R-06)."""

    kind: ClassVar[int] = 13

    def run(self, state: AhauState) -> None:
        """Order the actors by region, on equal ones the higher on Might first."""
        state.order = sorted(state.might, key=lambda actor: (state.actors[actor][RULER], -state.might.index(actor)))
        state.then(*[automaton.TakeTile() if actor >= state.seats else TakeTile(actor) for actor in state.order])


class TakeTile(Frame[AhauState]):
    """Which pyramid tile to take from the ruler's region; a Gateway extends it (§4.4, R-05)."""

    kind: ClassVar[int] = 14

    def options(self, state: AhauState, seat: int) -> list[int]:
        """The tiles of the region and, with a Gateway, of those beside it."""
        return reachable(state, seat, owned(state, seat, GATEWAY))

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Take it into the reserve; an Observation Tower allows another one."""
        taken_outside = take_spot(state, seat, action)
        if owned(state, seat, OBSERVATION_TOWER):
            state.then(TakeAnother(seat, taken_outside))


class TakeAnother(Frame[AhauState]):
    """Which second tile the Observation Tower brings, if any (§4.4, §12.4).

    `outside` is 1 if the first came by a Gateway.
    """

    kind: ClassVar[int] = 18
    outside: int

    def __init__(self, seat: int, outside: int) -> None:
        super().__init__(seat)
        self.outside = outside

    def row(self) -> list[int]:
        """Return the constructor's arguments."""
        return [self.seat, self.outside]

    def options(self, state: AhauState, seat: int) -> list[int]:
        """The tiles in reach, those outside only by another Gateway, and none; nothing is asked when there are none."""
        spots = reachable(state, seat, owned(state, seat, GATEWAY) - self.outside)
        return [*spots, ENOUGH] if spots else []

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Take it or leave it."""
        if action != ENOUGH:
            take_spot(state, seat, action)


def reachable(state: AhauState, seat: int, gateways: int) -> list[int]:
    """List the tiles a seat can take from the ruler's region and, with a Gateway, from those beside it."""
    region = state.actors[seat][RULER]
    near = ADJACENT_REGIONS[state.table[SIDE]][region] if gateways > 0 else ()
    return [TAKE + spot for number in sorted([region, *near]) for spot in _spots(state, number)]


def take_spot(state: AhauState, seat: int, action: int) -> int:
    """Take a tile into the reserve; return 1 if it lay outside the ruler's region."""
    place, position = divmod(action - TAKE, POSITIONS)
    add_tile(state, seat, take_tile_at(state, place + 1, position))
    return int(place + 1 != state.actors[seat][RULER])


def _spots(state: AhauState, region: int) -> list[int]:
    return [POSITIONS * (region - 1) + position for position in range(POSITIONS) if tile_at(state, region, position)]


class MovementEnd(Step):
    """The Queen for whom she matters, the Acropolis, then the Action turns (§4.5, §12.1, R-40, R-60)."""

    kind: ClassVar[int] = 15

    def run(self, state: AhauState) -> None:
        """Put the steps in order."""
        queens = [QueenWindow(seat) for seat in state.order if seat < state.seats and owned(state, seat, ACROPOLIS)]
        state.then(*queens, Acropolis(), Turns())


class QueenWindow(Frame[AhauState]):
    """Whether the Queen lays a worker down before the Acropolis counts (R-40, R-60)."""

    kind: ClassVar[int] = 16

    def options(self, state: AhauState, seat: int) -> list[int]:
        """Her uses, and to pass; nothing is asked when there are none."""
        uses = queen_uses(state, seat)
        return [QUEEN_PASS, *uses] if uses else []

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Use her or pass."""
        if action != QUEEN_PASS:
            use_queen(state, seat, action)


class Acropolis(Step):
    """Fame for who alone has most workers around the own ruler (§12.1, R-20)."""

    kind: ClassVar[int] = 17

    def run(self, state: AhauState) -> None:
        """Count for every owner."""
        for actor, row in enumerate(state.actors):
            copies = owned(state, actor, ACROPOLIS)
            if not copies:
                continue
            cities = cities_of(state, row[RULER])
            counts = [sum(count_in(other, city) for city in cities) for other in state.actors]
            own = counts.pop(actor)
            if own > max(counts):
                row[FAME] += ACROPOLIS_FAME * copies
