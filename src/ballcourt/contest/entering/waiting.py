"""What waits for an examiner: submissions to be examined, and scrimmages to be played."""

from enum import StrEnum

from sqlalchemy import Connection, delete, insert

from ballcourt.contest.store.schema import WORK


class WorkKind(StrEnum):
    """What an examiner has to do. What comes first here is taken up first."""

    EXAM = "exam"
    SCRIMMAGE = "scrimmage"


def enqueue(connection: Connection, kind: WorkKind, subject: str, team: str, now: float) -> None:
    """Let a submission or a scrimmage of a team wait for an examiner."""
    dequeue(connection, kind, subject)
    about = {"kind": kind, "subject": subject, "team": team, "created": now}
    connection.execute(insert(WORK).values(**about, state="waiting", tries=0, holder="", until=0.0, fence=0))


def dequeue(connection: Connection, kind: WorkKind, subject: str) -> None:
    """Let a submission or a scrimmage wait no longer; an examiner that has it is not heard any more."""
    connection.execute(delete(WORK).where(WORK.c.kind == kind, WORK.c.subject == subject))
