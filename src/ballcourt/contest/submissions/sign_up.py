"""Signing up where everybody may: a handle, and a link that signs in once, or an identity of an issuer.

The link goes to the organiser, or by mail.
"""

from typing import Final

from sqlalchemy import Connection, func, select

from ballcourt.contest.notifications.mailboxes import HOUR_S, checked_mailbox, mail_link
from ballcourt.contest.people.accounts import add_account
from ballcourt.contest.people.identities import Identity, tie
from ballcourt.contest.people.tokens import DAY_S, Purpose, new_link
from ballcourt.contest.refusals import LimitError, StateError
from ballcourt.contest.settings import SignInTable
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import ACCOUNTS

MOST_OF_ADDRESS: Final = 10
"""How many accounts may be asked for within an hour from an address; the server counts them."""
MOST_OF_ALL: Final = 200
"""How many accounts may be made within an hour."""
VALID_S: Final = 14 * DAY_S


def check_entry_open(contest: Contest, *, by_oneself: bool = False, at: SignInTable | None = None) -> None:
    """Raise StateError if no account may be made now, or none without an invitation; `at` is the issuer for which."""
    entry = contest.settings.entry
    if entry == "closed":
        raise StateError(f"{contest.settings.name} takes no new accounts; entry is closed in contest.toml")
    if at and at.entry:
        entry = at.entry
    if by_oneself and entry != "open":
        raise StateError(f"{contest.settings.name} is entered by invitation; ask its organiser for a link")


def may_sign_up(contest: Contest, at: SignInTable | None = None) -> bool:
    """Whether people make accounts by themselves."""
    try:
        check_entry_open(contest, by_oneself=True, at=at)
    except StateError:
        return False
    return True


def sign_up(contest: Contest, handle: str, mail: str = "") -> str | None:
    """Make an account; return the secret of the link that signs it in, or None if it was mailed. Raises ContestError.

    Where mail is sent, an account needs an address, which only the link that went there can use.
    """
    check_entry_open(contest, by_oneself=True)
    now = contest.now()
    if contest.settings.mail:
        mail = checked_mailbox(contest, mail)
    with contest.store.writing() as connection:
        account, until = _add(connection, handle, now), now + VALID_S
        if not contest.settings.mail:
            return new_link(connection, Purpose.SIGN_IN, now, until, account=account)
        secret = new_link(connection, Purpose.SIGN_IN, now, until, account=account, email=mail)
        text = f"{handle} has signed up with this address. If that is you, this link signs you in, once:"
        mail_link(connection, mail, "your account", text, f"/sign-in?link={secret}", now)
        return None


def sign_up_as(contest: Contest, connection: Connection, handle: str, identity: Identity, at: SignInTable) -> str:
    """Make an account for an identity of an issuer, and return its id. Raises ContestError."""
    check_entry_open(contest, by_oneself=True, at=at)
    now = contest.now()
    account = _add(connection, handle, now)
    tie(connection, account, identity, now)
    return account


def _add(connection: Connection, handle: str, now: float) -> str:
    """Make an account, unless too many were made lately."""
    recent = select(func.count()).select_from(ACCOUNTS).where(ACCOUNTS.c.created > now - HOUR_S)
    if connection.execute(recent).scalar_one() >= MOST_OF_ALL:
        raise LimitError(f"{MOST_OF_ALL} accounts were made within an hour; try again later", HOUR_S / 4)
    return add_account(connection, handle, now)
