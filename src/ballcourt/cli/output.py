"""Printing, which all commands share.

No other module of the command line prints, so everything passes `ballcourt.arena.printable`.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from logging import getLogger
from typing import TYPE_CHECKING, Any, Final

import typer

from ballcourt.arena.printable import as_json, json_line, printable

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table

NOTES: Final = getLogger("ballcourt.notes")
"""Gets what `note` would print if a command keeps a log for programs; see `journal`."""


def console(*, err: bool = False) -> Console:
    """Return a console on stdout or stderr; a file or pipe gets plain text, 160 columns wide."""
    from rich.console import Console

    stream = sys.stderr if err else sys.stdout
    return Console(file=stream, highlight=False, markup=False, width=None if stream.isatty() else 160)


def print_table(terminal: Console, table: Table) -> None:
    """Print a table whose cells are strings of one line each.

    Rich takes a second to lay out 1,000 rows, so unless a cell has to be wrapped it only draws the first one.
    """
    from rich.cells import cell_len
    from rich.table import Table

    cells = [[str(cell) for cell in column.cells] for column in table.columns]
    widths = [max(map(cell_len, (str(column.header), *own))) for column, own in zip(table.columns, cells, strict=True)]
    if not table.row_count or sum(widths) + 3 * len(widths) + 1 > terminal.width:
        terminal.print(table)
        return
    frame = Table(title=table.title, title_justify=table.title_justify, title_style=table.title_style)
    for column, width in zip(table.columns, widths, strict=True):
        frame.add_column(column.header, justify=column.justify, width=width, no_wrap=True)
    frame.add_row(*(own[0] for own in cells))
    with terminal.capture() as drawn:
        terminal.print(frame)
    *head, first, end = drawn.get().splitlines()
    aligned = [
        [_aligned(cell, width - cell_len(cell), column.justify) for cell in own]
        for column, own, width in zip(table.columns, cells, widths, strict=True)
    ]
    edge = first[0]
    body = [f"{edge} {f' {edge} '.join(row)} {edge}" for row in zip(*aligned, strict=True)]
    terminal.file.write("\n".join([*head, *body, end, ""]))


def _aligned(cell: str, missing: int, justify: str) -> str:
    return " " * missing + cell if justify == "right" else cell + " " * missing


def say(lines: Iterable[str]) -> None:
    """Print lines on stdout, escaped."""
    for line in lines:
        typer.echo(printable(line))


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table with cells below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def note(line: str) -> None:
    """Print a line on stderr: anything but what the command was asked for."""
    if NOTES.handlers:
        NOTES.info("%s", line)
    else:
        typer.echo(printable(line), err=True)


def note_values(line: dict[str, Any]) -> None:
    """Print a line of JSON on stderr, for programs that read the log of a command."""
    typer.echo(json_line(line), err=True)


@contextmanager
def writing(output: Path) -> Iterator[None]:
    """Raise BadParameter, which names `output` and the reason, if writing to it raises OSError."""
    try:
        yield
    except OSError as error:
        raise typer.BadParameter(f"{output} cannot be written: {error.strerror or error}") from error


@contextmanager
def working(task: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal that a task is under way; yield a function that names another one."""
    screen = console(err=True)
    if not screen.is_terminal:
        yield lambda _: None
        return
    with screen.status(printable(task)) as status:
        yield lambda now: status.update(printable(now))


def text(document: str) -> None:
    """Print a document of Ballcourt or of an installed game; on a terminal, through the user's pager."""
    if sys.stdout.isatty():
        import pydoc  # only a terminal needs it

        pydoc.pager(document)
    else:
        typer.echo(document, nl=False)


def dump(value: object) -> None:
    """Print JSON on stdout."""
    typer.echo(as_json(value))


def document(lines: str) -> None:
    """Print CSV or Markdown, which has its own escapes, on stdout."""
    typer.echo(lines, nl=False)


def command(*words: str) -> str:
    """Return a command of `ballcourt` as it can be pasted into a shell."""
    return shlex.join(["ballcourt", *words])


def same_command() -> str:
    """Return the command that this process runs, as it can be pasted into a shell."""
    return command(*sys.argv[1:])
