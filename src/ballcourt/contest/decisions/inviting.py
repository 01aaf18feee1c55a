"""Invitations: accounts and teams that the organiser makes, each with a link that signs in once."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from sqlalchemy import Connection, select

from ballcourt.arena.ladder.arrivals.names import look_of
from ballcourt.contest.notifications.mailboxes import checked_mailbox, mail_link
from ballcourt.contest.people.accounts import AccountRole, AccountState, Member, account_named, add_account, person_of
from ballcourt.contest.people.teams import add_team, join_team, team_named
from ballcourt.contest.people.tokens import Purpose, new_link
from ballcourt.contest.refusals import StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import ACCOUNTS, TEAMS
from ballcourt.contest.submissions.sign_up import check_entry_open


@dataclass(frozen=True, slots=True)
class Invited:
    """An account with a link that signs in once."""

    handle: str
    team: str
    secret: str
    is_new: bool
    mail: str = ""
    """Where the link was mailed; empty if it was not."""


@dataclass(frozen=True, slots=True)
class Inviting:
    """How accounts are invited."""

    contest: Contest
    role: AccountRole
    valid_s: float

    def invite(self, people: Sequence[tuple[str, ...]]) -> list[Invited]:
        """Make accounts and teams where there are none, and a link for each; all or nothing.

        `people` has handles, names of teams and the addresses to which links are mailed, each of these empty for none.
        Raises ContestError.
        """
        with self.contest.store.writing() as connection:
            return [self._invite(connection, *one) for one in people]

    def _invite(self, connection: Connection, handle: str, team: str, mail: str = "") -> Invited:
        now = self.contest.now()
        known = connection.execute(select(ACCOUNTS.c.id).where(ACCOUNTS.c.look == look_of(handle))).scalar()
        if not known and self.role is AccountRole.CONTESTANT:
            check_entry_open(self.contest)
        account = str(
            account_named(connection, handle).id if known else add_account(connection, handle, now, self.role)
        )
        person = person_of(connection, account)
        if person is None:
            raise StateError(f"{handle} is {AccountState.SUSPENDED}; restore the account first")
        if team:
            self._join(connection, person, team)
        if mail and self.contest.settings.mail is None:
            raise StateError(
                f"{handle} has the address {mail}, but contest.toml has no table [mail]; add one, or give none"
            )
        to = checked_mailbox(self.contest, mail) if mail else None
        secret = new_link(connection, Purpose.SIGN_IN, now, now + self.valid_s, account=account, email=to)
        if to:
            text = f"You are invited to {self.contest.settings.name} as {handle}. This link signs you in, once:"
            mail_link(connection, to, "your account", text, f"/sign-in?link={secret}", now)
        return Invited(person.handle, team or person.team_name, secret, not known, mail)

    def _join(self, connection: Connection, person: Member, team: str) -> None:
        now = self.contest.now()
        known = connection.execute(select(TEAMS.c.id).where(TEAMS.c.look == look_of(team))).scalar()
        found = str(team_named(connection, team).id) if known else add_team(connection, team, now)
        if person.team is None:
            join_team(connection, found, person.account, self.contest.settings.teams.members, now)
        elif person.team != found:
            raise StateError(f"{person.handle} is in team {person.team_name} already, not in {team}")


def link_for(contest: Contest, secret: str) -> str:
    """Return the address of the page whose button signs in; opening it alone, as mail programs do, uses nothing up."""
    return f"{contest.settings.url}/sign-in?link={quote(secret)}"
