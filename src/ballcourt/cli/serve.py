"""`ballcourt serve`: shows a tournament in the browser, or writes the pages as files. Needs the extra `web`."""

import os
import re
import socket
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Final

import typer

from ballcourt.arena.browser.server import web_server
from ballcourt.arena.temporary import scratch_folder
from ballcourt.cli.journal import LogForm, gather_servers, is_json, keep_log
from ballcourt.cli.output import note, say, writing
from ballcourt.cli.results import newest
from ballcourt.contest.monitoring.requests import Noted, OfRequest
from ballcourt.leaderboard.pages.app import Surroundings, create_app
from ballcourt.leaderboard.pages.live import Live
from ballcourt.leaderboard.pages.outlooks import Outlooks
from ballcourt.leaderboard.pages.refresh import PageRefresher, kept_fresh
from ballcourt.leaderboard.pages.site import write_site
from ballcourt.leaderboard.pages.source import source_at
from ballcourt.leaderboard.pages.views import Views

LOOPBACK = "127.0.0.1"
_HOST: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")


def serve(
    place: str | None,
    port: int,
    site: Path | None,
    replays: int,
    contest: Path | None,
    behind: list[str] | None,
    monitor: int | None,
    judge: int | None,
    log: str,
) -> None:
    """Run `ballcourt serve`."""
    keep_log(LogForm(log), "serve")
    if contest:
        if behind:
            raise typer.BadParameter("contest.toml says where a contest is offered: url", param_hint="--behind")
        if site:
            raise typer.BadParameter("a contest needs a server, so it cannot be written as files", param_hint="--site")
        from ballcourt.cli.serve_contest import serve_contest  # it needs an extra

        serve_contest(place, port, contest, monitor, judge)
        return
    if site and judge is not None:
        raise typer.BadParameter("files follow no running match; leave --site or --judge out", param_hint="--judge")
    if monitor is not None:
        raise typer.BadParameter("only a contest is monitored; give --contest too", param_hint="--monitor")
    hosts = hosts_of(behind or [])
    where = place or str(newest())
    with scratch_folder() as scratch:
        if site is None:
            with listening(port) as listener:
                _serve(where, scratch, listener, hosts, judge)
            return
        with writing(site):
            count = _write(where, scratch, site, replays)
    say([f"{count} pages: open {site / 'index.html'} in a browser"])


def _serve(place: str, scratch: Path, listener: socket.socket, hosts: Sequence[str], judge: int | None) -> None:
    """Serve the pages of a tournament's folder or a database until the process is interrupted."""
    source = source_at(place, scratch)
    note(f"reading the results of {source.name}")
    with source.opened() as database, judging(judge, source.folder) as outlooks:
        views = Views(source, database)
        live = Live(source.folder, lambda: bool(server.should_exit), views.newest, outlooks) if source.folder else None
        server = web_server(Noted(create_app(views, live, Surroundings(hosts))))
        gather_servers(OfRequest())
        with kept_fresh(source, views.show):
            announce(f"open http://{LOOPBACK}:{listener.getsockname()[1]}/ in a browser; Ctrl-C ends this")
            server.run(sockets=[listener])


def _write(place: str, scratch: Path, output: Path, replays: int) -> int:
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


def announce(sentence: str) -> None:
    """Say where the pages are: on stdout, or in the log for programs."""
    if is_json():
        note(sentence)
    else:
        say([sentence])


def hosts_of(names: Sequence[str]) -> list[str]:
    """Return the names of hosts in lower case. Raises BadParameter for what cannot be one."""
    for name in names:
        if not _HOST.fullmatch(name):
            raise typer.BadParameter(
                f"'{name}' is not the name of a host; give one such as cup.example.org, without scheme and port",
                param_hint="--behind",
            )
    return [name.lower() for name in names]


def listening(port: int) -> socket.socket:
    """Return a socket that listens on the loopback interface. Raises BadParameter."""
    try:
        listener = socket.create_server((LOOPBACK, port))
    except OSError as error:
        raise typer.BadParameter(
            f"port {port} cannot be used ({os.strerror(error.errno or 0)}); --port 0 chooses a free one"
        ) from error
    # connections inherit it; without it, the end of an answer waits 40 ms for the browser to confirm its beginning
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
