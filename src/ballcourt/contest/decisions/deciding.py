"""What the organiser decides about people and submissions; each decision goes into the audit chain with its reason."""

from contextlib import suppress
from typing import Any, Final

from sqlalchemy import Connection, Row, Table, insert, or_, select, true, update

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.secrets import new_id
from ballcourt.contest.decisions.audit import note_decision
from ballcourt.contest.people.accounts import (
    AccountState,
    Standing,
    account_named,
    checked_line,
    row_named,
    set_standing,
)
from ballcourt.contest.people.teams import team_named
from ballcourt.contest.refusals import ContestError, NotThereError, StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import BOTS, GRANTS, SCRIMMAGES, SUBMISSIONS, TEAMS
from ballcourt.contest.submissions.following import follow_ladder, withdraw_out, withdraw_version
from ballcourt.contest.submissions.scrimmages import cancel_all
from ballcourt.contest.submissions.states import LET_IN, PASSED, SubmissionState, move
from ballcourt.contest.submissions.submissions import cancel_waiting, examine_again
from ballcourt.contest.submissions.work_queue import WorkKind, enqueue

OWNER: Final = "the server's owner"
"""Who decides by a command on the server's machine."""
EXAMINED_AGAIN: Final = (
    "what has failed, plays or has played is, and the newest of a bot if it was refused, as long as its archive is kept"
    " and it does not wait for that already"
)


