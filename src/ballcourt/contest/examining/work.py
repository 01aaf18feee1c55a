"""The queue of submissions: a table, from which examiners take work for a limited time.

Whoever takes a submission up holds it for `LEASE_S`, and longer as long as it says that it is alive. Each lease has a
number; what is answered with an older one is thrown away. After `MOST_TRIES` leases without an answer a submission has
failed, so that one that kills its examiner does not stop the queue.
"""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from ballcourt.arena.ladder.arrivals.names import look_of
from ballcourt.contest.entering.states import SubmissionState, move
from ballcourt.contest.people.secrets_kept import new_id
from ballcourt.contest.people.teams import lock_team
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import BOTS, EXAMINERS, SUBMISSIONS, TEAMS, WORK

LEASE_S: Final = 120.0
BEAT_S: Final = 30.0
SEEN_S: Final = 15.0
"""How exactly it is kept when an examiner was seen last that has nothing to do."""
FORGOTTEN_S: Final = 86_400.0
MOST_TRIES: Final = 3
LOST: Final = "its examiner ended or could not be reached; it is examined again"
GIVEN_UP: Final = (
    f"the arena could not examine it in {MOST_TRIES} tries; that is not your bot's fault, no limit counts it, and the "
    "organiser sees it"
)


@dataclass(frozen=True, slots=True)
class Leased:
    """A submission that was taken up."""

    work: int
    fence: int
    submission: str
    team: str
    team_name: str
    bot: str
    archive: str


@dataclass(frozen=True, slots=True)
class ExamFinding:
    """What was found out about a submission."""

    is_accepted: bool
    sentence: str
    report: str
    """JSON."""
    version: str = ""
    content_hash: str = ""


def lease(contest: Contest, holder: str) -> Leased | None:
    """Take up the next submission: of the team that was examined least lately, and of it the first; None if none waits.

    A team has one that is examined at a time.
    """
    with contest.store.writing() as connection:
        now = contest.now()
        _expire(connection, now)
        _note_sight(connection, holder, now)
        row = _next(connection)
        if row is None:
            return None
        taken = {"state": "leased", "holder": holder, "until": now + LEASE_S}
        counted = {"tries": WORK.c.tries + 1, "fence": WORK.c.fence + 1}
        connection.execute(update(WORK).where(WORK.c.id == row.id).values(**taken, **counted))
        connection.execute(update(TEAMS).where(TEAMS.c.id == row.team).values(examined=now))
        move(connection, row.submission, SubmissionState.EXAMINING, now)
        return _leased(row, row.fence + 1)


def leased_as(contest: Contest, work: int, fence: int) -> Leased | None:
    """Return the submission that somebody holds by the number of a lease; None if it is not held by it any more."""
    with contest.store.reading() as connection:
        held = (WORK.c.id == work) & (WORK.c.fence == fence) & (WORK.c.state == "leased")
        row = connection.execute(_described().where(held)).one_or_none()
    return _leased(row, fence) if row else None


def beat(contest: Contest, leased: Leased) -> bool:
    """Hold a submission for longer; return False if somebody else has it now."""
    with contest.store.writing() as connection:
        held = update(WORK).where(_is_held(leased)).values(until=contest.now() + LEASE_S)
        return bool(connection.execute(held).rowcount)


def give_back(contest: Contest, leased: Leased) -> None:
    """Let others take a submission up again, or give it up if it was tried too often."""
    with contest.store.writing() as connection:
        if connection.execute(update(WORK).where(_is_held(leased)).values(until=contest.now())).rowcount:
            _expire(connection, contest.now())


def settle(contest: Contest, leased: Leased, finding: ExamFinding) -> SubmissionState | None:
    """Keep what was found out about a submission; return its state, None if somebody else has it now."""
    with contest.store.writing() as connection:
        if not connection.execute(delete(WORK).where(_is_held(leased))).rowcount:
            return None
        sentence = finding.sentence
        if finding.is_accepted:
            sentence = _claim_name(connection, contest, leased) or sentence
        is_accepted = finding.is_accepted and sentence == finding.sentence
        state = SubmissionState.ACCEPTED if is_accepted else SubmissionState.REFUSED
        found = {"report": finding.report, "version": finding.version, "content_hash": finding.content_hash}
        move(connection, leased.submission, state, contest.now(), sentence, **found)
        return state


def oldest_waiting(connection: Connection) -> float | None:
    """Return since when the submission waits that waits longest; None if none does."""
    waiting = select(func.min(WORK.c.created)).where(WORK.c.state == "waiting")
    found = connection.execute(waiting).scalar()
    return None if found is None else float(found)


