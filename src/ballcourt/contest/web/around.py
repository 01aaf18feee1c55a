"""What the pages of the leaderboard are a part of: the contest's own host name, links to its pages, and its news."""

from collections.abc import Sequence

from fastapi import Request

from ballcourt.contest.decisions.happened import happened
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.web.viewers import viewer_in
from ballcourt.leaderboard.pages.app import PageLink, Surroundings

NEWS = PageLink("/announcements", "Announcements")
SCRIMMAGES = PageLink("/scrimmages", "Scrimmages")
VISITOR = (NEWS, SCRIMMAGES, PageLink("/sign-in", "Sign in"))
WORDS = ("Submissions", "Submit", "Scrimmages", "Team", "Account")
CONTESTANT = (NEWS, *(PageLink(f"/{word.lower()}", word) for word in WORDS))
ORGANISER = (*CONTESTANT, PageLink("/organiser", "Organiser"))


def around(contest: Contest) -> Surroundings:
    """Return what a contest puts around the pages of its leaderboard."""

    def links(request: Request) -> Sequence[PageLink]:
        who = viewer_in(contest, request)
        if who is None:
            return VISITOR
        return ORGANISER if who.is_organiser else CONTESTANT

    return Surroundings((contest.settings.host,), links, lambda: happened(contest))
