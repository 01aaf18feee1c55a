"""Viewers: who looks at a page, by the session in the cookie of the browser, and where they may go."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from fastapi import Request, Response

from ballcourt.contest.decisions.publishing import finals_of
from ballcourt.contest.people.accounts import Member, person_of
from ballcourt.contest.people.sessions import LONGEST_S, SEEN_S, note_sight, session_of
from ballcourt.contest.refusals import ContestFileError
from ballcourt.contest.settings import PhaseTable
from ballcourt.contest.store.contest import Contest
from ballcourt.leaderboard.pages.live import STREAM
from ballcourt.leaderboard.pages.rendering import Leads, PageLink, everywhere

COOKIE: Final = "ballcourt-session"
WANTED: Final = "ballcourt-wanted"
"""The cookie with the page for which a visitor has to sign in."""
NEWS = PageLink("/announcements", "Announcements")
SCRIMMAGES = PageLink("/scrimmages", "Scrimmages")
VISITOR = (NEWS, SCRIMMAGES, PageLink("/sign-in", "Sign in"))
WORDS = ("Submissions", "Submit", "Scrimmages", "Team", "Account")
CONTESTANT = (NEWS, *(PageLink(f"/{word.lower()}", word) for word in WORDS))
ORGANISER = (*CONTESTANT, PageLink("/organiser", "Organiser"))

REPLAYS: Final = ("/matches/", "/embed/", "/api/matches/", STREAM, "/ladders/", "/wall")
"""The addresses below which matches are shown move by move, or their first moves."""
TABLES: Final = ("", "matrix", "seats")
"""The pages of a ladder without moves."""
NAMELESS: Final = re.compile(
    r"/(combined|news|news\.atom|data|openapi\.json)?|/ladders/[^/]+(/matrix|/seats)?"
    r"|/api/(leaderboard|leaderboard\.csv|bots\.csv)|(/api)?/bots/[^/]+"
)
"""The addresses of an anonymous board: tables, bots by their aliases, and news of the contest."""


def cookie_name(contest: Contest, name: str = COOKIE) -> str:
    """Return the name of a cookie; by HTTPS one that no other host and no page without TLS can set."""
    return f"__Host-{name}" if contest.settings.is_secure else name


def viewer_in(contest: Contest, request: Request) -> Member | None:
    """Return who sends a request to any application that serves a contest; None for a visitor."""
    secret = request.cookies.get(cookie_name(contest))
    if not secret:
        return None
    now = contest.now()
    with contest.store.reading() as connection:
        session = session_of(connection, secret, now)
        found = person_of(connection, session.account) if session else None
    if session and found and session.seen < now - SEEN_S:
        with contest.store.writing() as connection:
            note_sight(connection, session.id, now)
    request.state.session = session.id if session else ""
    return found


def reader_in(contest: Contest, request: Request) -> Member | None:
    """Return who reads a page that needs no database: a visitor, if that of the contest cannot be used."""
    with suppress(ContestFileError):
        return viewer_in(contest, request)
    return None


def set_cookie(response: Response, contest: Contest, secret: str, name: str = COOKIE, age_s: float = LONGEST_S) -> None:
    """Set the cookie of a secret, by default that of a session."""
    response.set_cookie(
        cookie_name(contest, name),
        secret,
        max_age=int(age_s),
        secure=contest.settings.is_secure,
        httponly=True,
        samesite="lax",
    )


def drop_cookie(response: Response, contest: Contest, name: str = COOKIE) -> None:
    """Delete the cookie of a secret, by default that of its session."""
    set_cookie(response, contest, "", name, age_s=0)


def leads_to(contest: Contest, viewer: Member | None) -> Leads:
    """Return to which addresses a viewer may go now."""
    phase = contest.hiding
    if phase is None or not phase.hides_matches or (viewer and viewer.is_organiser):
        return everywhere
    return lambda address: not hidden_at(phase, address)


def own_pages(contest: Contest, viewer: Member | None) -> Sequence[PageLink]:
    """Return the links to the pages of a contest itself, for a viewer."""
    own = VISITOR if viewer is None else ORGANISER if viewer.is_organiser else CONTESTANT
    with suppress(ContestFileError):  # the page of that error has a menu too
        if found := finals_of(contest):
            return (PageLink("/finals/" if found.is_open else "/ceremony", "Finals"), *own)
    return own


def hidden_at(phase: PhaseTable, path: str) -> str:
    """Return what a phase hides at an address of the leaderboard from contestants, in words; empty if nothing."""
    if phase.board == "hidden":
        return "the tables are"
    if phase.board == "anonymous" and not NAMELESS.fullmatch(path):
        return "matches and who played in them are"
    return "matches move by move are" if phase.replays == "hidden" and _has_moves(path) else ""


def _has_moves(path: str) -> bool:
    if path.startswith("/ladders/"):
        return path.removeprefix("/ladders/").partition("/")[2] not in TABLES
    return path.startswith(REPLAYS)
