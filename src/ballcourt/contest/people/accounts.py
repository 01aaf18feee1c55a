"""Accounts and their names: who they are, how they are made, and what the organiser may do to them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Column, Connection, Row, Select, insert, select, update

from ballcourt.arena.ladder.arrivals.names import RESERVED, look_of
from ballcourt.arena.naming import line_objection, name_objection
from ballcourt.arena.secrets import new_id
from ballcourt.contest.refusals import ContestError, NotThereError, StateError
from ballcourt.contest.store.schema import ACCOUNTS, MEMBERS, SESSIONS, TEAMS, TOKENS

DELETED: Final = "deleted-"
"""How the handle begins of an account that was deleted."""


class AccountRole(StrEnum):
    """What an account may do."""

    CONTESTANT = "contestant"
    ORGANISER = "organiser"


class AccountState(StrEnum):
    """Whether an account may act."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    DELETED = "deleted"


class Standing(StrEnum):
    """Whether a team or a bot is in the contest."""

    ACTIVE = "active"
    DISQUALIFIED = "disqualified"
    RELEASED = "released"
    """Its team gave a bot up, and may enter another one instead; the name stays the team's."""


@dataclass(frozen=True, slots=True)
class Member:
    """An account with its team; what a request knows of who sent it."""

    account: str
    handle: str
    shown: str
    role: AccountRole
    team: str | None
    """The id of the team; None without one."""
    team_name: str = ""
    bot: str = ""
    """The only bot that is seen and entered, by a token that is good for no other; empty for all of the team."""

    @property
    def is_organiser(self) -> bool:
        """Whether this is an organiser."""
        return self.role is AccountRole.ORGANISER


def checked_name(name: str, what: str) -> str:
    """Return the name for a person, a team or a bot. Raises ContestError if it may not be one."""
    if objection := name_objection(name):
        raise ContestError(f"{what} is {name!r}; {objection}")
    if look_of(name) in map(look_of, RESERVED) or name.casefold().startswith(DELETED):
        raise ContestError(f"{what} {name} means something else here; choose another one")
    return name


def checked_line(line: str, what: str) -> str:
    """Return a line that people wrote. Raises ContestError for more than a line."""
    if objection := line_objection(line):
        raise ContestError(f"{what}: {objection}")
    return line


def add_account(connection: Connection, handle: str, now: float, role: AccountRole = AccountRole.CONTESTANT) -> str:
    """Make an account; return its id. Raises StateError if the handle is taken."""
    checked_name(handle, "handle")
    if connection.execute(select(ACCOUNTS.c.id).where(ACCOUNTS.c.look == look_of(handle))).scalar():
        raise StateError(f"the handle {handle} is taken, or looks like one that is; choose another one")
    account = new_id()
    connection.execute(
        insert(ACCOUNTS).values(
            id=account,
            handle=handle,
            look=look_of(handle),
            shown=handle,
            role=role,
            state=AccountState.ACTIVE,
            created=now,
        )
    )
    return account


def account_named(connection: Connection, handle: str) -> Row[Any]:
    """Return an account by its handle. Raises NotThereError."""
    return row_named(connection, ACCOUNTS.c.handle, handle, "account")


def row_named(connection: Connection, column: Column[str], name: str, kind: str) -> Row[Any]:
    """Return the row of a table with a column `look` by its name in another column. Raises NotThereError.

    Upper and lower case are the same; names that only look alike are not.
    """
    table = column.table
    found = connection.execute(select(table).where(table.c.look == look_of(name))).one_or_none()
    if found is None or getattr(found, column.name).casefold() != name.casefold():
        raise NotThereError(f"there is no {kind} {name}")
    return found


def person_of(connection: Connection, account: str) -> Member | None:
    """Return who an account is; None if it may not act."""
    found = connection.execute(with_teams().where(ACCOUNTS.c.id == account)).one_or_none()
    return _member(found) if found is not None and found.state == AccountState.ACTIVE else None


def anybody(connection: Connection, handle: str) -> Member:
    """Return who an account is, also one that is suspended. Raises NotThereError."""
    is_it = ACCOUNTS.c.id == account_named(connection, handle).id
    return _member(connection.execute(with_teams().where(is_it)).one())


def with_teams() -> Select[Any]:
    """Return what selects accounts, with `team` and `team_name`, which are None without one."""
    joined = ACCOUNTS.outerjoin(MEMBERS, (MEMBERS.c.account == ACCOUNTS.c.id) & MEMBERS.c.left.is_(None)).outerjoin(
        TEAMS, TEAMS.c.id == MEMBERS.c.team
    )
    return select(*ACCOUNTS.c, TEAMS.c.id.label("team"), TEAMS.c.name.label("team_name")).select_from(joined)


def _member(found: Row[Any]) -> Member:
    return Member(found.id, found.handle, found.shown, AccountRole(found.role), found.team, found.team_name or "")


def rename(connection: Connection, account: str, shown: str) -> None:
    """Change the name by which an account is shown. Raises ContestError."""
    if not shown.strip():
        raise ContestError("name is empty; give at least a letter")
    connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == account).values(shown=checked_line(shown, "name")))


def set_standing(connection: Connection, account: str, standing: AccountState, now: float) -> None:
    """Suspend or restore an account; one that is suspended is signed out everywhere at once."""
    connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == account).values(state=standing))
    if standing is AccountState.ACTIVE:
        return
    connection.execute(SESSIONS.delete().where(SESSIONS.c.account == account))
    live = (TOKENS.c.account == account) & TOKENS.c.revoked.is_(None)
    connection.execute(update(TOKENS).where(live).values(revoked=now))
