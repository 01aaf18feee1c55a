"""What the pages of the leaderboard are a part of: its host name, its pages, its news, and who may go where."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fastapi import Request

from ballcourt.contest.decisions.happened import happened
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.settings import PhaseTable
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.web.viewers import viewer_in
from ballcourt.leaderboard.pages.live import STREAM
from ballcourt.leaderboard.pages.rendering import Leads, PageLink, Surroundings, everywhere

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


@dataclass(frozen=True, slots=True)
class Open:
    """Where a phase lets contestants go."""

    phase: PhaseTable

    def __call__(self, address: str) -> bool:
        """Whether they may go to an address."""
        return not hidden_at(self.phase, address)


def leads_to(contest: Contest, viewer: Member | None) -> Leads:
    """Return to which addresses a viewer may go now."""
    phase = contest.phase
    is_all = phase is None or not phase.hides_matches or (viewer is not None and viewer.is_organiser)
    return everywhere if phase is None or is_all else Open(phase)


def around(contest: Contest) -> Surroundings:
    """Return what a contest puts around the pages of its leaderboard."""

    def links(request: Request) -> Sequence[PageLink]:
        who = viewer_in(contest, request)
        if who is None:
            return VISITOR
        return ORGANISER if who.is_organiser else CONTESTANT

    def leads(request: Request) -> Leads:
        return leads_to(contest, viewer_in(contest, request))

    return Surroundings((contest.settings.host,), links, lambda: happened(contest), leads)


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
