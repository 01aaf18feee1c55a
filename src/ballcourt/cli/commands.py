"""The commands of `ballcourt`: which there are, and the program that runs them."""

from collections.abc import Iterable
from importlib import import_module
from typing import Annotated, Final

import typer

from ballcourt.cli.failures import Commands
from ballcourt.cli.output import say

COMMANDS: Final = (
    "demo",
    "play",
    "mcp",
    "tournament",
    "ladder",
    "host",
    "connect",
    "worker",
    "watch",
    "compare",
    "tune",
    "leaderboard",
    "head-to-head",
    "seats",
    "history",
    "teaming",
    "machines",
    "event",
    "serve",
    "site",
    "verify",
    "replay",
    "export",
    "report",
    "token",
    "games",
    "rules",
    "bots",
    "new-bot",
    "cache",
    "check-bot",
    "check-game",
    "check-sdk",
    "debug",
    "doctor",
    "docs",
)
"""In the order of the help. Each is a function, or a group of commands, of its name in a module of its name."""
MODULES: Final = {"docs": "documents", "rules": "documents"}
"""Where a command is that has no module of its name."""


def app_with(commands: Iterable[str] = COMMANDS) -> typer.Typer:
    """Return the program with these commands, whose modules are imported; those of all take longer than most run."""
    app = typer.Typer(
        cls=Commands,
        name="ballcourt",
        add_completion=True,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    for command in commands:
        name = command.replace("-", "_")
        found = getattr(import_module(f"ballcourt.cli.{MODULES.get(command, name)}"), name)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=command)
        else:
            app.command()(found)
    app.callback()(ballcourt)
    return app


def print_version(wanted: bool) -> None:
    """Print the version of ballcourt and exit, if the flag is set."""
    if wanted:
        from ballcourt.arena.match.spec import ARENA

        say([ARENA])
        raise typer.Exit


def ballcourt(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version and exit.", is_eager=True, callback=print_version)
    ] = False,
) -> None:
    """An arena for bots that play multi-player strategy games with hidden information.

    \b
    Exit codes: 0 success; 1 a check failed; 2 wrong input, nothing was written; 3 the arena itself failed;
    130 interrupted, 143 ended by SIGTERM: run the same command again to continue.
    """
