"""The commands of `ballcourt`: the panels of its help, and the program that runs them.

Each panel is a file that declares its commands. A command runs in a module of `ballcourt.cli`.
"""

from typing import Annotated, Any, Final

import typer

from ballcourt.cli.commands import build, contests, games, looking, machine, matches
from ballcourt.cli.declaring import PLAIN, LazyGroup
from ballcourt.cli.failures import explained
from ballcourt.cli.output import say

PANELS: Final = (matches.PANEL, build.PANEL, contests.PANEL, looking.PANEL, games.PANEL, machine.PANEL)
"""In the order of the help."""


class Program(LazyGroup):
    """The group of all commands."""

    panels = PANELS

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - as typer calls it
        """Return the options of the program."""
        params = super().get_params(ctx)
        for one in params:
            if one.default is None:  # of completion; typer would import pydantic, which takes 0.1 s, to convert it
                one.default = False
        return params

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401
        """Run a command; exit with the code that belongs to its exception."""
        with explained():
            return super().invoke(ctx)


def app_with() -> typer.Typer:
    """Return the program."""
    app = typer.Typer(
        cls=Program,
        name="ballcourt",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        **PLAIN,
    )
    app.callback()(ballcourt)
    return app


def print_version(wanted: bool) -> None:
    """Print the version of ballcourt and exit, if the flag is set."""
    if wanted:
        from ballcourt.arena.match.spec import ARENA  # no other help needs it

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
