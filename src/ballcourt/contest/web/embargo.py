"""The embargo: what a phase hides on the pages of the leaderboard from all but organisers.

A freeze shows pages of a copy of the results, so nothing has to be filtered and nothing can be forgotten. Until the
copy is there, these pages are not shown at all. An anonymous board shows pages whose tables have aliases for names, and
whose database has no match.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from logging import getLogger
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from ballcourt.arena.temporary import scratch_folder
from ballcourt.contest.aliases import Aliases
from ballcourt.contest.background import followed, meanwhile
from ballcourt.contest.decisions.hiding import frozen_phase
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import ContestFileError, NotAllowedError, NotReadyError
from ballcourt.contest.settings import PhaseTable, in_results, shown
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.web.viewers import hidden_at, viewer_in
from ballcourt.contest.web.visits import around, showing
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.refresh import kept_fresh
from ballcourt.leaderboard.pages.source import Source, frozen
from ballcourt.leaderboard.pages.summaries import Summary, renamed
from ballcourt.leaderboard.pages.views import Views
from ballcourt.leaderboard.store.database import open_database

OPEN: Final = ("/static/", "/viewer/", "/healthz")
"""The addresses of the leaderboard that say nothing about matches."""
HIDDEN: Final = "the tables cannot be frozen or made anonymous, so only organisers see them: %s"
LOG: Final = getLogger(__name__)


class Embargo:
    """An application that answers with the pages that a viewer may see now.

    `freeze` and `give_aliases` make what others see of phases that freeze or are anonymous; call both again and again.
    """

    def __init__(self, contest: Contest, live: ASGIApp) -> None:
        self._contest = contest
        self._live = live
        self.copy: tuple[str, ASGIApp] | None = None
        """The phase whose freeze has a copy, and the pages of that."""
        self.anonymous: tuple[str, ASGIApp] | None = None
        """The phase whose tables have aliases, and the pages with them."""
        self._shown: object = None
        """What the pages with aliases show."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        phase, pages = self._contest.hiding, self._live
        if scope["type"] == "http" and phase and phase.hides and not scope["path"].startswith(OPEN):
            pages = await run_in_threadpool(self._asked, Request(scope))
        await pages(scope, receive, send)

    def views(self, who: Member | None) -> Views | None:
        """Return what a viewer may see now of tables and matches; None while that is nothing."""
        try:
            pages = self._pages(who, "/")
        except (ContestFileError, NotAllowedError, NotReadyError):
            return None
        assert isinstance(pages, FastAPI)
        found: Views = pages.state.pages.views
        return found

    def _asked(self, request: Request) -> ASGIApp:
        return self._pages(viewer_in(self._contest, request), request.url.path)

    def _pages(self, who: Member | None, path: str) -> ASGIApp:
        """Return the pages that have an address as a viewer may see it. Raises NotAllowedError and NotReadyError."""
        phase = self._contest.hiding
        if phase is None or (who and who.is_organiser):
            return self._live
        if what := hidden_at(phase, path):
            raise NotAllowedError(f"{what} hidden until {phase.revealed}")
        with self._contest.store.reading() as connection:
            is_frozen = frozen_phase(connection, self._contest) is not None
        if not is_frozen and phase.board != "anonymous":
            return self._live
        found, what = (self.copy, "frozen") if is_frozen else (self.anonymous, "made anonymous")
        if found is None or found[0] != phase.name:
            raise NotReadyError(f"the tables are being {what}; load this page again in a few seconds")
        return found[1]

    def freeze(self, views: Views, copies: ExitStack) -> None:
        """Make or remove the copy of a freeze if it is time to; `copies` ends what serves one.

        Raises OSError and WrongInput.
        """
        with self._contest.store.reading() as connection:
            phase = frozen_phase(connection, self._contest)
        if self.copy and (phase is None or phase.name != self.copy[0]):
            name, _ = self.copy
            self.copy = None
            copies.close()
            self._file(name).unlink(missing_ok=True)
        if phase and phase.freeze and self.copy is None and self._has_looked(views, phase.freeze.timestamp()):
            file = self._file(phase.name)
            file.parent.mkdir(exist_ok=True)
            source = frozen(views.source, file, in_results(phase.freeze))
            self.copy = phase.name, copies.enter_context(_served(source, self._contest, phase))

    def _has_looked(self, views: Views, moment: float) -> bool:
        """Whether the results have been read since a moment, so that nothing from before it is missing."""
        return bool(views.summary.at) and self._contest.now() - views.age_s() >= moment

    def _file(self, name: str) -> Path:
        return self._contest.path.parent / "frozen" / f"{name}.sqlite"

    def give_aliases(self, views: Views, nameless: Views) -> None:
        """Show the newest tables with aliases if a phase is anonymous; the database of `nameless` has no match.

        Raises OSError.
        """
        phase = self._contest.hiding
        if phase is None or phase.board != "anonymous":
            return
        state = phase.name, views.state()
        nameless.show(_shown_by(phase, self._contest)(views.newest()) if state != self._shown else None)
        self._shown = state
        pages = self.anonymous[1] if self.anonymous else create_app(nameless, None, around(self._contest))
        self.anonymous = phase.name, pages

    @contextmanager
    def kept(self, views: Views) -> Iterator[None]:
        """Freeze and give aliases in another thread until the context ends, which removes what was made."""
        with ExitStack() as copies, without_matches(views.source) as nameless:

            def step() -> None:
                self.freeze(views, copies)
                self.give_aliases(views, nameless)

            with meanwhile("freeze", followed(step, lambda why: LOG.warning(HIDDEN, why))):
                yield


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
    why = f"All but residents have aliases until {phase.revealed}."
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
            kept_fresh(source, lambda summary: showing(views)(summary and _marked(shown_by(summary), phase)))
        )
        yield create_app(views, None, around(contest))


def _marked(summary: Summary, phase: PhaseTable) -> Summary:
    frozen_at = shown(phase.freeze) if phase.freeze else ""
    words = f"they are frozen as of {frozen_at} until {phase.revealed}"
    return replace(summary, trouble=summary.trouble or words)
