"""The queue of submissions and scrimmages: a table, from which examiners take work for a limited time.

An examiner leases work for `LEASE_S`, and for longer as long as it sends heartbeats. Each lease has a fencing token, a
number; an answer with an older one is discarded. After `MOST_TRIES` leases without an answer a submission or a
scrimmage has failed, so that one that kills its examiner does not stop the queue. New submissions come first, then
those that are examined again, then scrimmages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from pydantic import ConfigDict, Field, with_config
from sqlalchemy import Connection, Select, delete, func, insert, select, update

from ballcourt.arena.bots.version import NO_BOT, BotVersion
from ballcourt.arena.ladder.arrivals.names import look_of
from ballcourt.arena.printable import printable
from ballcourt.contest.decisions.audit import LONGEST_REASON, note_decision
from ballcourt.contest.examining.sources import Contender
from ballcourt.contest.people.accounts import Standing
from ballcourt.contest.people.teams import add_bot, check_standing, team_with
from ballcourt.contest.refusals import StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import BOTS, EXAMINERS, SCRIMMAGES, SUBMISSIONS, TEAMS, WORK
from ballcourt.contest.submissions.following import withdraw_version
from ballcourt.contest.submissions.scrimmages import ScrimmageState, move_scrimmage
from ballcourt.contest.submissions.states import PASSED, SubmissionState, move
from ballcourt.contest.submissions.submissions import may_be_again
from ballcourt.contest.submissions.work_queue import WorkKind

LEASE_S: Final = 120.0
BEAT_S: Final = 30.0
SEEN_S: Final = 15.0
"""How exactly it is kept when an examiner was seen last that has nothing to do."""
FORGOTTEN_S: Final = 86_400.0
MOST_TRIES: Final = 3
LOST: Final = "its examiner ended or could not be reached; it waits again"
ARENA: Final = "the arena"
"""Who decides what follows from the verdict about a submission that is examined again."""
GIVEN_UP: Final = (
    f"the arena failed with it in {MOST_TRIES} tries; that is not your bot's fault, no limit counts it, and the "
    "organiser sees it"
)

COPY: Final = "its files are those of a bot that another team entered before; this contest takes none twice"


@dataclass(frozen=True, slots=True)
class Leased:
    """A submission or a scrimmage that was taken up."""

    work: int
    fence: int
    """The fencing token: the number of the lease."""
    kind: WorkKind
    subject: str
    """The id of the submission or scrimmage."""
    team: str
    team_name: str
    contenders: tuple[Contender, ...]
    """The bot that was entered; of a scrimmage, the team's own and the other one."""
    matches: int = 1
    """How many matches a scrimmage has."""

    @property
    def bot(self) -> str:
        """The name of the team's bot."""
        return self.contenders[0].bot.name

    @property
    def archives(self) -> frozenset[str]:
        """The hashes of the archives that are needed."""
        return frozenset(one.archive for one in self.contenders if one.archive)


@with_config(ConfigDict(strict=False))  # it arrives as JSON, too
@dataclass(frozen=True, slots=True)
class WorkFinding:
    """The result of an examination or a scrimmage."""

    is_good: bool
    """Whether the submission is accepted, or the scrimmage was played."""
    sentence: Annotated[str, Field(max_length=10_000)]
    report: Annotated[str, Field(max_length=3 << 20)] = ""
    """JSON about a submission."""
    bot: BotVersion = NO_BOT
    """What was examined."""
    files_hash: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")] = ""
    """The hash of the files without bot.toml."""


