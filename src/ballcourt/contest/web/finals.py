"""The finals on the site of a contest: the pages of the leaderboard, below /finals, and those of a ceremony."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from logging import getLogger
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ballcourt.arena.temporary import scratch_folder
from ballcourt.contest.background import followed, meanwhile
from ballcourt.contest.decisions.publishing import Published, finals_of, reveal
from ballcourt.contest.refusals import NotAllowedError, NotReadyError, NotThereError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.visible import NOTHING
from ballcourt.contest.web.viewers import own_pages, viewer_in
from ballcourt.contest.web.visits import SEE_OTHER, Anyone, around, go, showing
from ballcourt.engine.core import WrongInput
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.refresh import kept_fresh
from ballcourt.leaderboard.pages.rendering import PageLink, everywhere
from ballcourt.leaderboard.pages.source import source_at
from ballcourt.leaderboard.pages.views import Views

LOG: Final = getLogger(__name__)

pages = APIRouter(include_in_schema=False)


class Finals:
    """An application that shows the finals which the organiser has published. Call `follow` again and again."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._shown: tuple[Path, ASGIApp] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        pages = await run_in_threadpool(self._asked, Request(scope))
        await pages(scope, receive, send)

    def _asked(self, request: Request) -> ASGIApp:
        """Raise NotThereError, NotAllowedError and NotReadyError."""
        if (found := finals_of(self._contest)) is None:
            raise NotThereError(NOTHING)
        who = viewer_in(self._contest, request)
        if not (found.is_open or (who and who.is_organiser)) and not request.url.path.startswith("/finals/static/"):
            if request.url.path == "/finals/":
                return RedirectResponse("/ceremony", SEE_OTHER)
            raise NotAllowedError(
                "the finals are shown when all their places have been revealed, on the page /ceremony"
            )
        if self._shown is None or self._shown[0] != found.folder:
            raise NotReadyError("the pages of the finals are being made; load this page again in a few seconds")
        return self._shown[1]

    def follow(self, served: ExitStack) -> None:
        """Serve what is published now; `served` ends what was served before. Raises OSError and WrongInput."""
        found = finals_of(self._contest)
        folder = found.folder if found else None
        if self._shown and self._shown[0] != folder:
            self._shown = None
            served.close()
        if folder and self._shown is None:
            source = source_at(str(folder), served.enter_context(scratch_folder()))
            views = Views(source, served.enter_context(source.opened()))
            served.enter_context(kept_fresh(source, showing(views)))
            name, urn = f"{self._contest.settings.name}: finals", f"{self._contest.identity}:finals"
            outside = replace(
                around(self._contest),
                name=name,
                identity=urn,
                links=self._links,
                front=str,
                news=tuple,
                leads=lambda _: everywhere,
            )
            self._shown = folder, create_app(views, None, outside)

    def _links(self, request: Request) -> Sequence[PageLink]:
        return PageLink("/", "Contest"), *own_pages(self._contest, viewer_in(self._contest, request))

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Follow in another thread until the context ends."""
        with ExitStack() as served:

            def step() -> None:
                try:
                    self.follow(served)
                except (OSError, WrongInput):
                    served.close()
                    raise

            with meanwhile("finals", followed(step, lambda why: LOG.warning("the finals cannot be shown: %s", why))):
                yield


@pages.get("/finals")
def _without_slash() -> Response:
    return go("/finals/")


@pages.get("/ceremony")
def _ceremony(visit: Anyone) -> Response:
    return visit.show("ceremony.html", finals=_published(visit.contest))


def _published(contest: Contest) -> Published:
    """Return the finals that have a ceremony. Raises NotThereError."""
    found = finals_of(contest)
    if found is None or not found.order:
        raise NotThereError(NOTHING)
    return found


@pages.post("/organiser/reveal")
def _reveal(visit: Anyone) -> Response:
    reveal(visit.contest, visit.visible.organiser().handle, "the ceremony")
    return go("/ceremony")
