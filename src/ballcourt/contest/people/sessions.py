"""Sessions of browsers: who is signed in, since when, and until when."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, insert, select, update

from ballcourt.arena.secrets import hash_of, new_id, new_secret
from ballcourt.contest.refusals import NotThereError
from ballcourt.contest.store.schema import SESSIONS

IDLE_S: Final = 14 * 86_400.0
LONGEST_S: Final = 90 * 86_400.0
SEEN_S: Final = 300.0
"""How exactly the last use of a session is kept."""
LONGEST_BROWSER: Final = 200


def begin_session(connection: Connection, account: str, browser: str, now: float) -> str:
    """Sign an account in; return the secret of the new session. Sessions that have ended are forgotten."""
    connection.execute(delete(SESSIONS).where(_ended(now)))
    secret, found = new_secret()
    shown = "".join(char for char in browser if char.isprintable())[:LONGEST_BROWSER]
    begun = {"account": account, "browser": shown, "created": now, "seen": now}
    connection.execute(insert(SESSIONS).values(id=new_id(), hash=found, **begun))
    return secret


def session_of(connection: Connection, secret: str, now: float) -> Row[Any] | None:
    """Return a session by its secret; None if it has ended."""
    is_it = SESSIONS.c.hash == hash_of(secret)
    return connection.execute(select(SESSIONS).where(is_it, ~_ended(now))).one_or_none()


def note_sight(connection: Connection, session: str, now: float) -> None:
    """Keep when a session was used last."""
    connection.execute(update(SESSIONS).where(SESSIONS.c.id == session).values(seen=now))


def sessions_of(connection: Connection, account: str, now: float) -> Sequence[Row[Any]]:
    """Return the sessions of an account, the one used last first."""
    own = select(SESSIONS).where(SESSIONS.c.account == account, ~_ended(now))
    return connection.execute(own.order_by(SESSIONS.c.seen.desc())).all()


def end_session(connection: Connection, account: str, session: str) -> None:
    """End a session of an account. Raises NotThereError."""
    own = (SESSIONS.c.id == session) & (SESSIONS.c.account == account)
    if not connection.execute(delete(SESSIONS).where(own)).rowcount:
        raise NotThereError("there is no such session")


def _ended(now: float) -> Any:  # noqa: ANN401 - an SQL expression
    return (SESSIONS.c.seen <= now - IDLE_S) | (SESSIONS.c.created <= now - LONGEST_S)
