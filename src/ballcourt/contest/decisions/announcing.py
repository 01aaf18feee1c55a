"""Announcements of the organiser: on a page, in a feed, by mail and to webhooks."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select

from ballcourt.contest.decisions.audit import note_decision
from ballcourt.contest.notifications.outbox import Tidings, tell_all
from ballcourt.contest.people.accounts import checked_line
from ballcourt.contest.refusals import ContestError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import ANNOUNCEMENTS

LONGEST_TITLE: Final = 200
LONGEST_TEXT: Final = 20_000
SHOWN: Final = 50


def announce(contest: Contest, who: str, title: str, text: str) -> str:
    """Announce something to all; return a sentence. Raises ContestError."""
    with contest.store.writing() as connection:
        number = put_announcement(connection, who, title, text, contest.now())
    return f"announcement {number} is on the page /announcements"


def put_announcement(connection: Connection, who: str, title: str, text: str, now: float) -> int:
    """Announce something to all; return its number. Raises ContestError."""
    title, text = title.strip(), text.replace("\r\n", "\n").strip()
    checked_line(title, "title")
    if not (0 < len(title) <= LONGEST_TITLE and 0 < len(text) <= LONGEST_TEXT):
        raise ContestError(
            f"title has {len(title)} characters and text {len(text)}; they must have 1 to {LONGEST_TITLE} and 1 to "
            f"{LONGEST_TEXT}"
        )
    values = {"at": now, "who": who, "title": title, "text": text}
    number = connection.execute(insert(ANNOUNCEMENTS).values(**values).returning(ANNOUNCEMENTS.c.id)).scalar_one()
    about = {"number": number, "title": title, "text": text}
    news = Tidings(f"announcement-{number}", title, text, f"/announcements#a{number}", "announcement", about)
    tell_all(connection, news, now)
    note_decision(connection, who, "announce", f"announcement {number}", title, now)
    return int(number)


def announcements(connection: Connection) -> Sequence[Row[Any]]:
    """Return the announcements, the newest first."""
    return connection.execute(select(ANNOUNCEMENTS).order_by(ANNOUNCEMENTS.c.id.desc()).limit(SHOWN)).all()
