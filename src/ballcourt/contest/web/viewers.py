"""Viewers: who looks at a page, by the session in the cookie of the browser."""

from typing import Final

from fastapi import Request, Response

from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.sessions import LONGEST_S, SEEN_S, note_sight, session_of, viewer_of
from ballcourt.contest.store.contest import Contest

COOKIE: Final = "ballcourt-session"


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
        found = viewer_of(connection, session)
    if session and found and session.seen < now - SEEN_S:
        with contest.store.writing() as connection:
            note_sight(connection, session.id, now)
    request.state.session = session.id if session else ""
    return found


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
    is_secure = contest.settings.is_secure
    response.delete_cookie(cookie_name(contest, name), secure=is_secure, httponly=True, samesite="lax")
