"""Clarifications: what a team asks the organiser, and the answer, to that team alone or to all.

Both are kept in the chain of decisions.
"""

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, func, select, true

from ballcourt.contest.decisions.announcing import put_announcement
from ballcourt.contest.decisions.audit import note_decision
from ballcourt.contest.notifications.outbox import Tidings, tell_team
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.teams import team_named
from ballcourt.contest.refusals import NotThereError, StateError
from ballcourt.contest.settings import at_time
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import AUDIT

ASK, ANSWER, ALL = "ask", "answer", "all teams"
MOST_OPEN: Final = 5


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a team."""

    number: int
    """Its number in the chain of decisions."""
    team: str
    text: str
    asked: datetime
    answer: str = ""
    is_public: bool = False


def ask_organiser(contest: Contest, person: Member, text: str) -> Question:
    """Ask as the team of a person, unless the same waits for an answer already. Raises ContestError."""
    if person.team is None:
        raise StateError("you are in no team; make one first")
    with contest.store.writing() as connection:
        text, now = _plain(text), contest.now()
        own = [one for one in _of(connection, person.team_name) if not one.answer]
        if same := [one for one in own if one.text == text]:  # it was sent twice
            return same[0]
        if len(own) >= MOST_OPEN:
            raise StateError(f"{MOST_OPEN} questions of your team wait for an answer; ask again when one has it")
        who, about = f"team {person.team_name}", {"team": person.team_name}
        number = note_decision(connection, who, ASK, "the organiser", text, now, about)
    return Question(number, str(person.team_name), text, at_time(now))


def answer_question(contest: Contest, who: str, number: int, text: str, *, to_all: bool) -> str:
    """Answer a question; return a sentence. Raises ContestError."""
    with contest.store.writing() as connection:
        found = next((one for one in _of(connection) if one.number == number), None)
        if found is None:
            raise NotThereError(f"there is no question {number}")
        if found.answer:
            raise StateError(f"question {number} has an answer already")
        text, now, whom = _plain(text), contest.now(), ALL if to_all else f"team {found.team}"
        note_decision(connection, who, ANSWER, whom, text, now, {"question": str(number)})
        if to_all:
            put_announcement(connection, who, f"Answer to a question: {found.text}"[:200].splitlines()[0], text, now)
        else:
            about = {"question": number, "text": found.text, "answer": text}
            news = Tidings(f"answer-{number}", f"Answer to question {number}", text, "/questions", "answer", about)
            tell_team(connection, team_named(connection, found.team).id, news, now, by_mail=True)
    return f"question {number} is answered, to {whom}"


def questions(contest: Contest, viewer: Member) -> list[Question]:
    """Return what the team of a viewer has asked, or all teams if it is an organiser, the newest first."""
    if not viewer.is_organiser and viewer.team is None:
        return []
    with contest.store.reading() as connection:
        return _of(connection, None if viewer.is_organiser else viewer.team_name)[::-1]


def open_questions(connection: Connection) -> int:
    """Return how many questions wait for an answer."""
    counts = (select(func.count()).where(AUDIT.c.action == action) for action in (ASK, ANSWER))
    asked, answered = (connection.execute(count).scalar_one() for count in counts)
    return asked - answered


def _of(connection: Connection, team: str | None = None) -> list[Question]:
    """Return the questions of a team, by default of all teams, the oldest first."""
    own = true() if team is None else (AUDIT.c.who == f"team {team}") | AUDIT.c.subject.in_((f"team {team}", ALL))
    found: dict[int, Question] = {}
    rows = select(AUDIT).where(AUDIT.c.action.in_((ASK, ANSWER)), own).order_by(AUDIT.c.number)
    for row in connection.execute(rows):
        about = json.loads(row.details)
        if row.action == ASK:
            found[row.number] = Question(row.number, about["team"], row.reason, at_time(row.at))
        elif asked := found.get(int(about["question"])):  # or an answer to all, who did not ask
            found[asked.number] = replace(asked, answer=row.reason, is_public=row.subject == ALL)
    return [*found.values()]


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
