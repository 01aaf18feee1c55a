"""Who sees what of scrimmages; see `ballcourt.contest.visible`.

The team that asked, and organisers, see all of it. The team that was asked sees that it was, and the rest once both
teams have published it; then everybody does, unless a phase hides matches.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, false, select, true

from ballcourt.arena.files import read_regular
from ballcourt.arena.records.bundle import LOG_SUFFIX
from ballcourt.arena.records.store import SUFFIX
from ballcourt.contest.decisions.hiding import hides_matches
from ballcourt.contest.examining.work import places_of
from ballcourt.contest.listing import SHOWN
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import NotAllowedError, NotThereError, StateError
from ballcourt.contest.settings import at_time
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import ACCOUNTS, SCRIMMAGES, SUBMISSIONS, TEAMS
from ballcourt.contest.submissions.scrimmages import ScrimmageState
from ballcourt.contest.submissions.work_queue import WorkKind
from ballcourt.contest.visible import NOTHING

MOST_LOG: Final = 1 << 20
_OTHER, _THEIRS = TEAMS.alias("other_team"), SUBMISSIONS.alias("their_submission")


@dataclass(frozen=True, slots=True)
class ScrimmageView:
    """A scrimmage, as a viewer sees it."""

    id: str
    team: str
    by: str
    """The handle of the person who asked; empty for those who may not see all of it."""
    bot: str
    version: str
    other_team: str
    """Empty if the opponent comes with the arena."""
    opponent: str
    opponent_version: str
    matches: int
    """How many are played; more than one are an evaluation."""
    state: ScrimmageState
    sentence: str
    """How it went, or why it did not; empty for those who may not see all of it."""
    asked: datetime
    changed: datetime
    published: bool
    """Whether the team that asked publishes it."""
    agreed: bool
    """Whether the other team does."""
    is_open: bool
    """Whether the viewer may see all of it."""
    is_own: bool
    """Whether the viewer is in the team that asked."""
    may_agree: bool
    """Whether the viewer's team has not published it yet, and may."""
    place: int | None = None
    """How many others are taken up before it, while it waits."""

    @property
    def is_over(self) -> bool:
        """Whether nothing will change any more, but who sees it."""
        return self.state not in (ScrimmageState.WAITING, ScrimmageState.PLAYING)


