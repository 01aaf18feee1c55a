"""The audit chain: every decision of an organiser, with its reason, in an order that cannot be changed unnoticed.

Each row has the SHA-256 of what it says and of the row before it. `contest verify` computes them again.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select

from ballcourt.contest.refusals import ContestError
from ballcourt.contest.store.schema import AUDIT

FIRST: Final = "0" * 64
LONGEST_REASON: Final = 1000


def note_decision(
    connection: Connection,
    who: str,
    action: str,
    subject: str,
    reason: str,
    now: float,
    details: Mapping[str, object] | None = None,
) -> int:
    """Add a decision to the chain; return its number. Raises ContestError without a reason."""
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise ContestError(f"reason must have 1 to {LONGEST_REASON} characters; the chain of decisions keeps it")
    last = connection.execute(select(AUDIT.c.number, AUDIT.c.hash).order_by(AUDIT.c.number.desc()).limit(1)).first()
    number, before = (last.number + 1, last.hash) if last else (1, FIRST)
    values = {
        "number": number,
        "at": now,
        "who": who,
        "action": action,
        "subject": subject,
        "reason": reason,
        "details": json.dumps(details or {}, sort_keys=True),
    }
    connection.execute(insert(AUDIT).values(**values, hash=_hash(values, before)))
    return int(number)


def decisions(connection: Connection) -> Iterator[Row[Any]]:
    """Yield the decisions, the first one first."""
    yield from connection.execute(select(AUDIT).order_by(AUDIT.c.number))


def amounts(details: str) -> str:
    """Return the numbers among the details of a decision that are not 0, in words such as " (5 attempts)"."""
    found = [f"{value} {name}" for name, value in json.loads(details).items() if isinstance(value, int) and value]
    return f" ({', '.join(found)})" if found else ""


def first_break(connection: Connection) -> int:
    """Return the number of the first decision that was changed, or that one before it is missing; 0 if all is well."""
    before = FIRST
    for expected, row in enumerate(decisions(connection), 1):
        values = {name: value for name, value in row._mapping.items() if name != "hash"}
        if row.number != expected or row.hash != _hash(values, before):
            return expected
        before = row.hash
    return 0


def _hash(values: Mapping[str, Any], before: str) -> str:
    plain = json.dumps({**values, "at": repr(float(values["at"]))}, sort_keys=True, ensure_ascii=True)
    return sha256(f"{before}\n{plain}".encode()).hexdigest()
