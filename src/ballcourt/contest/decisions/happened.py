"""Public events of a contest other than matches: announcements, phases, freezes."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

from sqlalchemy import Connection, select

from ballcourt.contest.decisions.announcing import announcements
from ballcourt.contest.decisions.hiding import UNFREEZE
from ballcourt.contest.refusals import ContestFileError
from ballcourt.contest.settings import PhaseTable, at_time, in_results, shown
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import AUDIT
from ballcourt.leaderboard.pages.happening import Happening


def happened(contest: Contest) -> list[Happening]:
    """Return what happened so far."""
    found: list[Happening] = []
    with suppress(ContestFileError), contest.store.reading() as connection:
        found += [*_announced(connection), *_lifted(connection)]
    now = in_results(contest.moment)
    return [*found, *(one for phase in contest.settings.phase for one in _of_phase(phase) if one.when <= now)]


def _announced(connection: Connection) -> Iterator[Happening]:
    for row in announcements(connection):
        yield Happening(in_results(at_time(row.at)), row.title, ("announcements",), f"announcement {row.id}")


def _lifted(connection: Connection) -> Iterator[Happening]:
    lifted = select(AUDIT.c.number, AUDIT.c.at, AUDIT.c.subject).where(AUDIT.c.action == UNFREEZE)
    for row in connection.execute(lifted):
        text = f"the tables of phase {row.subject} are no longer frozen"
        yield Happening(in_results(at_time(row.at)), text, (), f"decision {row.number}")


def _of_phase(phase: PhaseTable) -> Iterator[Happening]:
    yield _at(phase.opens, f"phase {phase.name} opens; it closes {shown(phase.closes)}")
    if phase.freeze and phase.freeze < phase.reveals:
        yield _at(phase.freeze, f"the tables are frozen until {phase.revealed}")
    yield _at(phase.closes, f"phase {phase.name} closes")
    if phase.reveal:
        yield _at(phase.reveal, f"what phase {phase.name} hid is shown")


def _at(moment: datetime, text: str) -> Happening:
    return Happening(in_results(moment), text)