class VisibleScrimmages:
    """What one viewer sees of scrimmages; None is a visitor who has not signed in."""

    def __init__(self, contest: Contest, viewer: Member | None) -> None:
        self._contest = contest
        self._team = viewer.team if viewer else None
        self._is_organiser = viewer is not None and viewer.is_organiser

    def all(self) -> list[ScrimmageView]:
        """Return the newest scrimmages."""
        with self._contest.store.reading() as connection:
            return self._views(connection, self._rows(connection, true(), SHOWN))

    def one(self, scrimmage: str) -> ScrimmageView:
        """Return a scrimmage. Raises NotThereError."""
        with self._contest.store.reading() as connection:
            return self._views(connection, [self._row(connection, scrimmage)])[0]

    def own(self, scrimmage: str) -> ScrimmageView:
        """Return a scrimmage that the viewer's team asked for. Raises NotThereError."""
        found = self.one(scrimmage)
        if not found.is_own:
            raise NotThereError(NOTHING)
        return found

    def team_in(self, scrimmage: str) -> str:
        """Return the viewer's team, which plays in a scrimmage. Raises NotThereError and NotAllowedError."""
        with self._contest.store.reading() as connection:
            row = self._row(connection, scrimmage)
        if self._team is None or self._team not in (row.team, row.other):
            raise NotAllowedError("only the two teams of a scrimmage publish it")
        return self._team

    def replay(self, scrimmage: str) -> Path:
        """Return the record of a scrimmage. Raises NotThereError, and StateError if it is not kept."""
        with self._contest.store.reading() as connection:
            row = self._row(connection, scrimmage)
            if not self._is_open(row):
                raise NotAllowedError("this match is shown when both teams have published it")
        file: Path = self._contest.scrimmages(row.team) / row.id / f"{row.id}{SUFFIX}"
        if not file.is_file():
            raise StateError("there is no record: it was not played yet, or was removed to make room for newer ones")
        return file

    def logs(self, scrimmage: str) -> dict[str, bytes]:
        """Return what the bot of the team that asked printed, by the names of its seats. Raises NotThereError."""
        with self._contest.store.reading() as connection:
            row = self._row(connection, scrimmage)
        if not (self._is_organiser or row.team == self._team):
            raise NotThereError(NOTHING)
        files = (self._contest.scrimmages(row.team) / row.id).glob(f"{row.id}-*{LOG_SUFFIX}")
        return {file.stem.removeprefix(f"{row.id}-"): read_regular(file, MOST_LOG) for file in sorted(files)}

    def _row(self, connection: Connection, scrimmage: str) -> Row[Any]:
        found = self._rows(connection, SCRIMMAGES.c.id == scrimmage, 1)
        if not found:
            raise NotThereError(NOTHING)
        return found[0]

    def _rows(self, connection: Connection, wanted: ColumnElement[bool], most: int) -> Sequence[Row[Any]]:
        joined = (
            SCRIMMAGES.join(TEAMS, TEAMS.c.id == SCRIMMAGES.c.team)
            .join(ACCOUNTS, ACCOUNTS.c.id == SCRIMMAGES.c.account)
            .join(SUBMISSIONS, SUBMISSIONS.c.id == SCRIMMAGES.c.submission)
            .outerjoin(_OTHER, _OTHER.c.id == SCRIMMAGES.c.other)
            .outerjoin(_THEIRS, _THEIRS.c.id == SCRIMMAGES.c.against)
        )
        columns = {
            "team_name": TEAMS.c.name,
            "handle": ACCOUNTS.c.handle,
            "bot": SUBMISSIONS.c.bot,
            "version": SUBMISSIONS.c.version,
            "other_name": _OTHER.c.name,
            "opponent_version": _THEIRS.c.version,
        }
        return connection.execute(
            select(SCRIMMAGES, *(column.label(name) for name, column in columns.items()))
            .select_from(joined)
            .where(wanted, self._seen(connection))
            .order_by(SCRIMMAGES.c.created.desc(), SCRIMMAGES.c.id)
            .limit(most)
        ).all()

    def _seen(self, connection: Connection) -> ColumnElement[bool]:
        """Return which rows the viewer may see."""
        if self._is_organiser:
            return true()
        public = false() if hides_matches(connection, self._contest) else SCRIMMAGES.c.published & SCRIMMAGES.c.agreed
        if self._team is None:
            return public
        return public | (SCRIMMAGES.c.team == self._team) | (SCRIMMAGES.c.other == self._team)

    def _is_open(self, row: Row[Any]) -> bool:
        """Whether the viewer may see all of a scrimmage that they may see."""
        return bool(self._is_organiser or row.team == self._team or (row.published and row.agreed))

    def _views(self, connection: Connection, rows: Sequence[Row[Any]]) -> list[ScrimmageView]:
        own = [row.id for row in rows if self._team is not None and row.team == self._team]
        places = places_of(connection, WorkKind.SCRIMMAGE, own)
        return [self._view(row, places.get(row.id)) for row in rows]

    def _view(self, row: Row[Any], place: int | None) -> ScrimmageView:
        state, is_open = ScrimmageState(row.state), self._is_open(row)
        is_own = self._team is not None and row.team == self._team
        has_agreed = row.published if is_own else row.agreed
        is_party = is_own or (self._team is not None and row.other == self._team)
        return ScrimmageView(
            id=row.id,
            team=row.team_name,
            by=row.handle if is_own or self._is_organiser else "",
            bot=row.bot,
            version=row.version,
            other_team=row.other_name or "",
            opponent=row.opponent,
            opponent_version=row.opponent_version or "",
            matches=row.matches,
            state=state,
            sentence=row.sentence if is_open else "",
            asked=at_time(row.created),
            changed=at_time(row.changed),
            published=row.published,
            agreed=row.agreed,
            is_open=is_open,
            is_own=is_own,
            may_agree=is_party and not has_agreed and state is ScrimmageState.PLAYED,
            place=place,
        )
