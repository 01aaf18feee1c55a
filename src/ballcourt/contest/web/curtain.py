"""What stands before the pages of the leaderboard while a phase hides something from all but organisers.

A freeze shows pages of a copy of the results, so nothing has to be filtered and nothing can be forgotten. Until the
copy is there, these pages are not shown at all.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC
from logging import getLogger
from pathlib import Path
from threading import Event, Thread
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from ballcourt.contest.decisions.hiding import frozen_phase
from ballcourt.contest.refusals import NotAllowedError, NotReadyError
from ballcourt.contest.settings import PhaseTable, shown
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.web.around import around
from ballcourt.contest.web.viewers import viewer_in
from ballcourt.engine.core import WrongInput
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.live import STREAM
from ballcourt.leaderboard.pages.refresh import kept_fresh
from ballcourt.leaderboard.pages.source import Source, frozen
from ballcourt.leaderboard.pages.summaries import Summary
from ballcourt.leaderboard.pages.views import Views

OPEN: Final = ("/static/", "/viewer/", "/healthz")
"""The addresses of the leaderboard that say nothing about matches."""
REPLAYS: Final = ("/matches/", "/embed/", "/api/matches/", STREAM, "/ladders/", "/wall")
"""The addresses below which matches are shown move by move, or their first moves."""
TABLES: Final = ("", "matrix", "seats")
"""The pages of a ladder without moves."""
LOOK_S: Final = 1.0
LOG: Final = getLogger(__name__)


class Curtain:
    """An application that answers with the pages that a viewer may see now."""

    def __init__(self, contest: Contest, live: ASGIApp) -> None:
        self._contest = contest
        self._live = live
        self.copy: tuple[str, ASGIApp] | None = None
        """The phase whose freeze has a copy, and the pages of that."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        phase = self._contest.phase
        pages = self._live
        if scope["type"] == "http" and phase and _may_hide(phase) and not scope["path"].startswith(OPEN):
            pages = await run_in_threadpool(self._pages, Request(scope), phase)
        await pages(scope, receive, send)

    def _pages(self, request: Request, phase: PhaseTable) -> ASGIApp:
        """Return the pages that a viewer may see. Raises NotAllowedError and NotReadyError."""
        who = viewer_in(self._contest, request)
        if who and who.is_organiser:
            return self._live
        if phase.board == "hidden" or (phase.replays == "hidden" and _has_moves(request.url.path)):
            what = "the tables are" if phase.board == "hidden" else "matches move by move are"
            raise NotAllowedError(f"{what} hidden until phase {phase.name} closes, {shown(phase.closes)}")
        with self._contest.store.reading() as connection:
            if frozen_phase(connection, self._contest) is None:
                return self._live
        if self.copy is None or self.copy[0] != phase.name:
            raise NotReadyError("the tables are being frozen; load this page again in a few seconds")
        return self.copy[1]


def _may_hide(phase: PhaseTable) -> bool:
    return bool(phase.freeze) or "hidden" in (phase.board, phase.replays)


def _has_moves(path: str) -> bool:
    if path.startswith("/ladders/"):
        return path.removeprefix("/ladders/").partition("/")[2] not in TABLES
    return path.startswith(REPLAYS)


@contextmanager
def freezing(contest: Contest, views: Views, curtain: Curtain) -> Iterator[None]:
    """Make copies of the results when phases freeze, and remove them afterwards, until the context ends."""
    over = Event()
    with ExitStack() as copies:
        thread = Thread(target=_keep, args=(Freezer(contest, views, curtain, copies), over), name="freeze")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


class Freezer:
    """Makes the copy of a freeze, and removes it. Call `step` again and again."""

    def __init__(self, contest: Contest, views: Views, curtain: Curtain, copies: ExitStack) -> None:
        """`copies` ends what serves a copy."""
        self._contest = contest
        self._views = views
        self._curtain = curtain
        self._copies = copies

    def step(self) -> None:
        """Make or remove the copy if it is time to. Raises OSError and WrongInput."""
        with self._contest.store.reading() as connection:
            phase = frozen_phase(connection, self._contest)
        if self._curtain.copy and (phase is None or phase.name != self._curtain.copy[0]):
            name, _ = self._curtain.copy
            self._curtain.copy = None
            self._copies.close()
            self._file(name).unlink(missing_ok=True)
        if phase and phase.freeze and self._curtain.copy is None and self._has_looked(phase.freeze.timestamp()):
            file = self._file(phase.name)
            file.parent.mkdir(exist_ok=True)
            source = frozen(self._views.source, file, phase.freeze.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
            self._curtain.copy = phase.name, self._copies.enter_context(_served(source, self._contest, phase))

    def _has_looked(self, moment: float) -> bool:
        """Whether the results have been read since a moment, so that nothing from before it is missing."""
        return bool(self._views.summary.at) and self._contest.now() - self._views.age_s() >= moment

    def _file(self, name: str) -> Path:
        return self._contest.path.parent / "frozen" / f"{name}.sqlite"


@contextmanager
def _served(source: Source, contest: Contest, phase: PhaseTable) -> Iterator[ASGIApp]:
    """Yield the pages of a copy, which say until when it is shown."""
    with source.opened() as database:
        views = Views(source, database)
        with kept_fresh(source, lambda summary: views.show(summary and _marked(summary, phase))):
            yield create_app(views, None, around(contest))


def _marked(summary: Summary, phase: PhaseTable) -> Summary:
    frozen_at = shown(phase.freeze) if phase.freeze else ""
    words = f"they are frozen as of {frozen_at} until phase {phase.name} closes, {shown(phase.closes)}"
    return replace(summary, trouble=summary.trouble or words)


def _keep(freezer: Freezer, over: Event) -> None:
    trouble = ""
    while not over.wait(LOOK_S):
        try:
            freezer.step()
            trouble = ""
        except (OSError, WrongInput) as error:
            if str(error) != trouble:
                trouble = str(error)
                LOG.warning("the tables cannot be frozen, so only organisers see them: %s", trouble)
