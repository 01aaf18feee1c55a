"""The addresses to which mail for an account goes: given, confirmed by a link that was mailed there, and removed."""

from typing import Final

from sqlalchemy import Connection, func, select, update

from ballcourt.arena.secrets import hash_of
from ballcourt.contest.notifications.outbox import MAIL, post, recent
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.tokens import Purpose, new_link, use_link
from ballcourt.contest.refusals import ContestError, LimitError, NotThereError, StateError
from ballcourt.contest.settings import mail_objection
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import ACCOUNTS

HOUR_S: Final = 3600.0
MOST_OF_MAILBOX: Final = 3
"""How many links may be mailed to an address within an hour."""
CONFIRM_S: Final = 86_400.0


def checked_mailbox(contest: Contest, address: str) -> str:
    """Return the address of a mailbox. Raises ContestError if it is invalid, and StateError without mail."""
    if contest.settings.mail is None:
        raise StateError("this contest sends no mail")
    if objection := mail_objection(address):
        raise ContestError(f"mail is {address[:80]!r}; {objection}")
    return address


def mail_link(connection: Connection, address: str, title: str, text: str, path: str, now: float) -> None:
    """Mail a link. Raises LimitError if an address was mailed too many within an hour."""
    if recent(connection, address, now - HOUR_S) >= MOST_OF_MAILBOX:
        raise LimitError(f"{MOST_OF_MAILBOX} messages went to this address within an hour; try again later", HOUR_S)
    event = f"link-{hash_of(path)[:16]}"
    post(connection, MAIL, address, event, title, f"{text}\n\n{{url}}{path}\n", now)


def mailbox_of(connection: Connection, account: str) -> str | None:
    """Return the confirmed address of an account."""
    return connection.execute(select(ACCOUNTS.c.email).where(ACCOUNTS.c.id == account)).scalar()


def ask_mailbox(contest: Contest, person: Member, address: str) -> None:
    """Mail a link to an address that a person gave; it is used once they open the link. Raises ContestError."""
    address, now = checked_mailbox(contest, address), contest.now()
    with contest.store.writing() as connection:
        until = now + CONFIRM_S
        secret = new_link(connection, Purpose.MAIL, now, until, account=person.account, email=address)
        text = f"{person.handle} wants to get mail here about the contest. If that is you, confirm it:"
        mail_link(connection, address, "confirm your address", text, f"/confirm?link={secret}", now)


def confirm_mailbox(contest: Contest, secret: str, person: Member) -> None:
    """Use the address that a link confirms. Raises NotThereError."""
    with contest.store.writing() as connection:
        used = use_link(connection, Purpose.MAIL, secret, contest.now())
        if used.account != person.account:
            raise NotThereError("this link is for another account; sign in with that one")
        keep_mailbox(connection, contest, used.account, used.email)


def keep_mailbox(connection: Connection, contest: Contest, account: str, address: str) -> None:
    """Keep the address of an account, whose owner has shown that it is theirs.

    Raises StateError if as many others as may have it do, in whatever case they have written it.
    """
    same = (func.lower(ACCOUNTS.c.email) == address.lower()) & (ACCOUNTS.c.id != account)
    others = connection.execute(select(ACCOUNTS.c.handle).where(same)).scalars().all()
    if contest.settings.mail and len(others) >= contest.settings.mail.accounts:
        raise StateError(f"the address {address} belongs to the account {others[0]}; use that one")
    connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == account).values(email=address))


def remove_mailbox(contest: Contest, person: Member) -> None:
    """Forget the address of an account."""
    with contest.store.writing() as connection:
        connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == person.account).values(email=None))
