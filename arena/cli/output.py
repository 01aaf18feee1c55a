"""What the subcommands share: printing, and reading NAME=VALUE flags."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console


def console(*, err: bool = False) -> Console:
    """Return a console on stdout or stderr; a file or pipe gets plain text, 160 columns wide."""
    from rich.console import Console

    stream = sys.stderr if err else sys.stdout
    return Console(file=stream, highlight=False, markup=False, width=None if stream.isatty() else 160)


def say(lines: Iterable[str]) -> None:
    """Print lines on stdout, with control characters escaped: a bot may have written some of them."""
    from ballcourt.arena.records.readable import printable

    for line in lines:
        typer.echo(printable(line))


def note(line: str) -> None:
    """Print a line on stderr: anything but what the command was asked for."""
    typer.echo(line, err=True)


def dump(value: object) -> None:
    """Print JSON on stdout."""
    typer.echo(json.dumps(value, indent=2))


def pairs(flag: str, given: Iterable[str]) -> dict[str, str]:
    """Read NAME=VALUE flags. Raises BadParameter."""
    read: dict[str, str] = {}
    for entry in given:
        name, equals, value = entry.partition("=")
        if not (name and equals and value):
            raise typer.BadParameter(f"'{entry}' is not of the form NAME=VALUE", param_hint=flag)
        read[name] = value
    return read


def confinement(
    tier: int | None, limits: Iterable[str] | None, readable: Iterable[Path] | None
) -> dict[str, int | list[str]]:
    """Return the flags --sandbox, --limit and --readable as the table [sandbox] of a tournament file."""
    said: dict[str, int | list[str]] = {**numbers("--limit", limits or ())}
    if tier is not None:
        said["tier"] = tier
    if readable:
        said["readable"] = [str(path.resolve()) for path in readable]
    return said


def numbers(flag: str, given: Iterable[str]) -> dict[str, int]:
    """Read flags NAME=NUMBER, NAME=true and NAME=false. Raises BadParameter."""
    words = {"true": True, "false": False}
    read = pairs(flag, given)
    for name, value in read.items():
        if not value.isdecimal() and value not in words:
            raise typer.BadParameter(f"{name} is '{value}'; it must be a whole number, true or false", param_hint=flag)
    return {name: words[value] if value in words else int(value) for name, value in read.items()}


def duration(seconds: int) -> str:
    """Return a time in its two largest units, of which hours are the largest."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
