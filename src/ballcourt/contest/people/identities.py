"""Identities at issuers that are tied to accounts: who a person is, as an issuer says.

An identity is an issuer and its identifier of a person, which it never gives to another. Addresses of mail and names
are neither: people change them, and some issuers let them claim any.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, insert, select, update

from ballcourt.arena.secrets import new_id
from ballcourt.contest.refusals import NotThereError, StateError
from ballcourt.contest.store.schema import IDENTITIES

MOST_IDENTITIES: Final = 5
"""How many an account may have."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a person is, as an issuer says."""

    issuer: str
    subject: str
    """What the issuer calls them, for ever."""
    shown: str
    """How they know which of their identities it is."""


def account_of(connection: Connection, identity: Identity, now: float) -> str | None:
    """Return the account to which an identity is tied, and note that it was used; None if it is tied to none."""
    account = connection.execute(select(IDENTITIES.c.account).where(_is(identity))).scalar()
    connection.execute(update(IDENTITIES).where(_is(identity)).values(used=now, shown=identity.shown))
    return account


def tie(connection: Connection, account: str, identity: Identity, now: float) -> None:
    """Tie an identity to an account. Raises StateError if it is tied to another, or the account has too many."""
    tied_to = account_of(connection, identity, now)
    if tied_to == account:
        return
    if tied_to is not None:
        raise StateError("this identity is tied to another account; untie it there first")
    if len(identities_of(connection, account)) >= MOST_IDENTITIES:
        raise StateError(f"{MOST_IDENTITIES} identities are tied to this account; untie one first")
    about = {"issuer": identity.issuer, "subject": identity.subject, "shown": identity.shown}
    connection.execute(insert(IDENTITIES).values(id=new_id(), account=account, **about, created=now, used=now))


def untie(connection: Connection, account: str, identity: str) -> None:
    """Untie an identity from its account. Raises NotThereError, and StateError if it is the last one."""
    tied = [row.id for row in identities_of(connection, account)]
    if identity not in tied:
        raise NotThereError("there is no such identity")
    if len(tied) == 1:
        raise StateError("this is the last way into your account but links of the organiser; tie another one first")
    connection.execute(delete(IDENTITIES).where(IDENTITIES.c.id == identity))


def identities_of(connection: Connection, account: str) -> Sequence[Row[Any]]:
    """Return the identities of an account, the oldest first."""
    own = select(IDENTITIES).where(IDENTITIES.c.account == account)
    return connection.execute(own.order_by(IDENTITIES.c.created, IDENTITIES.c.id)).all()


def _is(identity: Identity) -> Any:  # noqa: ANN401 - an SQL expression
    return (IDENTITIES.c.issuer == identity.issuer) & (IDENTITIES.c.subject == identity.subject)
