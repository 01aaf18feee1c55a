"""The limits of a team: whether it may enter a bot now, and how often it still may, for pages and API alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select

from ballcourt.arena.ladder.arrivals.names import look_of
from ballcourt.contest.people.accounts import Member, Standing, checked_name
from ballcourt.contest.people.teams import check_standing, team_with
from ballcourt.contest.refusals import ContestError, LimitError, StateError, TooLargeError
from ballcourt.contest.settings import DAY, PhaseTable, at_time, shown
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import BOTS, GRANTS, SCRIMMAGES, SUBMISSIONS
from ballcourt.contest.submissions.states import PASSED, PENDING, UNCOUNTED, SubmissionState

DAY_S: Final = DAY.total_seconds()
MB: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Count:
    """A limit of a team, and how much of it is used."""

    most: int
    used: int
    free_at: float | None
    """When a use stops counting so that fewer than `most` are left; None if there is none."""

    @property
    def left(self) -> int:
        """How many are left."""
        return max(0, self.most - self.used)


@dataclass(frozen=True, slots=True)
class TeamAllowance:
    """What a team may still enter."""

    phase: PhaseTable
    accepted: Count
    attempts: Count
    scrimmages: Count


def allowance(connection: Connection, contest: Contest, team: str, bot: str | None = "") -> TeamAllowance | None:
    """Return what a team may still enter in the phase that is open now; None if there is none.

    What waits or is being examined counts as if it were accepted, except what a new submission of `bot` would replace;
    None stands for a bot that is not known yet, which may replace any.
    """
    phase = contest.phase
    if phase is None:
        return None
    given = GRANTS.c.accepted, GRANTS.c.attempts, GRANTS.c.scrimmages
    sums = (func.coalesce(func.sum(column), 0) for column in given)
    granted = select(*sums).where(GRANTS.c.team == team, GRANTS.c.phase == phase.name)
    more = connection.execute(granted).one()
    recent = connection.execute(
        select(SUBMISSIONS.c.created, SUBMISSIONS.c.state, SUBMISSIONS.c.bot)
        .where(SUBMISSIONS.c.team == team, SUBMISSIONS.c.created > contest.now() - DAY_S)
        .where(SUBMISSIONS.c.state.not_in(UNCOUNTED))
        .order_by(SUBMISSIONS.c.created)
    ).all()
    attempts = [
        row
        for row in recent
        if row.state != SubmissionState.WAITING or not (bot is None or look_of(row.bot) == look_of(bot))
    ]
    accepted = [row.created for row in attempts if row.state in (*PASSED, *PENDING)]
    return TeamAllowance(
        phase,
        _count(phase.accepted + more[0], accepted),
        _count(phase.attempts + more[1], [row.created for row in attempts]),
        _count(phase.scrimmages + more[2], _asked(connection, contest, team)),
    )


def _asked(connection: Connection, contest: Contest, team: str) -> Sequence[float]:
    """Return when a team asked for the scrimmages that count."""
    recent = (SCRIMMAGES.c.team == team) & (SCRIMMAGES.c.created > contest.now() - DAY_S)
    counted = select(SCRIMMAGES.c.created).where(recent, SCRIMMAGES.c.state.not_in(UNCOUNTED))
    return connection.execute(counted.order_by(SCRIMMAGES.c.created)).scalars().all()


def check_entry(
    connection: Connection, contest: Contest, person: Member, size: int, bot: str | None = None
) -> PhaseTable:
    """Return the phase in which a person may enter a bot now; None is one that is not known yet. Raises ContestError.

    In a transaction that writes, the answer holds until its end.
    """
    team = _team_of(connection, person)
    _check_size(contest, size)
    if bot is not None:
        _check_bot(connection, contest, team, bot)
    left = _open(connection, contest, team.id, bot)
    what = "entered submissions, of which at most {} may be accepted within 24 hours, and {} are or may still be"
    _check_count(contest, left.accepted, what)
    what = "entered submissions, of which at most {} are examined within 24 hours, and {} were or will be"
    _check_count(contest, left.attempts, what)
    return left.phase


def check_asking(connection: Connection, contest: Contest, person: Member) -> Row[Any]:
    """Return the team for which a person may ask for a scrimmage now. Raises ContestError with the reason if not.

    In a transaction that writes, the answer holds until its end.
    """
    team = _team_of(connection, person)
    left = _open(connection, contest, team.id)
    _check_count(contest, left.scrimmages, "asked for scrimmages: at most {} within 24 hours, and {} were asked for")
    return team


def check_name(connection: Connection, contest: Contest, person: Member, bot: str) -> Row[Any]:
    """Return the team to which a person may add a bot that dials in. Raises ContestError with the reason if not.

    In a transaction that writes, the answer holds until its end.
    """
    team = _team_of(connection, person)
    if look_of(bot) in map(look_of, names_of(connection, team.id)):
        raise StateError(f"your team has the bot {bot} already; a bot that dials in needs a name of its own")
    _check_bot(connection, contest, team, bot)
    _open(connection, contest, team.id)
    return team


def _team_of(connection: Connection, person: Member) -> Row[Any]:
    """Return the team of a person. Raises StateError if there is none, or it is disqualified."""
    if person.team is None:
        raise StateError("you are in no team; make one, or ask a team for its link")
    team = team_with(connection, person.team)
    check_standing(team)
    return team


def _open(connection: Connection, contest: Contest, team: str, bot: str | None = "") -> TeamAllowance:
    """Return what a team may still enter. Raises StateError if no phase is open."""
    left = allowance(connection, contest, team, bot)
    if left is None:
        raise StateError(
            f"no phase is open at {shown(contest.moment)}; bots may be entered in these: {contest.settings.times()}"
        )
    return left


def names_of(connection: Connection, team: str) -> list[str]:
    """Return the names of the bots of a team, and those that it has entered and that may still become its."""
    kept = (BOTS.c.team == team) & (BOTS.c.state != Standing.RELEASED)
    own = connection.execute(select(BOTS.c.name).where(kept)).scalars()
    pending = connection.execute(
        select(SUBMISSIONS.c.bot).where(SUBMISSIONS.c.team == team, SUBMISSIONS.c.state.in_(PENDING))
    ).scalars()
    return sorted({look_of(name): name for name in (*pending, *own)}.values())


def _check_size(contest: Contest, size: int) -> None:
    most = contest.settings.upload.mb
    if size > most * MB:
        raise TooLargeError(f"the archive has {size} bytes; it may have at most {most} MB")
    if size < 1:
        raise ContestError("the archive is empty; send a zip or tar file with bot.toml in it")


def _check_bot(connection: Connection, contest: Contest, team: Row[Any], bot: str) -> None:
    checked_name(bot, "bot")
    found = connection.execute(select(BOTS).where(BOTS.c.look == look_of(bot))).first()
    if found and (found.team != team.id or found.name != bot):
        whose = "looks like the name of another bot" if found.name != bot else "belongs to another team"
        raise StateError(f"the name {bot} {whose}; choose another name in bot.toml")
    if found and found.state == Standing.DISQUALIFIED:
        check_standing(team, found)
    if found and found.remote:
        raise StateError(f"{bot} dials in, so no archive of it is taken; choose another name in bot.toml")
    names = names_of(connection, team.id)
    most = contest.settings.teams.bots
    if look_of(bot) not in map(look_of, names) and len(names) >= most:
        raise StateError(
            f"team {team.name} has {', '.join(names)} already, and {most} may be entered; enter a new version of it, "
            "or ask the organiser to release its name"
        )


def _check_count(contest: Contest, count: Count, words: str) -> None:
    if count.left:
        return
    when = f"the next is free at {shown(at_time(count.free_at))}" if count.free_at else "none is free in this phase"
    raise LimitError(
        f"your team has {words.format(count.most, count.used)}; {when}, and the organiser can grant more",
        (count.free_at or contest.now() + DAY_S) - contest.now(),
    )


def _count(most: int, times: Sequence[float]) -> Count:
    """Return a limit; it is free again once fewer than `most` uses are left."""
    ending = len(times) - most
    return Count(most, len(times), times[max(0, min(ending, len(times) - 1))] + DAY_S if times and most else None)
