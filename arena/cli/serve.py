"""`ballcourt serve`: shows a tournament in the browser."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.arena.cli.output import say

if TYPE_CHECKING:
    from types import ModuleType

    from ballcourt.leaderboard.pages.event import Results

LOOPBACK = "127.0.0.1"


def serve(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="The output folder of a tournament; by default the newest in ./runs."),
    ] = None,
    port: Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="The port; 0 chooses a free one.")] = 8000,
) -> None:
    """Show the leaderboard, bots, matches and replays of a tournament in a browser on this machine.

    Pages show a running tournament as far as it is. Nothing but this machine can reach them, and they change nothing.
    Needs the extra `web`: pip install 'ballcourt[web]'.

    \b
    Examples:
      ballcourt serve runs/demo
      ballcourt serve runs/demo --port 8080
    """
    uvicorn = _uvicorn()
    from ballcourt.arena.cli.results import newest
    from ballcourt.arena.tournament.folder import RECORDS
    from ballcourt.arena.tournament.manifest import FolderError
    from ballcourt.leaderboard.pages.app import create_app
    from ballcourt.leaderboard.pages.event import Event

    place = folder or newest()
    if not (place / RECORDS).is_dir():
        raise FolderError(f"{place} is not the output folder of a tournament: it has no records")
    app = create_app(Event(place, lambda: _results(place)))
    with _listening(port) as listener:
        say([f"open http://{LOOPBACK}:{listener.getsockname()[1]}/ in a browser; Ctrl-C ends this"])
        uvicorn.Server(uvicorn.Config(app, log_level="warning", server_header=False)).run(sockets=[listener])


def _results(place: Path) -> Results:
    from ballcourt.arena.cli.leaderboard import boards_of
    from ballcourt.leaderboard.folder import results_in
    from ballcourt.leaderboard.pages.event import Results

    matches = results_in(place).matches
    return Results(matches, boards_of(matches, place) if matches else {})


def _listening(port: int) -> socket.socket:
    """Return a socket that listens on the loopback interface. Raises BadParameter."""
    try:
        return socket.create_server((LOOPBACK, port))
    except OSError as error:
        raise typer.BadParameter(
            f"port {port} cannot be used ({error.strerror}); --port 0 chooses a free one"
        ) from error


def _uvicorn() -> ModuleType:
    """Return the server. Raises BadParameter if the extra is not installed."""
    try:
        import fastapi  # noqa: F401
        import jinja2  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise typer.BadParameter(f"{error.name} is not installed; pip install 'ballcourt[web]'") from error
    return uvicorn
