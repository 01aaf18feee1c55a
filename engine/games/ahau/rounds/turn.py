"""An Action turn: a worker, a god, production or building (RULES §5)."""

from typing import ClassVar, Final

from ballcourt.engine.core.frames import ActorStep, Step
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau.actions import BUILD, DANCE, MAX_ACTORS, PASS, PLACE, PRODUCE
from ballcourt.engine.games.ahau.automata import automaton
from ballcourt.engine.games.ahau.building.region_bonus import RegionBonus
from ballcourt.engine.games.ahau.building.step import BuildNext, builds_left
from ballcourt.engine.games.ahau.gods import summon
from ballcourt.engine.games.ahau.pieces.people import hand, plays, stuck
from ballcourt.engine.games.ahau.pieces.rulers import place_worker, placement_cities
from ballcourt.engine.games.ahau.rounds import produce
from ballcourt.engine.games.ahau.rounds.round_end import ROUND_END
from ballcourt.engine.games.ahau.rounds.trading import Windowed
from ballcourt.engine.games.ahau.state import AhauState


def clear_turn(state: AhauState) -> None:
    """Record that no Action turn is under way."""
    table = state.table
    table[at.TURN] = table[at.TURN_CITY] = at.NONE
    table[at.SUMMONED] = table[at.BUILT] = table[at.STAND_INS] = 0


class Turns(Step[AhauState]):
    """The Action turns in the order of the round, then its end (§5.1)."""

    kind: ClassVar[int] = 30

    def run(self, state: AhauState) -> None:
        state.frames.append(ROUND_END)
        state.frames += [TURN_OF[actor] for actor in reversed(state.order)]


TURNS: Final = Turns()


class Turn(ActorStep[AhauState]):
    """The beginning of an actor's turn (§5.2)."""

    kind: ClassVar[int] = 31

    def run(self, state: AhauState) -> None:
        """Queue the steps of the turn; a seat that cannot place a worker skips them (R-07)."""
        seat = self.actor
        clear_turn(state)
        state.table[at.TURN] = seat
        if seat >= state.seats:
            automaton.act(state)
            state.table[at.TURN] = state.table[at.TURN_CITY] = at.NONE
        elif placement_cities(state, seat):
            state.frames += STEPS_OF[seat]
        else:
            state.frames.append(TurnEnd(seat))


class PlaceWorker(Windowed):
    """In which city to place a worker (§5.3)."""

    kind: ClassVar[int] = 32

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List the cities of the ruler's region that no lost conflict bars."""
        return [PLACE + city for city in placement_cities(state, seat)]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Place the worker, which may cover the region."""
        place_worker(state, seat, action - PLACE)
        state.frames.append(BONUS_OF[seat])


class Main(Windowed):
    """Produce, build, summon once more with the Dancer, or none of these (§5.5, §13.2)."""

    kind: ClassVar[int] = 34

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        options = []
        if produce.sites_in_reach(state, seat):
            options.append(PRODUCE)
        if builds_left(state, seat) > 0:
            options.append(BUILD)
        options.append(PASS)
        if plays(state.actors[seat], at.DANCER):
            summoned = state.table[at.SUMMONED]
            options += [
                DANCE + god for god in range(at.GODS) if not summoned >> god & 1 and summon.can_summon(state, seat, god)
            ]
        return options

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        if action == PRODUCE:
            state.frames.append(produce.ProduceAt(seat))
        elif action == BUILD:
            state.frames.append(BuildNext(seat))
        elif action >= DANCE:
            summon.begin_summoning(state, seat, action - DANCE)


class TurnEnd(ActorStep[AhauState]):
    """The end of a turn: cards are discarded; a hand that is too small takes all of them back (§5.6)."""

    kind: ClassVar[int] = 35

    def run(self, state: AhauState) -> None:
        """Discard the cards, and take back the discards if the hand is too small."""
        row = state.changing(self.actor)
        row[at.DISCARD] |= row[at.PLAYED]
        row[at.PLAYED] = 0
        cards = hand(state, self.actor)
        if cards.bit_count() < 2 or stuck(state, cards):
            row[at.DISCARD] = 0
        state.table[at.TURN] = state.table[at.TURN_CITY] = at.NONE


# frames never change, so that one of each is enough
TURN_OF: Final = tuple([Turn(actor) for actor in range(MAX_ACTORS)])
BONUS_OF: Final = tuple([RegionBonus(seat) for seat in range(MAX_ACTORS)])
STEPS_OF: Final = tuple(
    [(TurnEnd(seat), Main(seat), summon.Summon(seat), PlaceWorker(seat)) for seat in range(MAX_ACTORS)]
)
"""By seat: the steps of a turn, the first on top."""
