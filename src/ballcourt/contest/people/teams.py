"""Teams: how they are made, joined and left. An account is in one team at a time; a team owns its bots."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from ballcourt.arena.ladder.arrivals.names import look_of
from ballcourt.arena.secrets import new_id
from ballcourt.contest.people.accounts import Standing, checked_name, row_named
from ballcourt.contest.refusals import StateError
from ballcourt.contest.store.schema import ACCOUNTS, BOTS, MEMBERS, SUBMISSIONS, TEAMS


def add_bot(connection: Connection, team: str, name: str, now: float, *, remote: bool) -> None:
    """Reserve a free name for a team's bot, which is entered as archives, or is `remote` and dials in."""
    values = {"id": new_id(), "team": team, "name": name, "look": look_of(name), "created": now, "remote": remote}
    connection.execute(insert(BOTS).values(**values, state=Standing.ACTIVE))


def add_team(connection: Connection, name: str, now: float) -> str:
    """Make a team; return its id. Raises StateError if the name is taken."""
    checked_name(name, "team")
    if connection.execute(select(TEAMS.c.id).where(TEAMS.c.look == look_of(name))).scalar():
        raise StateError(f"the team name {name} is taken, or looks like one that is; choose another one")
    team = new_id()
    connection.execute(insert(TEAMS).values(id=team, name=name, look=look_of(name), state=Standing.ACTIVE, created=now))
    return team


def team_named(connection: Connection, name: str) -> Row[Any]:
    """Return a team by its name. Raises NotThereError."""
    return row_named(connection, TEAMS.c.name, name, "team")


def team_with(connection: Connection, team: str) -> Row[Any]:
    """Return a team by its id."""
    return connection.execute(select(TEAMS).where(TEAMS.c.id == team)).one()


def check_standing(team: Row[Any], bot: Row[Any] | None = None) -> None:
    """Raise StateError for a team, or its bot, that is disqualified, and for a bot that was released."""
    for kind, found in (("team", team), ("the bot", bot)):
        if found and found.state != Standing.ACTIVE:
            raise StateError(f"{kind} {found.name} is {found.state}; ask the organiser")


def join_team(connection: Connection, team: str, account: str, most: int, now: float) -> None:
    """Add an account to a team. Raises StateError if it is in one already, or the team is full."""
    found = team_with(connection, team)
    check_standing(found)
    here = (MEMBERS.c.account == account) & MEMBERS.c.left.is_(None)
    if connection.execute(select(MEMBERS.c.id).where(here)).scalar():
        raise StateError("you are in a team already; leave it first")
    if len(members_of(connection, team)) >= most:
        raise StateError(f"team {found.name} is full: it has {most} members, and no more are allowed")
    connection.execute(insert(MEMBERS).values(id=new_id(), team=team, account=account, since=now))


def leave_team(connection: Connection, team: str, account: str, now: float) -> None:
    """Remove an account from its team. Raises StateError if submissions would be left without an account.

    So does a team that is disqualified: its members would go on as another one.
    """
    check_standing(team_with(connection, team))
    submitted = connection.execute(
        select(func.count()).select_from(SUBMISSIONS).where(SUBMISSIONS.c.team == team)
    ).scalar_one()
    if submitted and len(members_of(connection, team)) == 1:
        raise StateError(
            "you are the last member of a team that has submissions; let another one join it first, or delete your "
            "account"
        )
    here = (MEMBERS.c.account == account) & (MEMBERS.c.team == team) & MEMBERS.c.left.is_(None)
    connection.execute(update(MEMBERS).where(here).values(left=now))


def members_of(connection: Connection, team: str) -> Sequence[Any]:
    """Return the accounts that are in a team now, by their handles."""
    joined = MEMBERS.join(ACCOUNTS, ACCOUNTS.c.id == MEMBERS.c.account)
    return connection.execute(
        select(ACCOUNTS.c.id, ACCOUNTS.c.handle, ACCOUNTS.c.shown, MEMBERS.c.since)
        .select_from(joined)
        .where(MEMBERS.c.team == team, MEMBERS.c.left.is_(None))
        .order_by(ACCOUNTS.c.look)
    ).all()
