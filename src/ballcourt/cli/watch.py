"""`ballcourt event watch`: follow a tournament from another terminal, by the log that its run writes."""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from time import monotonic, sleep, time
from typing import Annotated, Final

from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from ballcourt.arena.printable import json_line
from ballcourt.arena.tournament.folder.log import Entry, LogReader
from ballcourt.arena.tournament.folder.manifest import FolderError, kept_plan
from ballcourt.arena.tournament.folder.output import DATABASE, holder
from ballcourt.arena.tournament.folder.overview import Overview
from ballcourt.arena.tournament.folder.placing import read_placing
from ballcourt.cli.declaring import switch
from ballcourt.cli.flags import Folder
from ballcourt.cli.leaderboard import Shown, show
from ballcourt.cli.output import console, note, say
from ballcourt.leaderboard.model.results import LeaderboardError
from ballcourt.leaderboard.model.standings import marked
from ballcourt.leaderboard.show import by_rules
from ballcourt.leaderboard.show.terminal import to_table
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.folder import field_in
from ballcourt.leaderboard.store.snapshot import boards_in

LOOK_S: Final = 0.5
"""How long to wait between looks at the log, in seconds."""
LINE_S: Final = 10.0
TABLE_S: Final = 5.0
"""How old a table may be; older if it takes long to make."""


def watch(
    folder: Folder,
    once: Annotated[bool, switch("--once", "Show how far it is now, and leave.")] = False,
    as_json: Annotated[
        bool, switch("--json", "Print the events of its run, one JSON object a line, for programs.")
    ] = False,
) -> None:
    """Follow a tournament that runs in another terminal.

    Shows how far it is, the matches being played and the table so far; when the tournament is over, the whole table.
    If its run stops or is killed, waits until it is continued. A run never waits for those who watch it. Its events are
    in FOLDER/events.jsonl.

    \b
    Examples:
      ballcourt event watch runs/cup
      ballcourt event watch runs/cup --once
      ballcourt event watch runs/cup --json
    """
    if kept_plan(folder) is None:
        raise FolderError(f"{folder} is not the output folder of a tournament: it has no tournament.toml")
    entries = _followed(folder, once=once)
    if as_json:
        for added in entries:
            say(map(json_line, added))
    else:
        _show(folder, entries)


def how_far(folder: Path) -> str:
    """Return how far the tournament or ladder in a folder is, in a sentence. Raises FolderError and LogError."""
    view = _View(folder)
    for added in _followed(folder, once=True):
        view.add(added)
    return view.line()


def _followed(folder: Path, *, once: bool) -> Iterator[list[Entry]]:
    """Yield what was added to the log since, again and again until the tournament is over, or only once."""
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


def _show(folder: Path, entries: Iterator[list[Entry]]) -> None:
    """Show a live view on a terminal, and a line now and then elsewhere; at the end, the table."""
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
    show(*_whole_tables(folder))


class _View:
    """What is shown of a tournament."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._overview = Overview()
        self._tables = Shown({})
        self._fitted = self._reported_s = -inf
        self._fitting_s = 0.0

    def add(self, entries: list[Entry]) -> None:
        """Handle entries of the log."""
        for entry in entries:
            self._overview.follow(entry)

    def line(self) -> str:
        """Return how far the tournament is, and whether it is being played."""
        return self._overview.sentence(time(), is_held=bool(holder(self._folder)))

    def is_due(self) -> bool:
        """Return whether it is time for another line."""
        due = monotonic() - self._reported_s >= LINE_S
        if due:
            self._reported_s = monotonic()
        return due

    def drawn(self, width: int) -> RenderableType:
        """Return the view for a terminal."""
        began = monotonic()
        if began - self._fitted >= max(TABLE_S, 5 * self._fitting_s):
            self._tables = _tables(self._folder)
            self._fitted = monotonic()
            self._fitting_s = self._fitted - began
        boards, placing = self._tables
        tables = [by_rules.to_table(placing)] if placing else []
        tables += [to_table(ladder, board.rows, width) for ladder, board in boards.items()]
        running = self._overview.tables(time()) if holder(self._folder) else ()
        return Group(*map(Text, (self.line(), *running)), *tables)


def _tables(folder: Path) -> Shown:
    """Return the tables so far, from what the run keeps; none while its database cannot be read."""
    try:
        with open_database(folder / DATABASE) as opened:
            return Shown(boards_in(opened), read_placing(folder))
    except LeaderboardError:
        return Shown({})


def _whole_tables(folder: Path) -> Shown:
    """Return the tables with all entrants of the event, who sits out, and the placing that follows from its matches."""
    try:
        with open_database(folder / DATABASE) as opened:
            boards, field = boards_in(opened), field_in(folder, opened.results())
    except LeaderboardError:
        return Shown({})
    return Shown({ladder: marked(board, field.entrants) for ladder, board in boards.items()}, field.placing)
