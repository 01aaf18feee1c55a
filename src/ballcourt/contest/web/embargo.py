"""The embargo: what a phase hides on the pages of the leaderboard from all but organisers.

A freeze shows pages of a copy of the results, so nothing has to be filtered and nothing can be forgotten. Until the
copy is there, these pages are not shown at all. An anonymous board shows pages whose tables have aliases for names, and
whose database has no match.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from logging import getLogger
from pathlib import Path
from threading import Event, Thread
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from ballcourt.arena.temporary import scratch_folder
from ballcourt.contest.aliases import Aliases
from ballcourt.contest.decisions.hiding import frozen_phase
from ballcourt.contest.refusals import NotAllowedError, NotReadyError
from ballcourt.contest.settings import PhaseTable, in_results, shown
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.web.viewers import around, hidden_at, viewer_in
from ballcourt.engine.core import WrongInput
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.refresh import kept_fresh
from ballcourt.leaderboard.pages.source import Source, frozen
from ballcourt.leaderboard.pages.summaries import Summary, renamed
from ballcourt.leaderboard.pages.views import Views
from ballcourt.leaderboard.store.database import open_database

OPEN: Final = ("/static/", "/viewer/", "/healthz")
"""The addresses of the leaderboard that say nothing about matches."""
LOOK_S: Final = 1.0
LOG: Final = getLogger(__name__)


class Embargo:
    """An application that answers with the pages that a viewer may see now."""

    def __init__(self, contest: Contest, live: ASGIApp) -> None:
        self._contest = contest
        self._live = live
        self.copy: tuple[str, ASGIApp] | None = None
        """The phase whose freeze has a copy, and the pages of that."""
        self.anonymous: tuple[str, ASGIApp] | None = None
        """The phase whose tables have aliases, and the pages with them."""

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
        if what := hidden_at(phase, request.url.path):
            raise NotAllowedError(f"{what} hidden until phase {phase.name} closes, {shown(phase.closes)}")
        with self._contest.store.reading() as connection:
            is_frozen = frozen_phase(connection, self._contest) is not None
        if not is_frozen and phase.board != "anonymous":
            return self._live
        found, what = (self.copy, "frozen") if is_frozen else (self.anonymous, "made anonymous")
        if found is None or found[0] != phase.name:
            raise NotReadyError(f"the tables are being {what}; load this page again in a few seconds")
        return found[1]


def _may_hide(phase: PhaseTable) -> bool:
    return bool(phase.freeze) or phase.hides_matches


@contextmanager
def freezing(contest: Contest, views: Views, embargo: Embargo) -> Iterator[None]:
    """Make what others see of phases that freeze or are anonymous, and remove it afterwards, until the context ends."""
    over = Event()
    with ExitStack() as copies, without_matches(views.source) as nameless:
        keepers = Freezer(contest, views, embargo, copies), Anonymiser(contest, views, embargo, nameless)
        thread = Thread(target=_keep, args=(keepers, over), name="freeze")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


class Freezer:
    """Makes the copy of a freeze, and removes it. Call `step` again and again."""

    def __init__(self, contest: Contest, views: Views, embargo: Embargo, copies: ExitStack) -> None:
        """`copies` ends what serves a copy."""
        self._contest = contest
        self._views = views
        self._embargo = embargo
        self._copies = copies

    def step(self) -> None:
        """Make or remove the copy if it is time to. Raises OSError and WrongInput."""
        with self._contest.store.reading() as connection:
            phase = frozen_phase(connection, self._contest)
        if self._embargo.copy and (phase is None or phase.name != self._embargo.copy[0]):
            name, _ = self._embargo.copy
            self._embargo.copy = None
            self._copies.close()
            self._file(name).unlink(missing_ok=True)
        if phase and phase.freeze and self._embargo.copy is None and self._has_looked(phase.freeze.timestamp()):
            file = self._file(phase.name)
            file.parent.mkdir(exist_ok=True)
            source = frozen(self._views.source, file, in_results(phase.freeze))
            self._embargo.copy = phase.name, self._copies.enter_context(_served(source, self._contest, phase))

    def _has_looked(self, moment: float) -> bool:
        """Whether the results have been read since a moment, so that nothing from before it is missing."""
        return bool(self._views.summary.at) and self._contest.now() - self._views.age_s() >= moment

    def _file(self, name: str) -> Path:
        return self._contest.path.parent / "frozen" / f"{name}.sqlite"


class Anonymiser:
    """Keeps pages with aliases as new as the live ones while a phase is anonymous. Call `step` again and again."""

    def __init__(self, contest: Contest, views: Views, embargo: Embargo, nameless: Views) -> None:
        """`nameless` shows the tables with aliases; its database has no match."""
        self._contest = contest
        self._views = views
        self._embargo = embargo
        self._nameless = nameless
        self._pages = create_app(nameless, None, around(contest))
        self._shown: object = None

    def step(self) -> None:
        """Show the newest tables with aliases if a phase is anonymous. Raises OSError."""
        phase = self._contest.phase
        if phase is None or phase.board != "anonymous":
            return
        state = phase.name, self._views.state()
        is_new = state != self._shown
        self._nameless.show(_shown_by(phase, self._contest)(self._views.newest()) if is_new else None)
        self._shown = state
        self._embargo.anonymous = phase.name, self._pages


@contextmanager
def without_matches(source: Source) -> Iterator[Views]:
    """Yield views that are to show tables alone, whatever the matches of a source are."""
    with scratch_folder() as scratch, open_database(scratch / "none.sqlite", create=True) as database:
        yield Views(source, database)


def _shown_by(phase: PhaseTable, contest: Contest) -> Callable[[Summary], Summary]:
    """Return what makes of tables those that a phase shows: with names or with aliases. Raises OSError."""
    if phase.board != "anonymous":
        return lambda summary: summary
    rename = Aliases(contest, phase).of
    why = f"All but residents have aliases until phase {phase.name} closes, {shown(phase.closes)}."
    return lambda summary: renamed(summary, rename, f"{summary.version}-{phase.name}", why)


@contextmanager
def _served(source: Source, contest: Contest, phase: PhaseTable) -> Iterator[ASGIApp]:
    """Yield the pages of a copy, which say until when it is shown. Raises OSError."""
    shown_by = _shown_by(phase, contest)
    with ExitStack() as stack:
        if phase.board == "anonymous":
            views = stack.enter_context(without_matches(source))
        else:
            views = Views(source, stack.enter_context(source.opened()))
        stack.enter_context(
            kept_fresh(source, lambda summary: views.show(summary and _marked(shown_by(summary), phase)))
        )
        yield create_app(views, None, around(contest))


def _marked(summary: Summary, phase: PhaseTable) -> Summary:
    frozen_at = shown(phase.freeze) if phase.freeze else ""
    words = f"they are frozen as of {frozen_at} until phase {phase.name} closes, {shown(phase.closes)}"
    return replace(summary, trouble=summary.trouble or words)


def _keep(keepers: Sequence[Freezer | Anonymiser], over: Event) -> None:
    trouble = ""
    while not over.wait(LOOK_S):
        try:
            for keeper in keepers:
                keeper.step()
            trouble = ""
        except (OSError, WrongInput) as error:
            if str(error) != trouble:
                trouble = str(error)
                LOG.warning("the tables cannot be frozen or made anonymous, so only organisers see them: %s", trouble)
