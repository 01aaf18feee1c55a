"""The deletion of a person.

Results outlive a person: matches, the ladder and signed fields name bots and teams, and anybody may have copied them.
So a team, its bots and the states of its submissions stay, by an account whose handle says that it was deleted.
"""

import secrets

from sqlalchemy import Connection, delete, func, select, update

from ballcourt.arena.ladder.arrivals.names import look_of
from ballcourt.contest.decisions.audit import note_decision
from ballcourt.contest.notifications.outbox import forget_target
from ballcourt.contest.people.accounts import DELETED, AccountRole, AccountState, Member
from ballcourt.contest.people.teams import members_of
from ballcourt.contest.refusals import StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import (
    ACCOUNTS,
    HOOKS,
    IDENTITIES,
    LINKS,
    MEMBERS,
    SCRIMMAGES,
    SESSIONS,
    SUBMISSIONS,
    TOKENS,
    UPLOADS,
)
from ballcourt.contest.submissions.scrimmages import cancel_all
from ballcourt.contest.submissions.submissions import cancel_waiting
from ballcourt.contest.submissions.uploads import discard_archives, part_of


def delete_person(contest: Contest, person: Member, who: str, reason: str) -> str:
    """Delete an account; return the handle under which its submissions stay. Raises StateError for the last organiser.

    With the last member of a team go its archives, reports, notes, links and hooks, and its queued submissions.
    """
    now, handle = contest.now(), f"{DELETED}{secrets.token_hex(8)}"
    freed: list[str] = []
    with contest.store.writing() as connection:
        _check_not_last(connection, person)
        uploads = connection.execute(select(UPLOADS).where(UPLOADS.c.account == person.account)).all()
        email = connection.execute(select(ACCOUNTS.c.email).where(ACCOUNTS.c.id == person.account)).scalar()
        for table in (IDENTITIES, SESSIONS, TOKENS, LINKS, UPLOADS):
            connection.execute(delete(table).where(table.c.account == person.account))
        if email:
            forget_target(connection, email)
        if person.team:
            freed = _leave(connection, person.team, person.account, now)
        gone = {
            "handle": handle,
            "look": look_of(handle),
            "shown": handle,
            "email": None,
            "state": AccountState.DELETED,
        }
        connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == person.account).values(**gone))
        note_decision(connection, handle if who == person.handle else who, "delete", handle, reason, now)
    contest.store.clear_log()
    for upload in uploads:
        part_of(contest, upload.id).unlink(missing_ok=True)
    discard_archives(contest, [*freed, *(upload.sha256 for upload in uploads)])
    return handle


def _check_not_last(connection: Connection, person: Member) -> None:
    organisers = (ACCOUNTS.c.role == AccountRole.ORGANISER) & (ACCOUNTS.c.state == AccountState.ACTIVE)
    count = connection.execute(select(func.count()).select_from(ACCOUNTS).where(organisers)).scalar_one()
    if person.is_organiser and count == 1:
        raise StateError(f"{person.handle} is the last organiser; invite another one first")


def _leave(connection: Connection, team: str, account: str, now: float) -> list[str]:
    """Remove an account from its team; return the hashes of the archives that go with its last member."""
    here = (MEMBERS.c.account == account) & MEMBERS.c.left.is_(None)
    connection.execute(update(MEMBERS).where(here).values(left=now))
    if members_of(connection, team):
        return []
    own = SUBMISSIONS.c.team == team
    cancel_waiting(connection, own, now, "its team was deleted")
    of_team = (SCRIMMAGES.c.team == team) | (SCRIMMAGES.c.other == team)
    cancel_all(connection, of_team, now, "a team was deleted")
    for hook in connection.execute(select(HOOKS.c.id).where(HOOKS.c.team == team)).scalars().all():
        forget_target(connection, hook)
    for table in (HOOKS, LINKS):
        connection.execute(delete(table).where(table.c.team == team))
    archives = connection.execute(select(SUBMISSIONS.c.archive).where(own, SUBMISSIONS.c.kept)).scalars().all()
    connection.execute(update(SUBMISSIONS).where(own).values(kept=False, report="", note=""))
    return [*archives]
