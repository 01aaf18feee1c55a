"""Tokens of programs, and links that work once or a few times."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, insert, select, update

from ballcourt.arena.secrets import hash_of, new_id, new_secret
from ballcourt.contest.people.accounts import Member, checked_line, checked_name, person_of
from ballcourt.contest.refusals import ContestError, NotThereError, StateError
from ballcourt.contest.store.schema import LINKS, TOKENS

TOKEN: Final = "bct_"
"""How a token begins, so that programs that look for secrets in public files find it."""
DAY_S: Final = 86_400.0
TOKEN_DAYS, MOST_TOKEN_DAYS = 180, 400
MOST_TOKENS: Final = 20
USED_S: Final = 60.0
"""How exactly the last use of a token is kept."""


class Scope(StrEnum):
    """What a token is good for."""

    READ = "read"
    SUBMIT = "submit"
    PLAY = "play"
    """Of a bot, to dial in to the ladder."""
    EXAMINE = "examine"
    """Of examiners on other machines, which organisers run."""


OF_AUTHORS: Final = (Scope.READ, Scope.SUBMIT)


class Purpose(StrEnum):
    """What a link does."""

    SIGN_IN = "sign-in"
    JOIN = "join"
    FEED = "feed"
    MAIL = "mail"
    """Confirms the address of a mailbox."""
    DEVICE = "device-code"
    """Lets in a command line that was allowed."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who sent a request with a token, and what the token is good for."""

    person: Member
    scopes: frozenset[Scope]
    token: str
    used: float | None
    """When the token was used before, about."""


def new_token(
    connection: Connection,
    account: str,
    now: float,
    label: str = "",
    scopes: Collection[Scope] = OF_AUTHORS,
    *,
    days: int = TOKEN_DAYS,
    bot: str = "",
) -> tuple[str, str]:
    """Make a token, good for all bots of the team or one; return its id and the token, which is shown only now.

    Raises ContestError, also if there are too many.
    """
    if not 1 <= days <= MOST_TOKEN_DAYS:
        raise ContestError(f"days is {days}; it must be a whole number from 1 to {MOST_TOKEN_DAYS}")
    live = [row for row in tokens_of(connection, account) if row.revoked is None and row.until > now]
    if len(live) >= MOST_TOKENS:
        raise StateError(f"there are {MOST_TOKENS} tokens already; revoke one first")
    if not scopes:
        raise ContestError(f"a token without a scope is of no use; give it {' or '.join(OF_AUTHORS)}")
    secret, found = new_secret(TOKEN)
    token = new_id()
    connection.execute(
        insert(TOKENS).values(
            id=token,
            hash=found,
            account=account,
            label=checked_line(label, "label"),
            scopes=" ".join(sorted(scopes)),
            bot=checked_name(bot, "bot") if bot else "",
            created=now,
            until=now + days * DAY_S,
        )
    )
    return token, secret


def bearer_of(connection: Connection, secret: str, now: float) -> Bearer | None:
    """Return who has a token; None if it is not valid."""
    found = connection.execute(select(TOKENS).where(TOKENS.c.hash == hash_of(secret))).one_or_none()
    if found is None or found.revoked is not None or found.until <= now:
        return None
    person = person_of(connection, found.account)
    scopes = frozenset(map(Scope, found.scopes.split()))
    return Bearer(replace(person, bot=found.bot), scopes, found.id, found.used) if person else None


def note_use(connection: Connection, token: str, now: float) -> None:
    """Keep when a token was used last."""
    old = (TOKENS.c.id == token) & (TOKENS.c.used.is_(None) | (TOKENS.c.used < now - USED_S))
    connection.execute(update(TOKENS).where(old).values(used=now))


def tokens_of(connection: Connection, account: str) -> Sequence[Row[Any]]:
    """Return the tokens of an account, the newest first."""
    return connection.execute(
        select(TOKENS).where(TOKENS.c.account == account).order_by(TOKENS.c.created.desc(), TOKENS.c.id)
    ).all()


def revoke_token(connection: Connection, account: str, token: str, now: float) -> None:
    """Revoke a token of an account, at once. Raises NotThereError."""
    live = (TOKENS.c.id == token) & (TOKENS.c.account == account) & TOKENS.c.revoked.is_(None)
    if not connection.execute(update(TOKENS).where(live).values(revoked=now)).rowcount:
        raise NotThereError("there is no such token")


def new_link(
    connection: Connection,
    purpose: Purpose,
    now: float,
    until: float,
    *,
    account: str | None = None,
    team: str | None = None,
    uses: int = 1,
    email: str | None = None,
) -> str:
    """Make a link; return its secret. Older sign-in links of the account stop working, as do links that have ended."""
    ended = LINKS.c.until <= now
    if account:
        ended |= (LINKS.c.account == account) & (LINKS.c.purpose == purpose)
    connection.execute(delete(LINKS).where(ended))
    secret, found = new_secret()
    connection.execute(
        insert(LINKS).values(
            hash=found,
            purpose=purpose,
            account=account,
            team=team,
            email=email,
            uses=uses,
            created=now,
            until=until,
        )
    )
    return secret


def use_link(connection: Connection, purpose: Purpose, secret: str, now: float) -> Row[Any]:
    """Use a link up by one, and return it. Raises NotThereError if it is not valid any more."""
    is_it = (LINKS.c.hash == hash_of(secret)) & (LINKS.c.purpose == purpose)
    valid = is_it & (LINKS.c.uses > 0) & (LINKS.c.until > now)
    if not connection.execute(update(LINKS).where(valid).values(uses=LINKS.c.uses - 1)).rowcount:
        raise NotThereError("this link has been used, has ended, or never was one; ask for another one")
    return connection.execute(select(LINKS).where(is_it)).one()


def link_of(connection: Connection, purpose: Purpose, secret: str, now: float) -> Row[Any] | None:
    """Return a link that may be used without end; None if it is not valid."""
    valid = (LINKS.c.hash == hash_of(secret)) & (LINKS.c.purpose == purpose) & (LINKS.c.until > now)
    return connection.execute(select(LINKS).where(valid)).one_or_none()
