"""What a phase keeps from all but organisers: tables and replays while it is open, and what came after its freeze."""

from typing import Final

from sqlalchemy import Connection, select

from ballcourt.contest.decisions.audit import note_decision
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import StateError
from ballcourt.contest.settings import PhaseTable
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import AUDIT

UNFREEZE: Final = "unfreeze"
"""The decision that lifts the freeze of a phase; the chain of decisions is where it is kept."""


def frozen_phase(connection: Connection, contest: Contest) -> PhaseTable | None:
    """Return the phase whose freeze has begun and was not lifted; None if there is none."""
    phase = contest.hiding
    if phase is None or not phase.is_frozen(contest.moment):
        return None
    lifted = (AUDIT.c.action == UNFREEZE) & (AUDIT.c.subject == phase.name)
    return None if connection.execute(select(AUDIT.c.number).where(lifted)).first() else phase


def frozen_since(connection: Connection, contest: Contest, viewer: Member | None) -> float | None:
    """Return the Unix time from which on matches are kept from a viewer; None if all may be seen."""
    if viewer and viewer.is_organiser:
        return None
    phase = frozen_phase(connection, contest)
    return phase.freeze.timestamp() if phase and phase.freeze else None


def hides_matches(connection: Connection, contest: Contest) -> bool:
    """Whether matches are kept from all but organisers now, apart from those who play in them."""
    phase = contest.hiding
    if phase is None:
        return False
    return phase.hides_matches or frozen_phase(connection, contest) is not None


def lift_freeze(contest: Contest, who: str, reason: str) -> str:
    """End the freeze of the phase that is open before its time; return a sentence. Raises StateError."""
    with contest.store.writing() as connection:
        phase = frozen_phase(connection, contest)
        if phase is None:
            raise StateError("nothing is frozen now")
        note_decision(connection, who, UNFREEZE, phase.name, reason, contest.now())
    return f"the tables of phase {phase.name} are no longer frozen"
