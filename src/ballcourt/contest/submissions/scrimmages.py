"""Scrimmages: matches that count nowhere, for which a team asks, of its bot against another one.

Mostly it is one match. Against a resident of the ladder, a bot of the arena, it may be many: an evaluation.

The files of both are settled when it is asked for: the version of each that plays in the ladder then. A team may close
itself to scrimmages; other teams can then request none with it, and those that still wait are cancelled.
"""

from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select, update

from ballcourt.arena.ladder.arrivals.names import look_of
from ballcourt.arena.secrets import new_id
from ballcourt.contest.notifications.outbox import Tidings, tell_team
from ballcourt.contest.people.accounts import Member, Standing
from ballcourt.contest.refusals import ContestError, NotThereError, StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import BOTS, SCRIMMAGES, SUBMISSIONS, TEAMS
from ballcourt.contest.submissions.allowance import check_asking
from ballcourt.contest.submissions.states import SubmissionState
from ballcourt.contest.submissions.work_queue import WorkKind, dequeue, enqueue

MOST_MATCHES: Final = 200


class ScrimmageState(StrEnum):
    """The state of a scrimmage."""

    WAITING = "waiting"
    PLAYING = "playing"
    PLAYED = "played"
    FAILED = "failed"
    """The arena could not play it; no limit counts it."""
    CANCELLED = "cancelled"
    """One of the teams took it back while it waited."""


FROM: Final = {
    ScrimmageState.WAITING: (ScrimmageState.PLAYING,),
    ScrimmageState.PLAYING: (ScrimmageState.WAITING,),
    ScrimmageState.PLAYED: (ScrimmageState.PLAYING,),
    ScrimmageState.FAILED: (ScrimmageState.PLAYING,),
    ScrimmageState.CANCELLED: (ScrimmageState.WAITING,),
}
"""From which states each state can be reached."""


def ask(contest: Contest, person: Member, opponent: str, bot: str = "", matches: int = 1) -> str:
    """Ask for a match of a bot of one's team, by default its only one, against another bot; return the scrimmage's id.

    The other one is a bot of any team, also one's own, or a resident of the ladder, against which several matches may
    be asked for. Raises ContestError.
    """
    with contest.store.writing() as connection:
        team = check_asking(connection, contest, person)
        own = _current(connection, _own_bot(connection, team, bot))
        other = _opponent(connection, contest, opponent)
        against = _current(connection, other) if other else None
        _check_matches(contest, opponent, matches, is_resident=other is None)
        if other and other.team != team.id:
            _check_takes(connection, other)
        scrimmage, now = new_id(), contest.now()
        connection.execute(
            insert(SCRIMMAGES).values(
                id=scrimmage,
                team=team.id,
                account=person.account,
                submission=own.id,
                opponent=other.name if other else opponent,
                against=against.id if against else None,
                other=other.team if other else None,
                matches=matches,
                state=ScrimmageState.WAITING,
                agreed=other is None or other.team == team.id,
                created=now,
                changed=now,
            )
        )
        enqueue(connection, WorkKind.SCRIMMAGE, scrimmage, str(team.id), now)
    return scrimmage


def cancel_scrimmage(contest: Contest, scrimmage: str) -> None:
    """Take a scrimmage back that waits. Raises StateError for one that does not."""
    with contest.store.writing() as connection:
        if not _cancel(connection, scrimmage, contest.now(), "its team took it back"):
            raise StateError("only a scrimmage that waits can be taken back")


def publish(contest: Contest, scrimmage: str, team: str) -> None:
    """Note that a team publishes its side of a scrimmage; others see it once both teams do. Raises StateError."""
    with contest.store.writing() as connection:
        row = connection.execute(select(SCRIMMAGES).where(SCRIMMAGES.c.id == scrimmage)).one()
        if row.state != ScrimmageState.PLAYED:
            raise StateError(f"only a scrimmage that was played can be published, and this one is {row.state}")
        agreed = {"published": True} if row.team == team else {"agreed": True}
        connection.execute(update(SCRIMMAGES).where(SCRIMMAGES.c.id == scrimmage).values(**agreed))


def set_open(contest: Contest, person: Member, *, is_open: bool) -> None:
    """Say whether other teams may ask a person's team for scrimmages; if not, those that wait are cancelled.

    Raises StateError for a person without a team.
    """
    if (team := person.team) is None:
        raise StateError("you are in no team; make one first")
    with contest.store.writing() as connection:
        connection.execute(update(TEAMS).where(TEAMS.c.id == team).values(scrimmages=is_open))
        if not is_open:
            waiting = (SCRIMMAGES.c.other == team) & (SCRIMMAGES.c.team != team)
            cancel_all(connection, waiting, contest.now(), "the other team takes no scrimmages")


def is_open(contest: Contest, team: str) -> bool:
    """Whether other teams may ask a team for scrimmages."""
    with contest.store.reading() as connection:
        return bool(connection.execute(select(TEAMS.c.scrimmages).where(TEAMS.c.id == team)).scalar())


def cancel_all(connection: Connection, wanted: Any, now: float, why: str) -> None:  # noqa: ANN401 - an SQL expression
    """Take scrimmages back as far as they wait."""
    waiting = select(SCRIMMAGES.c.id).where(wanted, SCRIMMAGES.c.state == ScrimmageState.WAITING)
    for scrimmage in connection.execute(waiting).scalars().all():
        _cancel(connection, scrimmage, now, why)