def lease(contest: Contest, holder: str) -> Leased | None:
    """Take up the next work: of the team for which some was taken up least lately, and of it the first; None if none.

    A team has one submission that is examined, or one scrimmage that is played, at a time: it keeps one examiner busy.
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
        kind = KINDS[row.kind]
        kind.move(connection, row.subject, kind.taken, now)
        return _leased(connection, row, row.fence + 1)


def leased_as(contest: Contest, work: int, fence: int) -> Leased | None:
    """Return the work leased under a number; None if the lease is over."""
    with contest.store.reading() as connection:
        held = (WORK.c.id == work) & (WORK.c.fence == fence) & (WORK.c.state == "leased")
        row = connection.execute(_described().where(held)).one_or_none()
        return _leased(connection, row, fence) if row else None


def beat(contest: Contest, leased: Leased) -> bool:
    """Renew a lease; return False if another examiner has it now."""
    with contest.store.writing() as connection:
        held = update(WORK).where(_is_held(leased)).values(until=contest.now() + LEASE_S)
        return bool(connection.execute(held).rowcount)


def give_back(contest: Contest, leased: Leased) -> None:
    """Release work, or give it up if it was tried too often."""
    with contest.store.writing() as connection:
        if connection.execute(update(WORK).where(_is_held(leased)).values(until=contest.now())).rowcount:
            _expire(connection, contest.now())


def settle(contest: Contest, leased: Leased, finding: WorkFinding) -> SubmissionState | ScrimmageState | None:
    """Keep the result; return the state of the submission or scrimmage, None if the lease is over."""
    finding = replace(finding, sentence=printable(finding.sentence))
    with contest.store.writing() as connection:
        if not connection.execute(delete(WORK).where(_is_held(leased))).rowcount:
            return None
        return KINDS[leased.kind].settle(connection, contest, leased, finding)


def _examined(connection: Connection, contest: Contest, leased: Leased, finding: WorkFinding) -> SubmissionState:
    sentence = finding.sentence
    if finding.is_good:
        is_copy = contest.settings.teams.copies == "refused" and _is_copy(connection, leased, finding)
        sentence = (COPY if is_copy else _claim_name(connection, contest, leased)) or sentence
    is_accepted = finding.is_good and sentence == finding.sentence
    state = SubmissionState.ACCEPTED if is_accepted else SubmissionState.REFUSED
    hashes = {"content_hash": finding.bot.content_hash, "files_hash": finding.files_hash}
    found = {"report": finding.report, "version": finding.bot.version, **hashes}
    move(connection, leased.subject, state, contest.now(), sentence, **found)
    return state


def _examined_again(connection: Connection, contest: Contest, leased: Leased, finding: WorkFinding) -> SubmissionState:
    """Keep the verdict about a submission that was examined before, unless it was withdrawn or replaced meanwhile.

    What plays is withdrawn if it is refused now. Raises TrailError, and OSError if its archive cannot be looked for.
    """
    is_due = may_be_again().label("is_due")
    row = connection.execute(select(SUBMISSIONS, is_due).where(SUBMISSIONS.c.id == leased.subject)).one()
    state, now = SubmissionState(row.state), contest.now()
    reason = finding.sentence[:LONGEST_REASON] or "no reason was given"
    if not row.is_due or not (finding.is_good or contest.archives.has(row.archive)):
        return state
    if finding.is_good and state is SubmissionState.REFUSED:
        return _examined(connection, contest, leased, finding)
    connection.execute(update(SUBMISSIONS).where(SUBMISSIONS.c.id == row.id).values(report=finding.report))
    if finding.is_good or state is SubmissionState.REFUSED:
        return state
    withdraw_version(contest, BotVersion(row.bot, row.version, row.content_hash), ARENA, reason)
    move(connection, row.id, SubmissionState.WITHDRAWN, now, f"it was examined again, and refused: {reason}")
    note_decision(connection, ARENA, "withdraw", row.id, reason, now)
    return SubmissionState.WITHDRAWN


def _stays(connection: Connection, submission: str, to: SubmissionState, now: float, sentence: str = "") -> bool:
    """Leave a submission that is examined again what it is, and tell the organiser if the arena could not do it."""
    if to == SubmissionState.FAILED:
        note_decision(connection, ARENA, "give up the re-exam", submission, sentence, now)
    return True


def _played(connection: Connection, contest: Contest, leased: Leased, finding: WorkFinding) -> ScrimmageState:
    state = ScrimmageState.PLAYED if finding.is_good else ScrimmageState.FAILED
    move_scrimmage(connection, leased.subject, state, contest.now(), finding.sentence)
    return state


def oldest_waiting(connection: Connection) -> float | None:
    """Return since when the submission waits that waits longest; None if none does."""
    waiting = (WORK.c.kind == WorkKind.EXAM) & (WORK.c.state == "waiting")
    found = connection.execute(select(func.min(WORK.c.created)).where(waiting)).scalar()
    return None if found is None else float(found)


def examiners_seen(connection: Connection, now: float, within_s: float) -> int:
    """Return how many examiners hold a submission, or have looked for one within this number of seconds."""
    idle = connection.execute(select(EXAMINERS.c.holder).where(EXAMINERS.c.seen > now - within_s)).scalars()
    busy = connection.execute(select(WORK.c.holder).where(WORK.c.state == "leased", WORK.c.until > now)).scalars()
    return len({*idle, *busy})


def places_of(connection: Connection, kind: WorkKind, subjects: Sequence[str]) -> dict[str, int]:
    """Return how many of their kind are taken up before those submissions or scrimmages that wait, at most."""
    waiting = (WORK.c.kind == kind) & (WORK.c.state == "waiting")
    order = func.row_number().over(order_by=(TEAMS.c.examined, WORK.c.created, WORK.c.id)) - 1
    queue = select(WORK.c.subject, order.label("place")).select_from(_WITH_TEAM).where(waiting).subquery()
    found = connection.execute(select(queue).where(queue.c.subject.in_(subjects))) if subjects else ()
    return {row.subject: row.place for row in found}


_WITH_TEAM: Final = WORK.join(TEAMS, TEAMS.c.id == WORK.c.team)


def _next(connection: Connection) -> Any:  # noqa: ANN401 - a row, or None
    other = WORK.alias()
    busy = (other.c.team == WORK.c.team) & (other.c.state == "leased")
    return connection.execute(
        _described()
        .where(WORK.c.state == "waiting", ~select(other.c.id).where(busy).exists())
        .order_by(WORK.c.kind, TEAMS.c.examined, WORK.c.created, WORK.c.id)
        .limit(1)
    ).first()


def _described() -> Select[Any]:
    """Return what selects work, with whose it is."""
    columns = (WORK.c.id, WORK.c.fence, WORK.c.kind, WORK.c.subject, WORK.c.team, TEAMS.c.name.label("team_name"))
    return select(*columns).select_from(_WITH_TEAM)


def _leased(connection: Connection, row: Any, fence: int) -> Leased:  # noqa: ANN401 - a row
    contenders, matches = KINDS[row.kind].contenders(connection, row.subject)
    return Leased(row.id, fence, WorkKind(row.kind), row.subject, row.team, row.team_name, contenders, matches)


def _examinee(connection: Connection, submission: str) -> tuple[tuple[Contender, ...], int]:
    return (_contender(connection, submission),), 1


def _opponents(connection: Connection, scrimmage: str) -> tuple[tuple[Contender, ...], int]:
    asked = connection.execute(select(SCRIMMAGES).where(SCRIMMAGES.c.id == scrimmage)).one()
    other = _contender(connection, asked.against) if asked.against else Contender(BotVersion(asked.opponent, ""))
    return (_contender(connection, asked.submission), other), asked.matches


def _contender(connection: Connection, submission: str) -> Contender:
    found = connection.execute(select(SUBMISSIONS).where(SUBMISSIONS.c.id == submission)).one()
    return Contender(BotVersion(found.bot, found.version, found.content_hash), found.archive)


def _note_sight(connection: Connection, holder: str, now: float) -> None:
    """Keep that an examiner was seen, and forget those that have been away for a day."""
    seen = connection.execute(select(EXAMINERS.c.seen).where(EXAMINERS.c.holder == holder)).scalar()
    if seen is None:
        connection.execute(delete(EXAMINERS).where(EXAMINERS.c.seen < now - FORGOTTEN_S))
        connection.execute(insert(EXAMINERS).values(holder=holder, seen=now))
    elif seen < now - SEEN_S:
        connection.execute(update(EXAMINERS).where(EXAMINERS.c.holder == holder).values(seen=now))


def _expire(connection: Connection, now: float) -> None:
    """Queue the work whose leases have expired again, or give it up."""
    late = (WORK.c.state == "leased") & (WORK.c.until <= now)
    columns = (WORK.c.id, WORK.c.kind, WORK.c.subject, WORK.c.tries)
    freed = update(WORK).where(late).values(state="waiting", holder="").returning(*columns)
    for row in connection.execute(freed).all():
        is_lost = row.tries >= MOST_TRIES
        if is_lost:
            connection.execute(delete(WORK).where(WORK.c.id == row.id))
        kind, sentence = KINDS[row.kind], GIVEN_UP if is_lost else LOST
        kind.move(connection, row.subject, kind.states.FAILED if is_lost else kind.states.WAITING, now, sentence)


def _is_copy(connection: Connection, leased: Leased, finding: WorkFinding) -> bool:
    """Whether files were accepted before that another team had entered."""
    same = (SUBMISSIONS.c.files_hash == finding.files_hash) & (SUBMISSIONS.c.files_hash != "")
    others = (SUBMISSIONS.c.team != leased.team) & SUBMISSIONS.c.state.in_(PASSED)
    return connection.execute(select(SUBMISSIONS.c.id).where(same, others).limit(1)).first() is not None


def _claim_name(connection: Connection, contest: Contest, leased: Leased) -> str:
    """Reserve the name of a bot for its team; return why it cannot, empty if it does."""
    team = team_with(connection, leased.team)
    found = connection.execute(select(BOTS).where(BOTS.c.look == look_of(leased.bot))).first()
    is_released = found is not None and found.state == Standing.RELEASED
    try:
        check_standing(team, found if found and found.team == team.id and not is_released else None)
    except StateError as error:
        return str(error)
    if found and found.remote and found.team == team.id:
        return f"{leased.bot} dials in by now, so no archive of it is taken"
    if found and found.team != team.id:
        return f"the name {leased.bot} belongs to another team by now; choose another"
    if found and not is_released:
        return ""
    kept = (BOTS.c.team == team.id) & (BOTS.c.state != Standing.RELEASED)
    own = connection.execute(select(func.count()).select_from(BOTS).where(kept)).scalar_one()
    if own >= contest.settings.teams.bots:
        return f"team {team.name} has as many bots as are allowed: {contest.settings.teams.bots}"
    if found:
        connection.execute(update(BOTS).where(BOTS.c.id == found.id).values(state=Standing.ACTIVE))
    else:
        add_bot(connection, team.id, leased.bot, contest.now(), remote=False)
    return ""


def _is_held(leased: Leased) -> Any:  # noqa: ANN401 - an SQL expression
    return (WORK.c.id == leased.work) & (WORK.c.fence == leased.fence) & (WORK.c.state == "leased")


@dataclass(frozen=True, slots=True)
class _Kind:
    """What differs between the kinds of work."""

    move: Callable[..., bool]
    states: type[SubmissionState] | type[ScrimmageState]
    taken: SubmissionState | ScrimmageState
    contenders: Callable[[Connection, str], tuple[tuple[Contender, ...], int]]
    """Returns the bots that are needed, and how many matches are played."""
    settle: Callable[[Connection, Contest, Leased, WorkFinding], SubmissionState | ScrimmageState]


KINDS: Final[Mapping[str, _Kind]] = {
    WorkKind.EXAM: _Kind(move, SubmissionState, SubmissionState.EXAMINING, _examinee, _examined),
    WorkKind.AGAIN: _Kind(_stays, SubmissionState, SubmissionState.EXAMINING, _examinee, _examined_again),
    WorkKind.SCRIMMAGE: _Kind(move_scrimmage, ScrimmageState, ScrimmageState.PLAYING, _opponents, _played),
}
