"""The states of a submission. Each change is kept; a state changes only from one that allows it."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select, update

from ballcourt.arena.printable import printable
from ballcourt.contest.notifications.outbox import Tidings, tell_team
from ballcourt.contest.store.schema import STATES, SUBMISSIONS


class SubmissionState(StrEnum):
    """The state of a submission."""

    WAITING = "waiting"
    EXAMINING = "examining"
    ACCEPTED = "accepted"
    """It has passed, and the ladder is to let it in."""
    PLAYING = "playing"
    REFUSED = "refused"
    FAILED = "failed"
    """The arena could not examine it; that is not its author's fault, and no limit counts it."""
    SUPERSEDED = "superseded"
    """A newer one of the same bot arrived while it waited."""
    CANCELLED = "cancelled"
    """Its team took it back while it waited."""
    RETIRED = "retired"
    """A rule of the ladder ended its play, such as that only the newest versions stay."""
    WITHDRAWN = "withdrawn"
    """The organiser ended its play."""


PENDING: Final = (SubmissionState.WAITING, SubmissionState.EXAMINING)
PASSED: Final = (
    SubmissionState.ACCEPTED,
    SubmissionState.PLAYING,
    SubmissionState.RETIRED,
    SubmissionState.WITHDRAWN,
)
PLAYABLE: Final = (SubmissionState.ACCEPTED, SubmissionState.PLAYING, SubmissionState.RETIRED)
"""What may play in the finals, or in a scrimmage."""
LET_IN: Final = (SubmissionState.PLAYING, SubmissionState.RETIRED)
"""What the ladder has let in, and no organiser withdrew."""
MAILED: Final = (
    SubmissionState.PLAYING,
    SubmissionState.REFUSED,
    SubmissionState.FAILED,
    SubmissionState.RETIRED,
    SubmissionState.WITHDRAWN,
)
"""The states about which teams get mail; webhooks are called for every state."""
UNCOUNTED: Final = (SubmissionState.FAILED, SubmissionState.CANCELLED, SubmissionState.SUPERSEDED)
"""What was not examined, so that no limit counts it."""
FROM: Final = {
    SubmissionState.WAITING: (SubmissionState.EXAMINING, SubmissionState.FAILED),
    SubmissionState.EXAMINING: (SubmissionState.WAITING,),
    SubmissionState.ACCEPTED: (SubmissionState.EXAMINING, SubmissionState.REFUSED),
    SubmissionState.REFUSED: (SubmissionState.EXAMINING, SubmissionState.ACCEPTED),
    SubmissionState.FAILED: (SubmissionState.EXAMINING,),
    SubmissionState.SUPERSEDED: (SubmissionState.WAITING,),
    SubmissionState.CANCELLED: (SubmissionState.WAITING,),
    SubmissionState.PLAYING: (SubmissionState.ACCEPTED, SubmissionState.RETIRED, SubmissionState.WITHDRAWN),
    SubmissionState.RETIRED: (SubmissionState.ACCEPTED, SubmissionState.PLAYING),
    SubmissionState.WITHDRAWN: (SubmissionState.ACCEPTED, SubmissionState.PLAYING, SubmissionState.RETIRED),
}
"""From which states each state can be reached."""


def begin(connection: Connection, submission: str, now: float) -> None:
    """Note that a submission waits from now on."""
    _note(connection, submission, SubmissionState.WAITING, now, "")


def move(
    connection: Connection,
    submission: str,
    to: SubmissionState,
    now: float,
    sentence: str = "",
    **values: object,
) -> bool:
    """Move a submission to another state, and keep that; return False if its present state does not allow it."""
    may = (SUBMISSIONS.c.id == submission) & SUBMISSIONS.c.state.in_(FROM[to])
    sentence = printable(sentence)  # it may have words of a bot
    changed = update(SUBMISSIONS).where(may).values(state=to, sentence=sentence, changed=now, **values)
    if not connection.execute(changed).rowcount:
        return False
    _note(connection, submission, to, now, sentence)
    return True


def states_of(connection: Connection, submissions: Collection[str]) -> Sequence[Row[Any]]:
    """Return the states through which submissions have gone, in order."""
    chosen = STATES.c.submission.in_(submissions)
    return connection.execute(select(STATES).where(chosen).order_by(STATES.c.id)).all()


def _note(connection: Connection, submission: str, state: SubmissionState, now: float, detail: str) -> None:
    """Keep a state, and let its team know."""
    values = {"submission": submission, "state": state, "at": now, "detail": detail}
    number = connection.execute(insert(STATES).values(**values).returning(STATES.c.id)).scalar_one()
    row = connection.execute(select(SUBMISSIONS).where(SUBMISSIONS.c.id == submission)).one()
    about = {"submission": submission, "number": row.number, "bot": row.bot, "state": str(state), "detail": detail}
    title = f"submission {row.number}, {row.bot}: {state}"
    path = f"/submissions/{submission}"
    news = Tidings(f"state-{number}", title, detail or title, path, f"submission.{state}", about)
    tell_team(connection, row.team, news, now, by_mail=state in MAILED)
