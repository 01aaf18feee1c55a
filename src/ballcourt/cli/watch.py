"""`ballcourt watch`: follow a tournament from another terminal, by the log that its run writes."""

from __future__ import annotations

from math import inf
from pathlib import Path
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ballcourt.cli.output import console, note, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from ballcourt.arena.tournament.folder.log import Entry
    from ballcourt.leaderboard.show.terminal import Boards

LOOK_S: Final = 0.5
"""How long to wait between looks at the log, in seconds."""
LINE_S: Final = 10.0
TABLE_S: Final = 5.0
"""How old a table may be; older if it takes long to make."""


def watch(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A tournament's output folder.", show_default=False)],
    once: Annotated[bool, typer.Option("--once", help="Show how far it is now, and leave.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the events of its run, one JSON object a line, for programs.")
    ] = False,
) -> None:
    """Follow a tournament that runs in another terminal.

    Shows how far it is, the matches being played and the table so far; when the tournament is over, the whole table.
    If its run stops or is killed, waits until somebody continues it. A run never waits for those who watch it. Its
    events are in FOLDER/events.jsonl.

    \b
    Examples:
      ballcourt watch runs/cup
      ballcourt watch runs/cup --once
      ballcourt watch runs/cup --json
    """
    from ballcourt.arena.tournament.folder.manifest import FolderError, kept_plan

    if kept_plan(folder) is None:
        raise FolderError(f"{folder} is not the output folder of a tournament: it has no tournament.toml")
    entries = _followed(folder, once=once)
    if as_json:
        _print(entries)
    else:
        _show(folder, entries)


def _followed(folder: Path, *, once: bool) -> Iterator[list[Entry]]:
    """Yield what was added to the log since, again and again until the tournament is over, or only once."""
    from ballcourt.arena.tournament.folder.log import LogReader
    from ballcourt.arena.tournament.folder.manifest import FolderError

    with LogReader(folder) as log:
        while True:
            try:
                added = [*log.entries()]
            except OSError as error:
                raise FolderError(f"cannot read the log in {folder}: {error.strerror or error}") from error
            yield added
            if once or (added and added[-1].get("event") == "finished"):
                return
            sleep(LOOK_S)


def _print(entries: Iterator[list[Entry]]) -> None:
    from ballcourt.arena.printable import json_line

    for added in entries:
        say(map(json_line, added))


def _show(folder: Path, entries: Iterator[list[Entry]]) -> None:
    """Show a live view on a terminal, and a line now and then elsewhere; at the end, the table."""
    from rich.live import Live
    from rich.text import Text

    from ballcourt.cli.leaderboard import show

    screen = console(err=True)
    view = _View(folder)
    with Live(console=screen, auto_refresh=False, transient=True) as live:
        for added in entries:
            view.add(added)
            if screen.is_terminal:
                live.update(view.drawn(screen.width), refresh=True)
            elif view.is_due():
                note(view.line())
        live.update(Text())
    note(view.line())
    show(_boards(folder))


class _View:
    """What is shown of a tournament."""

    def __init__(self, folder: Path) -> None:
        from ballcourt.arena.tournament.folder.overview import Overview

        self._folder = folder
        self._overview = Overview()
        self._boards: Boards = {}
        self._fitted = self._said = -inf
        self._fitting_s = 0.0

    def add(self, entries: list[Entry]) -> None:
        """Take in entries of the log."""
        for entry in entries:
            self._overview.follow(entry)

    def line(self) -> str:
        """Return how far the tournament is, and whether it is being played."""
        from ballcourt.arena.tournament.folder.output import holder

        return self._overview.sentence(time(), is_held=bool(holder(self._folder)))

    def is_due(self) -> bool:
        """Return whether it is time for another line."""
        due = monotonic() - self._said >= LINE_S
        if due:
            self._said = monotonic()
        return due

    def drawn(self, width: int) -> RenderableType:
        """Return the view for a terminal."""
        from rich.console import Group
        from rich.text import Text

        from ballcourt.leaderboard.show.terminal import to_table

        began = monotonic()
        if began - self._fitted >= max(TABLE_S, 5 * self._fitting_s):
            self._boards = _boards(self._folder)
            self._fitted = monotonic()
            self._fitting_s = self._fitted - began
        tables = [to_table(ladder, board.rows, width) for ladder, board in self._boards.items()]
        return Group(*map(Text, (self.line(), *self._overview.tables(time()))), *tables)


def _boards(folder: Path) -> Boards:
    """Return the tables so far, from the database that the run keeps; none while it cannot be read."""
    from ballcourt.arena.tournament.folder.output import DATABASE
    from ballcourt.leaderboard.model.results import LeaderboardError
    from ballcourt.leaderboard.store.database import open_database
    from ballcourt.leaderboard.store.snapshot import boards_in

    try:
        with open_database(folder / DATABASE) as opened:
            return boards_in(opened)
    except LeaderboardError:
        return {}
