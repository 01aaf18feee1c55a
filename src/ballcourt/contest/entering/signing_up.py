"""Signing up where everybody may: a handle, and a link that signs in once, which goes to the organiser or by mail."""

from typing import Final

from sqlalchemy import func, select

from ballcourt.contest.people.accounts import add_account
from ballcourt.contest.people.tokens_kept import DAY_S, Purpose, new_link
from ballcourt.contest.refusals import LimitError, StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import ACCOUNTS
from ballcourt.contest.telling.mailboxes import HOUR_S, checked_mailbox, mail_link

MOST_OF_ADDRESS: Final = 10
"""How many accounts may be asked for within an hour from an address; the server counts them."""
MOST_OF_ALL: Final = 200
"""How many accounts may be made within an hour."""
VALID_S: Final = 14 * DAY_S


def check_entry_open(contest: Contest, *, by_oneself: bool = False) -> None:
    """Raise StateError if no account may be made now, or none without an invitation."""
    if contest.settings.entry == "closed":
        raise StateError(f"{contest.settings.name} takes nobody new; entry is closed in contest.toml")
    if by_oneself and contest.settings.entry != "open":
        raise StateError(f"{contest.settings.name} is entered by invitation; ask its organiser for a link")


def sign_up(contest: Contest, handle: str, mail: str = "") -> str | None:
    """Make an account; return the secret of the link that signs it in, or None if it was mailed. Raises ContestError.

    Where mail is sent, an account needs an address, which only the link that went there can use.
    """
    check_entry_open(contest, by_oneself=True)
    now = contest.now()
    if contest.settings.mail:
        mail = checked_mailbox(contest, mail)
    with contest.store.writing() as connection:
        recent = select(func.count()).select_from(ACCOUNTS).where(ACCOUNTS.c.created > now - HOUR_S)
        if connection.execute(recent).scalar_one() >= MOST_OF_ALL:
            raise LimitError(f"{MOST_OF_ALL} accounts were made within an hour; try again later", HOUR_S / 4)
        account, until = add_account(connection, handle, now), now + VALID_S
        if not contest.settings.mail:
            return new_link(connection, Purpose.SIGN_IN, now, until, account=account)
        secret = new_link(connection, Purpose.SIGN_IN, now, until, account=account, email=mail)
        text = f"{handle} has signed up with this address. If that is you, this link signs you in, once:"
        mail_link(connection, mail, "your account", text, f"/sign-in?link={secret}", now)
        return None
