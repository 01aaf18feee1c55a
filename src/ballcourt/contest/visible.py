"""Who sees what: the only way from a request to the rows of a contest. It begins with the viewer.

What belongs to others and what does not exist are answered alike.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, false, select, true

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.files import parse_json
from ballcourt.arena.records.store import SUFFIX
from ballcourt.contest.aliases import aliases_now
from ballcourt.contest.examining.work import places_of
from ballcourt.contest.listing import SHOWN, Asked, Listing, counts_of, page_of
from ballcourt.contest.notifications.webhooks import hooks_of
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.teams import members_of
from ballcourt.contest.refusals import NotAllowedError, NotThereError, StateError
from ballcourt.contest.settings import at_time
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import ACCOUNTS, BOTS, SUBMISSIONS, TEAMS, WORK
from ballcourt.contest.submissions.allowance import TeamAllowance, allowance
from ballcourt.contest.submissions.remote_bots import Dialling, dialling
from ballcourt.contest.submissions.states import SubmissionState, states_of
from ballcourt.contest.submissions.submissions import may_be_again
from ballcourt.contest.submissions.work_queue import WorkKind
from ballcourt.leaderboard.pages.views import Views

NOTHING: Final = "there is nothing at this address, or it is not yours"


@dataclass(frozen=True, slots=True)
class StateView:
    """A state through which a submission has gone."""

    state: str
    at: datetime
    detail: str


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """A submission, as its team and the organiser see it."""

    id: str
    number: int
    team: str
    by: str
    bot: str
    version: str
    phase: str
    note: str
    origin: str
    bytes: int
    sha256: str
    content_hash: str
    state: SubmissionState
    sentence: str
    entered: datetime
    changed: datetime
    has_archive: bool
    is_due: bool
    """Whether it can be examined again."""
    is_again: bool = False
    """Whether it waits to be examined again, or is."""
    place: int | None = None
    """How many others are taken up before it, while it waits."""
    alias: str = ""
    """What others see instead of its name and version while the board is anonymous."""

    @property
    def entrant(self) -> BotVersion:
        """What results know it by, once it has been examined."""
        return BotVersion(self.bot, self.version, self.content_hash)

    @property
    def is_over(self) -> bool:
        """Whether its examination has ended."""
        return self.state not in (SubmissionState.WAITING, SubmissionState.EXAMINING)


@dataclass(frozen=True, slots=True)
class BotView:
    """A bot of a team."""

    name: str
    team: str
    state: str
    """Whether it is in the contest: active, disqualified or released."""
    chosen: str | None
    """The id of the submission that plays in the finals, if the team chose one."""
    dials_in: Dialling | None = None
    """What is known of a bot that dials in; None of one that is entered as archives."""


class Visible:
    """What one viewer sees; None is a visitor who has not signed in."""

    def __init__(self, contest: Contest, viewer: Member | None) -> None:
        self._contest = contest
        self.viewer = viewer
        self._team = viewer.team if viewer else None

    def listed(self, asked: Asked) -> Listing:
        """Return a page of submissions, the newest first, by their id, team, bot, version and who entered them."""
        places = (SUBMISSIONS.c.id, TEAMS.c.name, SUBMISSIONS.c.bot, SUBMISSIONS.c.version, ACCOUNTS.c.handle)
        with self._contest.store.reading() as connection:
            mine = self._mine(SUBMISSIONS.c.team, SUBMISSIONS.c.bot)
            page = page_of(connection, self._submissions(), SUBMISSIONS.c.state, places, asked, mine)
            return replace(page, rows=self._views(connection, page.rows))

    def submissions(self, before: int | None = None, *, bot: str = "") -> Sequence[SubmissionView]:
        """Return the newest submissions, of one bot or all; of a team those before a number."""
        wanted = [SUBMISSIONS.c.number < before] if before is not None else []
        wanted += [SUBMISSIONS.c.bot == bot] if bot else []
        with self._contest.store.reading() as connection:
            rows = connection.execute(self._submissions(*wanted).limit(SHOWN)).all()
            return self._views(connection, rows)

    def counts(self) -> dict[str, int]:
        """Return how many submissions are in each state, of all that may be seen."""
        with self._contest.store.reading() as connection:
            return counts_of(connection, SUBMISSIONS.c.state, self._mine(SUBMISSIONS.c.team, SUBMISSIONS.c.bot))

    def submission(self, submission: str) -> SubmissionView:
        """Return a submission. Raises NotThereError."""
        with self._contest.store.reading() as connection:
            return self._views(connection, [self._one(connection, submission)])[0]

    def states(self, submission: str) -> list[StateView]:
        """Return the states through which a submission has gone. Raises NotThereError."""
        with self._contest.store.reading() as connection:
            found = states_of(connection, [self._one(connection, submission).id])
        return [StateView(row.state, at_time(row.at), row.detail) for row in found]

    def report(self, submission: str) -> dict[str, list[str]]:
        """Return the checks that a submission failed, each a paragraph, and those it passed. Raises NotThereError."""
        with self._contest.store.reading() as connection:
            report = self._one(connection, submission).report
        found = parse_json(report) if report else {}
        return {part: [*found.get(part, ())] for part in ("failures", "passed")}

    def replays(self, submission: str) -> list[Path]:
        """Return the records of a submission's check, if they are kept. Raises NotThereError."""
        with self._contest.store.reading() as connection:
            row = self._one(connection, submission)
        return sorted((self._contest.checks(row.team) / row.id).glob(f"*{SUFFIX}"))

    def archive(self, submission: str) -> str:
        """Return the hash of the archive of a submission. Raises NotThereError, and StateError if it was removed."""
        with self._contest.store.reading() as connection:
            row = self._one(connection, submission)
        if not row.kept:
            raise StateError("the archive was removed to make room")
        return str(row.archive)

    def bots(self, named: Collection[str] | None = None) -> list[BotView]:
        """Return bots by their names: those of the team, to the organiser all; or of these only those with a name."""
        with self._contest.store.reading() as connection:
            joined = BOTS.join(TEAMS, TEAMS.c.id == BOTS.c.team)
            rows = connection.execute(
                select(BOTS.c.name, BOTS.c.chosen, BOTS.c.remote, BOTS.c.state, TEAMS.c.name.label("team"))
                .select_from(joined)
                .where(self._mine(BOTS.c.team, BOTS.c.name), true() if named is None else BOTS.c.name.in_(named))
                .order_by(BOTS.c.look)
            ).all()
        remote = dialling(self._contest, [row.name for row in rows if row.remote])
        return [BotView(row.name, row.team, row.state, row.chosen, remote.get(row.name)) for row in rows]

    def bot(self, name: str) -> BotView:
        """Return a bot by its name. Raises NotThereError."""
        found = self.bots([name])
        if not found:
            raise NotThereError(NOTHING)
        return found[0]

    def own_bot(self, name: str) -> str:
        """Return the id of the viewer's team, whose bot this is. Raises NotThereError."""
        viewer = self.viewer
        if viewer is None or viewer.team is None or self.bot(name).team != viewer.team_name:
            raise NotThereError(NOTHING)
        return viewer.team

    def own_remote(self, name: str) -> str:
        """Return the name of a bot of the viewer's team that dials in. Raises NotThereError, and StateError."""
        self.own_bot(name)
        if self.bot(name).dials_in is None:
            raise StateError(f"{name} does not dial in; it is entered as archives")
        return name

    def members(self) -> Sequence[Any]:
        """Return who is in the viewer's team."""
        with self._contest.store.reading() as connection:
            return members_of(connection, self._team) if self._team else []

    def hooks(self) -> Sequence[Row[Any]]:
        """Return the webhooks of the viewer's team."""
        with self._contest.store.reading() as connection:
            return hooks_of(connection, self._team) if self._team else []

    def allowance(self) -> TeamAllowance | None:
        """Return what the viewer's team may still enter; None without a team or an open phase."""
        with self._contest.store.reading() as connection:
            return allowance(connection, self._contest, self._team) if self._team else None

    def organiser(self) -> Member:
        """Return the viewer, who is an organiser. Raises NotAllowedError."""
        if self.viewer is None or not self.viewer.is_organiser:
            raise NotAllowedError("only organisers may see or do this")
        return self.viewer

    def _one(self, connection: Connection, submission: str) -> Row[Any]:
        found = connection.execute(self._submissions(SUBMISSIONS.c.id == submission)).one_or_none()
        if found is None:
            raise NotThereError(NOTHING)
        return found

    def _views(self, connection: Connection, rows: Sequence[Row[Any]]) -> list[SubmissionView]:
        """Return submissions, with the aliases that those have now that were examined. Raises OSError."""
        waiting = [row.id for row in rows if row.state == SubmissionState.WAITING]
        places = places_of(connection, WorkKind.EXAM, waiting)
        found, aliases = [_submission(row, places.get(row.id)) for row in rows], aliases_now(self._contest)
        return [
            replace(one, alias=aliases.of(one.entrant).name) if aliases and one.content_hash else one for one in found
        ]

    def _submissions(self, *wanted: ColumnElement[bool]) -> Select[Any]:
        joined = SUBMISSIONS.join(TEAMS, TEAMS.c.id == SUBMISSIONS.c.team).join(
            ACCOUNTS, ACCOUNTS.c.id == SUBMISSIONS.c.account
        )
        queued = select(WORK.c.id).where(WORK.c.kind == WorkKind.AGAIN, WORK.c.subject == SUBMISSIONS.c.id).exists()
        columns = TEAMS.c.name.label("team_name"), ACCOUNTS.c.handle
        known = may_be_again().label("is_due"), queued.label("is_again")
        rows = select(SUBMISSIONS, *columns, *known).select_from(joined)
        rows = rows.where(self._mine(SUBMISSIONS.c.team, SUBMISSIONS.c.bot), *wanted)
        return rows.order_by(SUBMISSIONS.c.created.desc(), SUBMISSIONS.c.number.desc())

    def _mine(self, team: ColumnElement[Any], bot: ColumnElement[Any]) -> ColumnElement[bool]:
        """Return which rows the viewer may see, by the columns with their team and their bot."""
        if self.viewer is None:
            return false()
        only = bot == self.viewer.bot if self.viewer.bot else true()
        if self.viewer.is_organiser:
            return only
        return (team == self.viewer.team) & only if self.viewer.team else false()


