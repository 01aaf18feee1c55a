"""The `ballcourt` command: one file per command, which imports what it needs when it runs."""

import io
import os
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from ballcourt.arena.cli.bots import bots
from ballcourt.arena.cli.cache import cache
from ballcourt.arena.cli.check_bot import check_bot
from ballcourt.arena.cli.check_game import check_game
from ballcourt.arena.cli.check_sdk import check_sdk
from ballcourt.arena.cli.compare import compare
from ballcourt.arena.cli.connect import connect
from ballcourt.arena.cli.debug import debug
from ballcourt.arena.cli.demo import demo
from ballcourt.arena.cli.doctor import doctor
from ballcourt.arena.cli.documents import docs, rules
from ballcourt.arena.cli.event import event
from ballcourt.arena.cli.export import export
from ballcourt.arena.cli.failures import Commands, Stdout, end_on_sigterm
from ballcourt.arena.cli.games import games
from ballcourt.arena.cli.head_to_head import head_to_head
from ballcourt.arena.cli.history import history
from ballcourt.arena.cli.host import host
from ballcourt.arena.cli.ladder import ladder
from ballcourt.arena.cli.leaderboard import leaderboard
from ballcourt.arena.cli.machines import machines
from ballcourt.arena.cli.mcp import mcp
from ballcourt.arena.cli.new_bot import new_bot
from ballcourt.arena.cli.output import say
from ballcourt.arena.cli.play import play
from ballcourt.arena.cli.replay import replay
from ballcourt.arena.cli.report import report
from ballcourt.arena.cli.seats import seats
from ballcourt.arena.cli.serve import serve
from ballcourt.arena.cli.site import site
from ballcourt.arena.cli.teaming import teaming
from ballcourt.arena.cli.token import token
from ballcourt.arena.cli.tournament import tournament
from ballcourt.arena.cli.verify import verify
from ballcourt.arena.cli.watch import watch
from ballcourt.arena.cli.worker import worker

app = typer.Typer(
    cls=Commands,
    name="ballcourt",
    add_completion=True,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.command()(demo)
app.command()(play)
app.command()(mcp)
app.command()(tournament)
app.command()(ladder)
app.command()(host)
app.command()(connect)
app.command()(worker)
app.command()(watch)
app.command()(compare)
app.command()(leaderboard)
app.command()(head_to_head)
app.command()(seats)
app.command()(history)
app.command()(teaming)
app.command()(machines)
app.add_typer(event, name="event")
app.command()(serve)
app.command()(site)
app.command()(verify)
app.add_typer(replay, name="replay")
app.command()(export)
app.command()(report)
app.add_typer(token, name="token")
app.command()(games)
app.command()(rules)
app.command()(bots)
app.command()(new_bot)
app.add_typer(cache, name="cache")
app.command()(check_bot)
app.command()(check_game)
app.command()(check_sdk)
app.command()(debug)
app.command()(doctor)
app.command()(docs)


def print_version(wanted: bool) -> None:
    """Print the version of ballcourt and exit, if the flag is set."""
    if wanted:
        from ballcourt.arena.match.spec import ARENA

        say([ARENA])
        raise typer.Exit


@app.callback()
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


def main() -> None:
    """Run the command with the arguments of this process, and exit with its code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started this process
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = Stdout.around(sys.stdout)
    end_on_sigterm()
    _leave_out_all_but(*sys.argv[1:2])
    app()


def _leave_out_all_but(command: str = "") -> None:
    """Have typer prepare this command only, if there is one of this name: to prepare all takes longer than most run."""
    commands = [one for one in app.registered_commands if _named(one.callback) == command]
    groups = [one for one in app.registered_groups if one.name == command]
    if commands or groups:
        app.registered_commands, app.registered_groups = commands, groups


def _named(function: Callable[..., object] | None) -> str:
    return getattr(function, "__name__", "").replace("_", "-")
