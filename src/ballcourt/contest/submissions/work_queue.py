"""The queue of work for examiners: submissions to be examined, for the first time or again, and scrimmages."""

from enum import StrEnum

from sqlalchemy import Connection, delete, func, insert, select

from ballcourt.contest.store.schema import WORK


class WorkKind(StrEnum):
    """What an examiner has to do. What comes first here is taken up first."""

    EXAM = "exam"
    AGAIN = "re-exam"
    """The exam of a submission that was examined before; it stays what it is until then."""
    SCRIMMAGE = "scrimmage"

    @property
    def is_exam(self) -> bool:
        """Whether a submission is examined."""
        return self is not WorkKind.SCRIMMAGE


def enqueue(connection: Connection, kind: WorkKind, subject: str, team: str, now: float) -> None:
    """Add a submission or a scrimmage of a team."""
    dequeue(connection, kind, subject)
    about = {"kind": kind, "subject": subject, "team": team, "created": now}
    connection.execute(insert(WORK).values(**about, state="waiting"))


def dequeue(connection: Connection, kind: WorkKind, subject: str) -> None:
    """Remove a submission or a scrimmage; what an examiner that has it still sends is ignored."""
    connection.execute(delete(WORK).where(WORK.c.kind == kind, WORK.c.subject == subject))


def again_waiting(connection: Connection) -> int:
    """Return how many submissions are still to be examined again."""
    return connection.execute(select(func.count()).where(WORK.c.kind == WorkKind.AGAIN)).scalar_one()
