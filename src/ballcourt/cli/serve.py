"""`ballcourt serve`: shows a tournament in the browser."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.cli.output import note, say

if TYPE_CHECKING:
    from types import ModuleType

LOOPBACK = "127.0.0.1"


def serve(
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="FOLDER|URL",
            help="A tournament's output folder or a database URL; the newest tournament in ./runs by default.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="The port; 0 chooses a free one.")] = 8000,
) -> None:
    """Show the leaderboard, bots, matches and replays of a tournament in a browser on this machine.

    Pages follow a running tournament, and show its matches while they are played: another process looks for new results
    every two seconds and makes the tables, so no page waits for them. The pages change nothing, and nothing but this
    machine can reach them.
    Needs the extra `web`: pip install 'ballcourt[web]'.

    \b
    Examples:
      ballcourt serve runs/demo
      ballcourt serve runs/demo --port 8080
      ballcourt serve postgresql://host/name
    """
    uvicorn = web_server()
    from ballcourt.cli.results import newest
    from ballcourt.leaderboard.pages.app import create_app
    from ballcourt.leaderboard.pages.live import Live
    from ballcourt.leaderboard.pages.refresh import kept_fresh
    from ballcourt.leaderboard.pages.source import source_at
    from ballcourt.leaderboard.pages.views import Views
    from ballcourt.leaderboard.store.database import open_database

    with TemporaryDirectory(prefix="ballcourt-") as scratch, listening(port) as listener:
        source = source_at(place or str(newest()), Path(scratch))
        note(f"reading the results of {source.name}")
        with open_database(source.database) as database:
            views = Views(source, database)
            live = Live(source.folder, lambda: bool(server.should_exit), views.newest) if source.folder else None
            app = create_app(views, live)
            server = uvicorn.Server(uvicorn.Config(app, log_level="warning", server_header=False))
            with kept_fresh(source, views.show):
                say([f"open http://{LOOPBACK}:{listener.getsockname()[1]}/ in a browser; Ctrl-C ends this"])
                server.run(sockets=[listener])


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


def web_server() -> ModuleType:
    """Return the server. Raises BadParameter if the extra is not installed."""
    try:
        import fastapi  # noqa: F401
        import jinja2  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise typer.BadParameter(f"{error.name} is not installed; pip install 'ballcourt[web]'") from error
    return uvicorn