def newest_played(
    contest: Contest, views: Views, bot: BotView, versions: Iterable[SubmissionView]
) -> BotVersion | None:
    """Return the newest version of a bot that has played in what a viewer sees, under its name or alias; None if none.

    Raises OSError.
    """
    shown = {row.entrant for info in views.ladders() for row in info.board.rows}
    if bot.dials_in:
        return next((one for one in shown if (one.name, one.version) == (bot.name, bot.dials_in.version)), None)
    aliases = aliases_now(contest)
    names = (name for one in versions for name in (one.entrant, aliases.of(one.entrant) if aliases else one.entrant))
    return next((name for name in names if name in shown), None)


def _submission(row: Row[Any], place: int | None) -> SubmissionView:
    return SubmissionView(
        id=row.id,
        number=row.number,
        team=row.team_name,
        by=row.handle,
        bot=row.bot,
        version=row.version,
        phase=row.phase,
        note=row.note,
        origin=row.origin,
        bytes=row.bytes,
        sha256=row.archive,
        content_hash=row.content_hash,
        state=SubmissionState(row.state),
        sentence=row.sentence,
        entered=at_time(row.created),
        changed=at_time(row.changed),
        has_archive=row.kept,
        is_due=row.is_due or row.state == SubmissionState.FAILED,
        is_again=row.is_again,
        place=place,
    )
