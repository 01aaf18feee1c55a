"""The finals on the site of a contest: all at once, or place by place, from the last to the first, at a ceremony.

The chain of decisions keeps what is published, its order, and what was revealed since.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select

from ballcourt.arena.tournament.folder.log import finished_with
from ballcourt.contest.decisions.audit import note_decision
from ballcourt.contest.refusals import StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import AUDIT
from ballcourt.leaderboard.model.standings import boards, by_ladder
from ballcourt.leaderboard.store.folder import field_in, results_in

PUBLISH, REVEAL, WITHHOLD = "publish finals", "reveal a place", "withhold finals"


@dataclass(frozen=True, slots=True)
class Published:
    """The finals that the organiser has published."""

    folder: Path
    """The output folder of their tournament."""
    order: Sequence[tuple[int, str]]
    """The place of each bot with its name and version, the best first, of finals with a ceremony; ties share places."""
    revealed: int
    """How many of these were revealed, the last ones."""

    @property
    def is_open(self) -> bool:
        """Whether everybody sees everything."""
        return self.revealed >= len(self.order)

    @property
    def places(self) -> list[tuple[int, str]]:
        """Those that were revealed, the best first."""
        return [*self.order[len(self.order) - self.revealed :]]

    @property
    def following(self) -> tuple[int, str] | None:
        """The one that is revealed next; None if none is hidden."""
        return None if self.is_open else self.order[len(self.order) - self.revealed - 1]


def published(connection: Connection, contest: Contest) -> Published | None:
    """Return the finals that are on the site; None if there are none."""
    wanted = select(AUDIT).where(AUDIT.c.action.in_((PUBLISH, REVEAL, WITHHOLD)))
    revealed = 0
    for row in connection.execute(wanted.order_by(AUDIT.c.number.desc())):
        if row.action == REVEAL:
            revealed += 1
            continue
        if row.action == WITHHOLD:
            return None
        details = json.loads(row.details)
        folder = Path(os.path.normpath(contest.path.parent / details["folder"]))
        return Published(folder, [(place, name) for place, name in details["order"]], revealed)
    return None


def finals_of(contest: Contest) -> Published | None:
    """Return the finals that are on the site of a contest now; None if there are none."""
    with contest.store.reading() as connection:
        return published(connection, contest)


def publish(contest: Contest, folder: Path, who: str, reason: str, *, ceremony: bool = False) -> str:
    """Put the finals in the output folder of a tournament that is over onto the site; return a sentence.

    Raises StateError, WrongInput and OSError.
    """
    if not finished_with(folder):
        raise StateError(f"{folder} holds no tournament that is over; publish the output folder of the finals")
    order = _order(folder) if ceremony else []
    details = {"folder": os.path.relpath(folder.absolute(), contest.path.parent.absolute()), "order": order}
    with contest.store.writing() as connection:
        note_decision(connection, who, PUBLISH, folder.name, reason, contest.now(), details)
    how = f"hidden, but for the places that are revealed: 0 of {len(order)}" if order else "open to everybody"
    return f"the finals are on the pages below /finals, {how}"


def reveal(contest: Contest, who: str, reason: str) -> str:
    """Reveal the next place of the finals, from the last to the first; return a sentence. Raises StateError."""
    with contest.store.writing() as connection:
        found = published(connection, contest)
        if found is None or found.following is None:
            raise StateError("no place of the finals is hidden")
        place, name = found.following
        note_decision(connection, who, REVEAL, f"place {place}: {name}"[:200], reason, contest.now())
    return f"place {place}: {name}"


def withhold(contest: Contest, who: str, reason: str) -> str:
    """Take the finals from the site; return a sentence. Raises StateError."""
    with contest.store.writing() as connection:
        found = published(connection, contest)
        if found is None:
            raise StateError("no finals are published")
        note_decision(connection, who, WITHHOLD, found.folder.name, reason, contest.now())
    return "the finals are no longer on the site"


def _order(folder: Path) -> list[tuple[int, str]]:
    """Return the places of all from first to last: by the rules of the format, or else by rating in the one table."""
    matches = results_in(folder).matches
    if placing := field_in(folder, matches).placing:
        found = [(row.place, placing.bots[row.entrant]) for row in placing.placing.places]
        return [(place, f"{bot.name} {bot.version}") for place, bot in found]
    tables = [*boards(by_ladder(matches)).values()]
    if len(tables) != 1:
        raise StateError(f"{folder} has {len(tables)} tables, and no order of them all; publish it without a ceremony")
    return [(row.rank, str(row.entrant)) for row in tables[0].rows]