class Decider:
    """An organiser who decides. Each method returns a sentence about what was decided."""

    def __init__(self, contest: Contest, who: str) -> None:
        self._contest = contest
        self._who = who

    def grant(self, team: str, accepted: int, attempts: int, reason: str, scrimmages: int = 0) -> str:
        """Raise the limits of a team in the open phase. Raises ContestError."""
        phase = self._contest.phase
        if phase is None:
            raise StateError("no phase is open, so nothing can be granted")
        if accepted + attempts + scrimmages < 1:
            raise ContestError("give at least one more: accepted, attempts or scrimmages")
        with self._contest.store.writing() as connection:
            found = team_named(connection, team)
            more = {"accepted": accepted, "attempts": attempts, "scrimmages": scrimmages}
            about = {"team": found.id, "phase": phase.name, "reason": reason, "created": self._contest.now()}
            connection.execute(insert(GRANTS).values(id=new_id(), **about, **more))
            note_decision(connection, self._who, "grant", str(found.name), reason, self._contest.now(), more)
        what = f"have {accepted} more accepted and {attempts} more examined, and ask for {scrimmages} more scrimmages"
        return f"team {team} may {what}, in phase {phase.name}"

    def requeue(self, submission: str, reason: str) -> str:
        """Queue a submission again: one that has failed as a new one, others as `requeue_all` does.

        Raises ContestError.
        """
        with self._contest.store.writing() as connection:
            row, now = _submission(connection, submission), self._contest.now()
            if row.state == SubmissionState.FAILED:
                move(connection, submission, SubmissionState.WAITING, now, "the organiser lets it be examined again")
                enqueue(connection, WorkKind.EXAM, submission, row.team, now)
            elif not examine_again(connection, SUBMISSIONS.c.id == submission, now):
                raise StateError(f"submission {submission} is {row.state}; {EXAMINED_AGAIN}")
            note_decision(connection, self._who, "requeue", submission, reason, now)
        return f"submission {submission} waits again"

    def requeue_all(self, reason: str) -> str:
        """Queue all again that plays or has played, and the newest of each bot if it was refused.

        They stay what they are until then, and new submissions are examined first. Raises ContestError.
        """
        with self._contest.store.writing() as connection:
            count, now = examine_again(connection, true(), self._contest.now()), self._contest.now()
            if not count:
                raise StateError(f"no submission can be examined again; {EXAMINED_AGAIN}")
            note_decision(connection, self._who, "requeue all", "submissions", reason, now, {"submissions": count})
        return f"submissions that are examined again, after those that wait: {count}"

    def withdraw(self, submission: str, reason: str) -> str:
        """End the play of one version, for good. Raises WrongInput and OSError."""
        checked_line(reason, "reason")
        follow_ladder(self._contest)
        with self._contest.store.writing() as connection:
            row, now = _submission(connection, submission), self._contest.now()
            if row.state not in LET_IN:
                raise StateError(f"submission {submission} is {row.state}; only one that plays or has is withdrawn")
            note_decision(connection, self._who, "withdraw", submission, reason, now)
            withdraw_version(self._contest, BotVersion(row.bot, row.version, row.content_hash), self._who, reason)
            move(connection, submission, SubmissionState.WITHDRAWN, now, reason)
        return f"{row.bot} {row.version} is withdrawn"

    def suspend(self, handle: str, reason: str) -> str:
        """Suspend an account. Raises ContestError."""
        return self._set(handle, AccountState.SUSPENDED, "suspend", reason)

    def restore(self, handle: str, reason: str) -> str:
        """End the suspension of an account. Raises ContestError."""
        return self._set(handle, AccountState.ACTIVE, "restore", reason)

    def disqualify(self, name: str, reason: str) -> str:
        """End the part of a team or a bot in the contest, with all versions. Raises WrongInput and OSError."""
        return self._rule(name, Standing.DISQUALIFIED, "disqualify", reason)

    def reinstate(self, name: str, reason: str) -> str:
        """End a disqualification; what was withdrawn stays so, and new versions are taken. Raises as above."""
        return self._rule(name, Standing.ACTIVE, "reinstate", reason)

    def release(self, bot: str, reason: str) -> str:
        """Withdraw a bot that does not count among those of its team any more. Raises as above."""
        return self._rule(f"bot:{bot.removeprefix('bot:')}", Standing.RELEASED, "release", reason)

    def _rule(self, name: str, standing: Standing, action: str, reason: str) -> str:
        """Change the standing of a team or a bot; its play in the ladder ends before this is kept."""
        checked_line(reason, "reason")
        now = self._contest.now()
        with self._contest.store.writing() as connection:
            table, found = _team_or_bot(connection, name)
            kind = "team" if table is TEAMS else "bot"
            before = Standing.DISQUALIFIED if standing is Standing.ACTIVE else Standing.ACTIVE
            if found.state != before:
                raise StateError(f"{kind} {found.name} is {found.state}; only one that is {before} may be {standing}")
            connection.execute(update(table).where(table.c.id == found.id).values(state=standing))
            note_decision(connection, self._who, action, f"{kind} {found.name}", reason, now)
            if standing is not Standing.ACTIVE:
                own = SUBMISSIONS.c.team == found.id
                if table is BOTS:
                    own = (SUBMISSIONS.c.team == found.team) & (SUBMISSIONS.c.bot == found.name)
                self._end(connection, own, f"{kind} {found.name} is {standing}: {reason}")
        return f"{kind} {found.name} is {standing}"

    def _end(self, connection: Connection, own: Any, why: str) -> None:  # noqa: ANN401 - an SQL expression
        now = self._contest.now()
        cancel_waiting(connection, own, now, why)
        theirs = select(SUBMISSIONS.c.id).where(own)
        cancel_all(connection, or_(SCRIMMAGES.c.submission.in_(theirs), SCRIMMAGES.c.against.in_(theirs)), now, why)
        for submission in connection.execute(theirs.where(SUBMISSIONS.c.state.in_(PASSED))).scalars().all():
            move(connection, submission, SubmissionState.WITHDRAWN, now, why)
        withdraw_out(connection, self._contest, self._who, why)

    def _set(self, handle: str, standing: AccountState, action: str, reason: str) -> str:
        with self._contest.store.writing() as connection:
            account = account_named(connection, handle)
            if account.state == AccountState.DELETED:
                raise StateError(f"{account.handle} was deleted, and nothing is left of it")
            if account.state == standing:
                raise StateError(f"{account.handle} is {standing} already")
            set_standing(connection, str(account.id), standing, self._contest.now())
            note_decision(connection, self._who, action, str(account.handle), reason, self._contest.now())
        return f"{account.handle} is {standing}"


def _submission(connection: Connection, submission: str) -> Row[Any]:
    row = connection.execute(select(SUBMISSIONS).where(SUBMISSIONS.c.id == submission)).one_or_none()
    if row is None:
        raise NotThereError(f"there is no submission {submission}; `ballcourt contest status` lists them")
    return row


def _team_or_bot(connection: Connection, name: str) -> tuple[Table, Row[Any]]:
    """Return a team or a bot by its name, which may begin with "team:" or "bot:". Raises ContestError."""
    kind, _, bare = name.rpartition(":")
    tables = {"team": TEAMS, "bot": BOTS}
    if kind and kind not in tables:
        raise ContestError(f"{name} begins with {kind}; it may begin with team: or bot:")
    found: list[tuple[Table, Row[Any]]] = []
    for word, table in tables.items():
        with suppress(NotThereError):
            found += [(table, row_named(connection, table.c.name, bare, word))] if kind in ("", word) else []
    if len(found) > 1:
        raise ContestError(f"{bare} is the name of a team and of a bot; write team:{bare} or bot:{bare}")
    if not found:
        raise NotThereError(f"there is no {kind or 'team and no bot'} {bare}; a bot has its name once it was accepted")
    return found[0]
