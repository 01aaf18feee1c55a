"""Feeds: a team's submissions and announcements as Atom (RFC 4287), the phases as a calendar (RFC 5545).

The feed of submissions has an entry for each state, whose id never changes, so a reader shows each exactly once. Its
address is a secret of an account, as readers of feeds send no token.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from ballcourt.arena.printable import printable
from ballcourt.contest.decisions.announcing import announcements
from ballcourt.contest.people.accounts import Member, person_of
from ballcourt.contest.people.tokens import Purpose, link_of
from ballcourt.contest.refusals import NotThereError
from ballcourt.contest.settings import PhaseTable
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.visible import NOTHING, Visible
from ballcourt.contest.web.visits import AskedContest, iso
from ballcourt.web.atom import MEDIA_TYPE, AtomFeed, FeedEntry
from ballcourt.web.once import unless_known

FOLLOWED: Final = 20
"""How many submissions a feed has."""
LINE: Final = 75
"""The octets of a line of a calendar."""
PRIVATE: Final = {"Cache-Control": "private, max-age=60"}


pages = APIRouter(include_in_schema=False)


@pages.get("/feed/{secret}.atom")
def _submissions(request: Request, contest: AskedContest, secret: str) -> Response:
    with contest.store.reading() as connection:
        link = link_of(connection, Purpose.FEED, secret, contest.now())
        who = person_of(connection, link.account) if link else None
    if who is None:
        raise NotThereError(NOTHING)
    return unless_known(request, Response(_atom(contest, who), media_type=MEDIA_TYPE, headers=PRIVATE))


@pages.get("/phases.ics")
def _phases(request: Request, contest: AskedContest) -> Response:
    text = "".join(f"{line}\r\n" for line in _calendar(contest))
    return unless_known(request, Response(text, media_type="text/calendar"))


@pages.get("/announcements.atom")
def _announcements(contest: AskedContest) -> Response:
    with contest.store.reading() as connection:
        found = announcements(connection)
    name, address = contest.settings.name, f"{contest.settings.url}/announcements"
    urn = f"{contest.identity}:announcements"
    entries = [
        FeedEntry(f"{urn}:{row.id}", row.title, iso(row.at), f"{address}#a{row.id}", summary=row.text) for row in found
    ]
    atom = AtomFeed(urn, f"{name}: announcements", name, address, entries)
    return Response(atom.to_xml(), media_type=MEDIA_TYPE)


def _atom(contest: Contest, who: Member) -> bytes:
    visible, url, urn = Visible(contest, who), contest.settings.url, f"{contest.identity}:submissions"
    found = [
        (one, state, n) for one in visible.submissions()[:FOLLOWED] for n, state in enumerate(visible.states(one.id))
    ]
    found.sort(key=lambda entry: entry[1].at, reverse=True)
    name, address, entries = contest.settings.name, f"{url}/submissions", []
    for one, state, n in found:
        title, place = f"Submission {one.number}, {one.bot}: {state.state}", f"{address}/{one.id}"
        text = state.detail or str(state.state)
        entries.append(FeedEntry(f"{urn}:{one.id}:{n}", title, iso(state.at), place, one.team, text))
    return AtomFeed(urn, f"{name}: submissions", name, address, entries).to_xml(iso(contest.moment))


def _calendar(contest: Contest) -> Iterator[str]:
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Ballcourt//contest//EN")
    for phase in contest.settings.in_order:
        yield from _event(contest, phase, phase.name, phase.opens, phase.closes)
        if phase.freeze:
            yield from _event(contest, phase, f"{phase.name}: tables are frozen", phase.freeze, phase.reveals)
    yield "END:VCALENDAR"


def _event(contest: Contest, phase: PhaseTable, title: str, begins: datetime, ends: datetime) -> Iterator[str]:
    stamp: Any = f"{begins.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    yield from ("BEGIN:VEVENT", f"UID:{stamp}-{phase.name}@{contest.settings.host}", f"DTSTAMP:{stamp}")
    yield from (f"DTSTART:{stamp}", f"DTEND:{ends.astimezone(UTC):%Y%m%dT%H%M%SZ}")
    yield from _folded(f"SUMMARY:{_escaped(f'{contest.settings.name}: {title}')}")
    yield "END:VEVENT"


def _escaped(text: str) -> str:
    return printable(text).replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> Iterator[str]:
    """Yield the lines in which a long one is written."""
    part = ""
    for char in line:
        if len((part + char).encode()) > LINE:
            yield part
            part = " "
        part += char
    yield part
