"""The Movement Phase: cards, rulers, tiles (RULES §4)."""

from typing import ClassVar

from engine.core.frames import EVERYBODY, Frame
from engine.games.ahau import automaton
from engine.games.ahau.actions import (
    CAPTAIN,
    CAPTAIN_STAY,
    CARD_PAIR,
    CARD_PAIRS,
    QUEEN_PASS,
    SELECT,
    SPOT_PAIR,
    SPOT_PAIRS,
    TAKE,
    TAKE_TWO,
)
from engine.games.ahau.columns import (
    BUILT,
    CARDS,
    CELEBRATED,
    DISCOUNTS,
    FAME,
    LEFT,
    LOST,
    NONE,
    PLAYED,
    POSITIONS,
    QUEEN_USED,
    RIGHT,
    ROLE,
    ROLE_SEEN,
    ROUND,
    RULER,
    SIDE,
    STAND_INS,
    SUMMONED,
    TURN,
    TURN_CITY,
    WAR_CAPTAIN,
)
from engine.games.ahau.conflicts import Conflicts
from engine.games.ahau.people import cities_of, count_in, hand, owned, plays
from engine.games.ahau.state import AhauState
from engine.games.ahau.supply import add_tile, take_tile_at, tile_at
from engine.games.ahau.tables import (
    ACROPOLIS,
    ACROPOLIS_FAME,
    ADJACENT_REGIONS,
    GATEWAY,
    OBSERVATION_TOWER,
    REGION_COUNT,
)
from engine.games.ahau.trading import queen_uses, use_queen
from engine.games.ahau.turn import Turns


def number(card: int) -> int:
    """Return the number on a card."""
    return card - ROLE if card > ROLE else card


class RoundStart(Frame[AhauState]):
    """Begin round after round until the match is over: clear the table, let everybody select cards (§3.1)."""

    kind: ClassVar[int] = 10

    def row(self) -> list[int]:
        """Return the constructor's arguments: none."""
        return []

    def run(self, state: AhauState) -> None:
        """Begin a round and wait below it for the next one."""
        if state.table[CELEBRATED]:
            return
        for row in state.actors:
            row[LOST] = row[LEFT] = row[RIGHT] = row[QUEEN_USED] = row[DISCOUNTS] = 0
        clear_turn(state)
        state.table[ROUND] += 1
        state.answers = [0] * state.seats
        state.then(SelectCards(), self)


def clear_turn(state: AhauState) -> None:
    """Note that nobody's Action turn runs."""
    table = state.table
    table[TURN] = table[TURN_CITY] = NONE
    table[SUMMONED] = table[BUILT] = table[STAND_INS] = 0


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
        held = hand(state, seat)
        cards = [card for card in range(1, CARDS) if held >> card & 1]
        highest = REGION_COUNT[state.table[SIDE]]
        return [
            SELECT + CARD_PAIR[left, right]
            for left in cards
            if number(left) <= highest
            for right in cards
            if left != right
        ]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Note the selection; the last one reveals all, the Shadow before the War Captain (R-24)."""
        state.answers = [*state.answers[:seat], action, *state.answers[seat + 1 :]]
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


class TakeTiles(Frame[AhauState]):
    """Fix the order of the round and let everybody take a tile in it (§4.4, R-06)."""

    kind: ClassVar[int] = 13

    def row(self) -> list[int]:
        """Return the constructor's arguments: none."""
        return []

    def run(self, state: AhauState) -> None:
        """Order the actors by region, on equal ones the higher on Might first."""
        state.order = sorted(state.might, key=lambda actor: (state.actors[actor][RULER], -state.might.index(actor)))
        state.then(*[automaton.TakeTile() if actor >= state.seats else TakeTile(actor) for actor in state.order])


class TakeTile(Frame[AhauState]):
    """Which pyramid tile to take from the ruler's region; Gateway and Observation Tower extend it (§4.4, R-05)."""

    kind: ClassVar[int] = 14

    def options(self, state: AhauState, seat: int) -> list[int]:
        """One reachable tile; with an Observation Tower two, from outside as many as Gateways (§12.4)."""
        region = state.actors[seat][RULER]
        gateways = owned(state, seat, GATEWAY)
        own = _spots(state, region)
        near = ADJACENT_REGIONS[state.table[SIDE]][region] if gateways else ()
        outside = [spot for other in near for spot in _spots(state, other)]
        singles = [TAKE + spot for spot in sorted([*own, *outside])]
        if not owned(state, seat, OBSERVATION_TOWER):
            return singles
        reachable = sorted([*own, *outside])
        return [
            *singles,
            *[
                TAKE_TWO + SPOT_PAIR[one, other]
                for place, one in enumerate(reachable)
                for other in reachable[place + 1 :]
                if (one not in own) + (other not in own) <= gateways
            ],
        ]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Take them into the reserve."""
        spots = SPOT_PAIRS[action - TAKE_TWO] if action >= TAKE_TWO else (action - TAKE,)
        for spot in spots:
            add_tile(state, seat, take_tile_at(state, spot // POSITIONS + 1, spot % POSITIONS))


def _spots(state: AhauState, region: int) -> list[int]:
    return [POSITIONS * (region - 1) + position for position in range(POSITIONS) if tile_at(state, region, position)]


class MovementEnd(Frame[AhauState]):
    """The Queen for whom she matters, the Acropolis, then the Action turns (§4.5, §12.1, R-40, R-60)."""

    kind: ClassVar[int] = 15

    def row(self) -> list[int]:
        """Return the constructor's arguments: none."""
        return []

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


class Acropolis(Frame[AhauState]):
    """Fame for who alone has most workers around the own ruler (§12.1, R-20)."""

    kind: ClassVar[int] = 17

    def row(self) -> list[int]:
        """Return the constructor's arguments: none."""
        return []

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
