"""Follows the ladder: what it answered, and what its trail says of each version, become states of submissions.

The trail is the truth. Whatever shows, counts or chooses submissions follows it first, also while no server runs.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from sqlalchemy import Connection, Row, select, update

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.ladder.arrivals.handed import ArrivalAnswer, follow_answers
from ballcourt.arena.ladder.roster import FAULTS, Roster, Version
from ballcourt.arena.tournament.decisions.changes import withdrawing
from ballcourt.arena.tournament.decisions.trail import Trail, read_trail, size_of
from ballcourt.contest.people.accounts import Standing
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import BOTS, SUBMISSIONS, TEAMS
from ballcourt.contest.submissions.states import PASSED, SubmissionState, move

OUT: Final = "its team or bot is out of the contest; `ballcourt contest log` says why"


class LadderFollower:
    """What a contest has read of its ladder. Call `step` again and again."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._output = contest.ladder.output
        self._answers = follow_answers(self._output)
        self._taken: list[ArrivalAnswer] = []  # until the database has them
        self._read = -1

    def step(self) -> None:
        """Read what the ladder added; withdraw what it let in of those who are out. Raises OSError and WrongInput."""
        self._taken += (answer for _, answer in self._answers.added())
        size = size_of(self._output)
        if self._taken or size != self._read:
            with self._contest.store.writing() as connection:
                for answer in self._taken:
                    self._take(connection, answer)
                withdraw_out(connection, self._contest)
                self._follow(connection)
            self._taken, self._read = [], size

    def _take(self, connection: Connection, answer: ArrivalAnswer) -> None:
        joined = answer.outcome == "joined"
        state = SubmissionState.PLAYING if joined else SubmissionState.REFUSED
        sentence = "" if joined else f"the ladder did not let it in: {answer.sentence}"
        now = connection.execute(select(SUBMISSIONS.c.state).where(SUBMISSIONS.c.id == answer.submission)).scalar()
        if now == SubmissionState.ACCEPTED:
            move(connection, answer.submission, state, self._contest.now(), sentence)

    def _follow(self, connection: Connection) -> None:
        """Update the states of submissions from the trail."""
        roster = Roster(read_trail(self._output))
        for row in _passed(connection):
            found = roster.find(BotVersion(row.bot, row.version, row.content_hash))
            if found is None or found.bot.content_hash != row.content_hash:
                continue
            if found.withdrawal is None:
                wanted, why = SubmissionState.PLAYING, ""
            else:
                wanted = SubmissionState.RETIRED if found.withdrawal.rule else SubmissionState.WITHDRAWN
                why = found.withdrawal.reason
            if wanted != row.state and (row.state != SubmissionState.ACCEPTED or wanted == SubmissionState.WITHDRAWN):
                move(connection, row.id, wanted, self._contest.now(), why)
                if found.withdrawal and found.withdrawal.rule == FAULTS:  # its team may choose it in spite of that
                    connection.execute(update(BOTS).where(BOTS.c.chosen == row.id).values(chosen=None))


def withdraw_out(connection: Connection, contest: Contest, who: str = "", why: str = OUT) -> None:
    """Withdraw in the ladder what plays of teams and bots that are not in the contest. Raises TrailError."""
    joined = BOTS.join(TEAMS, TEAMS.c.id == BOTS.c.team)
    is_out = (BOTS.c.state != Standing.ACTIVE) | (TEAMS.c.state != Standing.ACTIVE)
    out = {
        (row.owner, row.name)
        for row in connection.execute(
            select(TEAMS.c.name.label("owner"), BOTS.c.name).select_from(joined).where(is_out)
        )
    }
    if not out:
        return
    _withdraw(contest, lambda one: one.has_owner and (one.owner, one.bot.name) in out, who, why)


def withdraw_version(contest: Contest, bot: BotVersion, who: str, why: str) -> None:
    """Withdraw a version in the ladder, if it plays there. Raises TrailError."""
    _withdraw(contest, lambda one: one.bot == bot, who, why)


def _withdraw(contest: Contest, is_meant: Callable[[Version], bool], who: str, why: str) -> None:
    gone = [one.bot for one in Roster(read_trail(contest.ladder.output)).playing if is_meant(one)]
    if gone:
        Trail(contest.ladder.output).decide_all("withdraw", why, map(withdrawing, gone), who)


def follow_ladder(contest: Contest) -> None:
    """Bring the states of submissions up to date with the ladder. Raises OSError and WrongInput."""
    LadderFollower(contest).step()


def _passed(connection: Connection) -> Iterable[Row[Any]]:
    """Return the newest submission of each version that has been in the ladder, and of each that it is to let in."""
    inside = select(SUBMISSIONS).where(SUBMISSIONS.c.state.in_(PASSED)).order_by(SUBMISSIONS.c.created)
    rows = connection.execute(inside)
    return {(row.bot, row.version, row.state == SubmissionState.ACCEPTED): row for row in rows}.values()
