"""What the organiser decides about people and submissions; each decision goes into the audit chain with its reason."""

from typing import Final

from sqlalchemy import insert, select

from ballcourt.arena.secrets import new_id
from ballcourt.contest.decisions.audit import note_decision
from ballcourt.contest.people.accounts import AccountState, account_named, set_standing
from ballcourt.contest.people.teams import team_named
from ballcourt.contest.refusals import ContestError, NotThereError, StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import GRANTS, SUBMISSIONS
from ballcourt.contest.submissions.states import SubmissionState, move
from ballcourt.contest.submissions.work_queue import WorkKind, enqueue

OWNER: Final = "the server's owner"
"""Who decides by a command on the server's machine."""


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
        """Queue a failed submission again. Raises ContestError."""
        with self._contest.store.writing() as connection:
            row = connection.execute(select(SUBMISSIONS).where(SUBMISSIONS.c.id == submission)).one_or_none()
            if row is None:
                raise NotThereError(f"there is no submission {submission}; `ballcourt contest status` lists them")
            if row.state != SubmissionState.FAILED:
                raise StateError(f"submission {submission} is {row.state}; only one that has failed is examined again")
            now = self._contest.now()
            move(connection, submission, SubmissionState.WAITING, now, "the organiser lets it be examined again")
            enqueue(connection, WorkKind.EXAM, submission, row.team, now)
            note_decision(connection, self._who, "requeue", submission, reason, now)
        return f"submission {submission} waits again"

    def suspend(self, handle: str, reason: str) -> str:
        """Suspend an account. Raises ContestError."""
        return self._set(handle, AccountState.SUSPENDED, "suspend", reason)

    def restore(self, handle: str, reason: str) -> str:
        """End the suspension of an account. Raises ContestError."""
        return self._set(handle, AccountState.ACTIVE, "restore", reason)

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
