"""The pages of a tournament: served on this machine, or written as files. Needs the extra `web`."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Final

import typer

from ballcourt.arena.durations import duration
from ballcourt.cli.journal import gather_servers
from ballcourt.cli.loopback import LOOPBACK, announce
from ballcourt.cli.output import note
from ballcourt.contest.monitoring.requests import Noted, OfRequest
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.live import Live
from ballcourt.leaderboard.pages.outlooks import Outlooks
from ballcourt.leaderboard.pages.refresh import PageRefresher, kept_fresh
from ballcourt.leaderboard.pages.rendering import Surroundings
from ballcourt.leaderboard.pages.site import write_site
from ballcourt.leaderboard.pages.source import source_at
from ballcourt.leaderboard.pages.views import Views
from ballcourt.web.server import web_server

SAY_S: Final = 10.0
"""How often to say how far the results have been read."""


def serve_pages(place: str, scratch: Path, listener: socket.socket, hosts: Sequence[str], judge: int | None) -> None:
    """Serve the pages of a tournament's folder or a database until the process is interrupted."""
    source = source_at(place, scratch)
    note(f"reading the results of {source.name}")
    with source.opened() as database, judging(judge, source.folder) as outlooks:
        views = Views(source, database)
        live = Live(source.folder, lambda: bool(server.should_exit), views.newest, outlooks) if source.folder else None
        server = web_server(Noted(create_app(views, live, Surroundings(hosts=hosts))))
        gather_servers(OfRequest())
        address = f"http://{LOOPBACK}:{listener.getsockname()[1]}/"
        say = partial(announce, f"open {address} in a browser; Ctrl-C ends this")
        with kept_fresh(source, views.show) as is_shown, announcing(views, is_shown, say):
            server.run(sockets=[listener])


@contextmanager
def announcing(views: Views, is_shown: Event, say: Callable[[], None]) -> Iterator[None]:
    """Call `say` once results are shown; before, say every `SAY_S` seconds how far that is."""
    over = Event()

    def wait() -> None:
        began = monotonic()
        while not is_shown.wait(SAY_S):
            so_far = duration(round(monotonic() - began))
            note(f"still reading the results, for {so_far} so far: {views.summary.trouble or 'this has just begun'}")
        if not over.is_set():
            say()

    thread = Thread(target=wait, name="announcer")
    thread.start()
    try:
        yield
    finally:
        over.set()
        is_shown.set()
        thread.join()


def write_pages(place: str, scratch: Path, output: Path, replays: int) -> int:
    """Write the pages into a folder, with the newest matches move by move; return how many there are."""
    source = source_at(place, scratch)
    with source.opened() as database:
        refresher = PageRefresher(source, database)
        refresher.refresh()
        refresher.add_histories()
        return write_site(Views(source, database, refresher.summary), output, replays)


def judging(playouts: int | None, folder: Path | None) -> AbstractContextManager[Outlooks | None]:
    """Return the judge of running matches, if one is wanted. Raises BadParameter where none can be followed."""
    if playouts is None:
        return nullcontext()
    if folder is None:
        raise typer.BadParameter(
            "a database has no running matches; name the folder of the tournament", param_hint="--judge"
        )
    return Outlooks(playouts)