def move_scrimmage(connection: Connection, scrimmage: str, to: ScrimmageState, now: float, sentence: str = "") -> bool:
    """Move a scrimmage to another state; return False if its present state does not allow it."""
    may = (SCRIMMAGES.c.id == scrimmage) & SCRIMMAGES.c.state.in_(FROM[to])
    changed = update(SCRIMMAGES).where(may).values(state=to, sentence=sentence, changed=now)
    if not connection.execute(changed).rowcount:
        return False
    if to in (ScrimmageState.PLAYED, ScrimmageState.FAILED):
        _tell(connection, scrimmage, to, now)
    return True


def _cancel(connection: Connection, scrimmage: str, now: float, why: str) -> bool:
    if not move_scrimmage(connection, scrimmage, ScrimmageState.CANCELLED, now, why):
        return False
    dequeue(connection, WorkKind.SCRIMMAGE, scrimmage)
    return True


def _tell(connection: Connection, scrimmage: str, state: ScrimmageState, now: float) -> None:
    """Notify both teams that a scrimmage is over; its page has the result, for those who may read it."""
    row = connection.execute(select(SCRIMMAGES).where(SCRIMMAGES.c.id == scrimmage)).one()
    bot = connection.execute(select(SUBMISSIONS.c.bot).where(SUBMISSIONS.c.id == row.submission)).scalar_one()
    title = f"scrimmage of {bot} against {row.opponent}: {state}"
    about = {"scrimmage": scrimmage, "bot": bot, "opponent": row.opponent, "state": str(state)}
    event, path = f"scrimmage-{scrimmage}-{state}", f"/scrimmages/{scrimmage}"
    news = Tidings(event, title, title, path, f"scrimmage.{state}", about)
    for team in filter(None, dict.fromkeys((row.team, row.other))):
        tell_team(connection, team, news, now, by_mail=False)


def _own_bot(connection: Connection, team: Row[Any], name: str) -> Row[Any]:
    """Return a bot of a team, by default the only one. Raises ContestError and StateError."""
    kept = (BOTS.c.team == team.id) & (BOTS.c.state != Standing.RELEASED)
    bots = connection.execute(select(BOTS).where(kept).order_by(BOTS.c.look)).all()
    if not bots:
        raise StateError(f"team {team.name} has no bot yet; a scrimmage needs one that plays in the ladder")
    names = ", ".join(bot.name for bot in bots)
    if not name and len(bots) > 1:
        raise ContestError(f"team {team.name} has the bots {names}; say which of them is to play")
    found = next((bot for bot in bots if bot.name == (name or bots[0].name)), None)
    if found is None:
        raise NotThereError(f"team {team.name} has no bot {name}; it has {names}")
    return found


def _opponent(connection: Connection, contest: Contest, name: str) -> Row[Any] | None:
    """Return the bot with a name; None for a resident of the ladder. Raises NotThereError."""
    residents = contest.ladder.residents
    if name in residents:
        return None
    found = connection.execute(select(BOTS).where(BOTS.c.look == look_of(name))).one_or_none()
    if found is None or found.name.casefold() != name.casefold():
        also = f", or name {' or '.join(residents)}, which always play" if residents else ""
        raise NotThereError(f"no bot in this contest is called {name}; the leaderboard has their names{also}")
    return found


def _current(connection: Connection, bot: Row[Any]) -> Row[Any]:
    """Return the submission of a bot that plays in the ladder now. Raises StateError."""
    plays = (SUBMISSIONS.c.team == bot.team) & (SUBMISSIONS.c.bot == bot.name)
    newest = select(SUBMISSIONS).where(plays, SUBMISSIONS.c.state == SubmissionState.PLAYING)
    found = connection.execute(newest.order_by(SUBMISSIONS.c.created.desc()).limit(1)).one_or_none()
    if found is None:
        raise StateError(f"{bot.name} does not play in the ladder now, so it plays no scrimmages either")
    return found


def _check_matches(contest: Contest, opponent: str, matches: int, *, is_resident: bool) -> None:
    """Raise ContestError unless a scrimmage against this opponent may have this number of matches."""
    if not 1 <= matches <= MOST_MATCHES:
        raise ContestError(f"matches is {matches}; it must be a whole number from 1 to {MOST_MATCHES}")
    if matches > 1 and not is_resident:
        residents = contest.ladder.residents
        instead = f"name {' or '.join(residents)}" if residents else "this contest has none"
        raise ContestError(
            f"{matches} matches against {opponent} are too many: it is not a resident of the ladder, and one match is "
            f"played against others; against a resident it may be up to {MOST_MATCHES} ({instead})"
        )


def _check_takes(connection: Connection, bot: Row[Any]) -> None:
    """Raise StateError if the team of a bot may not be asked."""
    team = connection.execute(select(TEAMS).where(TEAMS.c.id == bot.team)).one()
    if team.state != Standing.ACTIVE:
        raise StateError(f"team {team.name} is {team.state}, so {bot.name} plays no scrimmages")
    if not team.scrimmages:
        raise StateError(f"team {team.name} takes no scrimmages; ask for another bot")