def examiners_seen(connection: Connection, now: float, within_s: float) -> int:
    """Return how many examiners hold a submission, or have looked for one within this number of seconds."""
    idle = connection.execute(select(EXAMINERS.c.holder).where(EXAMINERS.c.seen > now - within_s)).scalars()
    busy = connection.execute(select(WORK.c.holder).where(WORK.c.state == "leased", WORK.c.until > now)).scalars()
    return len({*idle, *busy})


def place_of(connection: Connection, submission: str) -> int | None:
    """Return how many submissions are taken up before this one, at most; None if it does not wait."""
    joined = WORK.join(SUBMISSIONS, SUBMISSIONS.c.id == WORK.c.submission).join(TEAMS, TEAMS.c.id == SUBMISSIONS.c.team)
    rows = connection.execute(
        select(WORK.c.submission, SUBMISSIONS.c.team)
        .select_from(joined)
        .where(WORK.c.state == "waiting")
        .order_by(TEAMS.c.examined, WORK.c.created)
    ).all()
    return next((number for number, row in enumerate(rows) if row.submission == submission), None)


def _next(connection: Connection) -> Any:  # noqa: ANN401 - a row, or None
    busy_teams = (
        select(SUBMISSIONS.c.team)
        .select_from(WORK.join(SUBMISSIONS, SUBMISSIONS.c.id == WORK.c.submission))
        .where(WORK.c.state == "leased")
    )
    return connection.execute(
        _described()
        .where(WORK.c.state == "waiting", SUBMISSIONS.c.team.not_in(busy_teams))
        .order_by(TEAMS.c.examined, WORK.c.created, WORK.c.id)
        .limit(1)
        .with_for_update(skip_locked=True, of=[WORK, TEAMS])
    ).first()


def _described() -> Select[Any]:
    """Return what selects work, with what its examiner has to know."""
    joined = WORK.join(SUBMISSIONS, SUBMISSIONS.c.id == WORK.c.submission).join(TEAMS, TEAMS.c.id == SUBMISSIONS.c.team)
    submission = (SUBMISSIONS.c.team, SUBMISSIONS.c.bot, SUBMISSIONS.c.archive)
    columns = (WORK.c.id, WORK.c.fence, WORK.c.submission, *submission, TEAMS.c.name.label("team_name"))
    return select(*columns).select_from(joined)


def _leased(row: Any, fence: int) -> Leased:  # noqa: ANN401 - a row
    return Leased(row.id, fence, row.submission, row.team, row.team_name, row.bot, row.archive)


def _note_sight(connection: Connection, holder: str, now: float) -> None:
    """Keep that an examiner was seen, and forget those that have been away for a day."""
    seen = connection.execute(select(EXAMINERS.c.seen).where(EXAMINERS.c.holder == holder)).scalar()
    if seen is None:
        connection.execute(delete(EXAMINERS).where(EXAMINERS.c.seen < now - FORGOTTEN_S))
        connection.execute(insert(EXAMINERS).values(holder=holder, seen=now))
    elif seen < now - SEEN_S:
        connection.execute(update(EXAMINERS).where(EXAMINERS.c.holder == holder).values(seen=now))


def _expire(connection: Connection, now: float) -> None:
    """Let the submissions wait again whose holders have not been heard of, or give them up."""
    late = (WORK.c.state == "leased") & (WORK.c.until <= now)
    freed = update(WORK).where(late).values(state="waiting", holder="").returning(WORK.c.submission, WORK.c.tries)
    for row in connection.execute(freed).all():
        if row.tries < MOST_TRIES:
            move(connection, row.submission, SubmissionState.WAITING, now, LOST)
        else:
            connection.execute(delete(WORK).where(WORK.c.submission == row.submission))
            move(connection, row.submission, SubmissionState.FAILED, now, GIVEN_UP)


def _claim_name(connection: Connection, contest: Contest, leased: Leased) -> str:
    """Let the name of a bot belong to its team; return why it cannot, empty if it does."""
    team = lock_team(connection, leased.team)
    found = connection.execute(select(BOTS.c.team).where(BOTS.c.look == look_of(leased.bot))).first()
    if found:
        return "" if found.team == team.id else f"the name {leased.bot} belongs to another team by now; choose another"
    own = connection.execute(select(func.count()).select_from(BOTS).where(BOTS.c.team == team.id)).scalar_one()
    if own >= contest.settings.teams.bots:
        return f"team {team.name} has as many bots as are allowed: {contest.settings.teams.bots}"
    named = {"name": leased.bot, "look": look_of(leased.bot), "created": contest.now()}
    connection.execute(insert(BOTS).values(id=new_id(), team=team.id, **named))
    return ""


def _is_held(leased: Leased) -> Any:  # noqa: ANN401 - an SQL expression
    return (WORK.c.id == leased.work) & (WORK.c.fence == leased.fence) & (WORK.c.state == "leased")
