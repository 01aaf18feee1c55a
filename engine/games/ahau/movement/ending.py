"""The end of the Movement Phase: the Acropolis (RULES §4.5, §12.1)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame, Step
from ballcourt.engine.games.ahau import sources
from ballcourt.engine.games.ahau.actions import QUEEN_PASS
from ballcourt.engine.games.ahau.columns import RULER
from ballcourt.engine.games.ahau.pieces.people import cities_of, count_in, owned
from ballcourt.engine.games.ahau.rounds.trading import queen_uses, use_queen
from ballcourt.engine.games.ahau.rounds.turn import TURNS
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import ACROPOLIS, ACROPOLIS_FAME


class MovementEnd(Step[AhauState]):
    """The end of the Movement Phase: Queens, the Acropolis, then the Action turns (§4.5, §12.1, R-40, R-60)."""

    kind: ClassVar[int] = 15

    def run(self, state: AhauState) -> None:
        """Queue the steps; the Queen and the Acropolis matter only if a player owns an Acropolis."""
        owners = [actor for actor in state.order if owned(state, actor, ACROPOLIS)]
        if owners:
            state.then(*[QueenWindow(seat) for seat in owners if seat < state.seats], Acropolis(), TURNS)
        else:
            TURNS.run(state)


class QueenWindow(Frame[AhauState]):
    """Whether the Queen lays down a worker before the Acropolis is scored (R-40, R-60)."""

    kind: ClassVar[int] = 16

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List the uses of the Queen, and to pass; lapse if there are no uses."""
        uses = queen_uses(state.actors[seat])
        return [QUEEN_PASS, *uses] if uses else []

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        if action != QUEEN_PASS:
            use_queen(state, seat, action)


class Acropolis(Step[AhauState]):
    """Fame for the owner of an Acropolis with the strict majority around its own ruler (§12.1, R-20)."""

    kind: ClassVar[int] = 17

    def run(self, state: AhauState) -> None:
        for actor, row in enumerate(state.actors):
            copies = owned(state, actor, ACROPOLIS)
            if not copies:
                continue
            cities = cities_of(state, row[RULER])
            counts = [sum(count_in(other, city) for city in cities) for other in state.actors]
            own = counts.pop(actor)
            if own > max(counts):
                state.gain_fame(actor, ACROPOLIS_FAME * copies, sources.ACROPOLIS)
