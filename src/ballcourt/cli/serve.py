"""`ballcourt serve`: shows a tournament in the browser, or writes the pages as files. Needs the extra `web`."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from ballcourt.arena.extras import needs
from ballcourt.arena.temporary import scratch_folder
from ballcourt.cli.declaring import option
from ballcourt.cli.flags import LogFlag, PlaceOrNewest, Port, Unconfined
from ballcourt.cli.journal import LogForm, keep_log
from ballcourt.cli.loopback import listening
from ballcourt.cli.output import say, writing
from ballcourt.cli.results import newest

_HOST: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")


def serve(
    place: PlaceOrNewest = None,
    port: Port = 8000,
    site: Annotated[
        Path | None, option("Write the pages into this folder instead; a site that is there is replaced.", "FOLDER")
    ] = None,
    replays: Annotated[
        int, option("For --site: show the newest N matches move by move, 30-90 KB each.", "N", min=0, max=1000000)
    ] = 100,
    contest: Annotated[
        Path | None,
        option("Serve this contest too: its contest.toml, or its folder. FOLDER is then its ladder's.", "FILE"),
    ] = None,
    behind: Annotated[
        list[str] | None, option("A name at which a proxy on this machine offers the pages to others.", "HOST")
    ] = None,
    monitor: Annotated[
        int | None,
        option("For --contest: answer /healthz, /readyz and /metrics on this port.", "PORT", min=0, max=65535),
    ] = None,
    judge: Annotated[
        int | None,
        option("Judge running matches while they are watched, by N playouts for a position.", "N", min=2, max=1000),
    ] = None,
    unconfined: Unconfined = False,
    log: LogFlag = "text",
) -> None:
    """Show the leaderboard, bots, matches and replays of a tournament in a browser on this machine.

    Pages follow a running tournament, and show its matches while they are played: another process looks for new results
    every two seconds and makes the tables, so no page waits for them. Until the first ones are made, pages answer with
    the status 503 and how far that is. The pages change nothing, and nothing but this machine can reach them. To offer
    them to others, let a web server on this machine, such as Caddy or nginx, pass requests on, and name the host with
    --behind; requests for any other host are refused.

    With --judge the page of a running match also shows how it stands: the chance to win, the expected place and points
    of each seat, from playing on at random from what a spectator knows. Another process computes it, the newest
    position first; 30 playouts take about 0.1 seconds.

    With --site the pages become files that need no server: open index.html, or copy the folder to any web server. Large
    tables come whole, and only the newest matches are listed.

    With --contest it also serves a contest: people sign in, enter bots and read their own reports. It starts processes
    that examine what was entered. `ballcourt docs contest` explains it.

    Needs the extra `web`: pip install 'ballcourt[web]'; a contest needs `contest`.

    \b
    Examples:
      ballcourt serve runs/demo
      ballcourt serve runs/demo --port 8080
      ballcourt serve postgresql://host/name
      ballcourt serve runs/demo --judge 30
      ballcourt serve runs/demo --site public
      ballcourt serve --contest cup/contest.toml
      ballcourt serve --contest cup/contest.toml --monitor 9000 --log json
      ballcourt serve runs/ladder --behind ladder.example.org
    """
    keep_log(LogForm(log), "serve")
    if contest:
        if behind:
            raise typer.BadParameter("contest.toml says where a contest is offered: url", param_hint="--behind")
        if site:
            raise typer.BadParameter("a contest needs a server, so it cannot be written as files", param_hint="--site")
        needs("contest")
        from ballcourt.cli.serve_contest import serve_contest

        serve_contest(place, port, contest, monitor, judge, unconfined=unconfined)
        return
    if unconfined:
        raise typer.BadParameter(
            "only a contest runs what strangers send; give --contest too", param_hint="--unconfined"
        )
    if site and judge is not None:
        raise typer.BadParameter("files follow no running match; leave --site or --judge out", param_hint="--judge")
    if monitor is not None:
        raise typer.BadParameter("only a contest is monitored; give --contest too", param_hint="--monitor")
    hosts = _hosts(behind or [])
    from ballcourt.cli.pages import serve_pages, write_pages  # they need an extra

    where = place or str(newest())
    with scratch_folder() as scratch:
        if site is None:
            with listening(port) as listener:
                serve_pages(where, scratch, listener, hosts, judge)
            return
        with writing(site):
            count = write_pages(where, scratch, site, replays)
    say([f"{count} pages: open {site / 'index.html'} in a browser"])


def _hosts(names: Sequence[str]) -> list[str]:
    """Return the names of hosts in lower case. Raises BadParameter for what cannot be one."""
    for name in names:
        if not _HOST.fullmatch(name):
            raise typer.BadParameter(
                f"'{name}' is not the name of a host; give one such as cup.example.org, without scheme and port",
                param_hint="--behind",
            )
    return [name.lower() for name in names]
