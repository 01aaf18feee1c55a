"""All commands of `ballcourt`: in which panel of the help each is, where its function is, and what it needs.

A command is a function: its signature has the flags, its docstring is the help. Its module is imported when the command
is named, so that a command does not wait for the libraries of others. The help of a group reads the first paragraph of
each docstring from the source.
"""

import ast
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from ballcourt.arena.extras import MissingExtra, needs, needs_linux
from ballcourt.cli.declaring import PLAIN, PanelledCommand, with_flags, write_panels
from ballcourt.cli.failures import explained
from ballcourt.cli.output import say


@dataclass(frozen=True, slots=True)
class Command:
    """A command that is not imported yet."""

    target: str
    """Its function, as MODULE:FUNCTION."""
    extra: str = ""
    """The extra of an installation that it needs; empty for none."""
    linux: bool = False
    """Whether it runs on Linux alone."""
    is_large: bool = True
    """Whether it imports libraries that need much address space."""
    package: str = "ballcourt.cli."
    """What precedes the name of the module."""

    @property
    def summary(self) -> str:
        """The first paragraph of its help, from the source."""
        source = self._source()
        found = re.search(rf'^def {self._function}\(.*?"""(.*?)("""|\n\n)', source, re.MULTILINE | re.DOTALL)
        return " ".join(found[1].split()) if found else ""

    def made(self, name: str) -> Any:  # noqa: ANN401 - a command of typer
        """Import the command; return what typer runs. Raises OtherSystem and CapacityError.

        Where an extra is missing without which it cannot be imported, its help is its docstring, and what to install.
        """
        if self.linux:
            needs_linux(f"{name} needs")
        if self.is_large:
            check_address_space()
        app = typer.Typer(add_completion=False, **PLAIN)
        settings: dict[str, bool] = {}
        try:
            function = getattr(import_module(self._module), self._function)
        except ImportError as error:
            function = self._explaining(error)
            settings = {"ignore_unknown_options": True, "allow_extra_args": True}
        made = with_flags(function, partial(self._run, function))
        app.command(name, cls=PanelledCommand, context_settings=settings)(made)
        return typer.main.get_command(app)

    def _run(self, function: Callable[..., None], /, **given: object) -> None:
        if self.extra:
            needs(self.extra)
        function(**given)

    def _explaining(self, error: ImportError) -> Callable[[], None]:
        """Return a command without flags whose help ends with the extra that is missing; raise any other error."""
        try:
            if self.extra:
                needs(self.extra)
        except MissingExtra as missing:
            tree = ast.parse(self._source())
            found = next(one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == self._function)

            def function() -> None:
                """Do nothing: `_run` raises MissingExtra."""

            function.__doc__ = f"{ast.get_docstring(found)}\n\nIt has flags once it is complete: {missing}."
            return function
        raise error

    def _source(self) -> str:
        spec = find_spec(self._module)
        return Path(str(spec and spec.origin)).read_text(encoding="utf-8")

    @property
    def _module(self) -> str:
        return self.package + self.target.partition(":")[0]

    @property
    def _function(self) -> str:
        return self.target.partition(":")[2]


@dataclass(frozen=True, slots=True)
class Group:
    """A group of commands."""

    help: str
    own: "Commands"
    """The commands that come with Ballcourt."""
    entry_points: str = ""
    """The group of entry points by which other distributions add commands; empty for none."""

    @property
    def summary(self) -> str:
        """The first paragraph of its help."""
        return self.help.partition("\n\n")[0]

    @property
    def commands(self) -> "Commands":
        """All commands by name."""
        return {**self.own, **plugged_in(self.entry_points)} if self.entry_points else self.own

    def made(self, name: str) -> Any:  # noqa: ANN401 - a group of typer
        """Return what typer runs."""
        group = LazyGroup(name=name, help=self.help, no_args_is_help=True, rich_markup_mode=None)
        group.panels = {"Commands": self.commands}
        return group


Commands = Mapping[str, Command | Group]


@cache
def plugged_in(group: str) -> Commands:
    """Return the commands that other distributions register as entry points."""
    from importlib.metadata import entry_points  # it takes long, and the help of all commands does without

    return {point.name.replace("_", "-"): Command(point.value, package="") for point in entry_points(group=group)}


class LazyGroup(TyperGroup):
    """A group of commands, each of which is made when it is named."""

    panels: Mapping[str, Commands] = {}

    def list_commands(self, ctx: object) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        return [name for panel in self.panels.values() for name in panel]

    def get_command(self, ctx: object, cmd_name: str) -> Any:  # noqa: ANN401
        """Return a command by its name; None if there is none."""
        return next((panel[cmd_name].made(cmd_name) for panel in self.panels.values() if cmd_name in panel), None)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401
        """Return the command that the arguments name. A wrong name is answered with those that are like it."""
        self.commands = dict.fromkeys(self.list_commands(ctx))  # type: ignore[assignment]  # only names are looked at
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: object, formatter: Any) -> None:  # noqa: ANN401
        """Write what each command does, by panel."""
        rows = {title: [(name, one.summary) for name, one in panel.items()] for title, panel in self.panels.items()}
        write_panels(formatter, rows)


def check_address_space() -> None:
    """Raise CapacityError if the limit on address space is too low for large libraries, whose import would hang."""
    if sys.platform != "linux":
        return
    import resource  # Windows lacks it

    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        return
    from ballcourt.arena.workers.capacity import require_address_space  # few need it

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each takes some, and if there is none, NumPy never returns
    require_address_space()


REPLAY: Final = {
    "show": Command("replay:show", is_large=False),
    "html": Command("replay:html", is_large=False),
    "document": Command("replay:document", is_large=False),
    "evaluate": Command("judging:evaluate", is_large=False),
    "keep": Command("replay:keep", is_large=False),
    "faults": Command("replay:faults", is_large=False),
    "verify": Command("replay:verify", is_large=False),
    "analyse": Command("analyse:analyse", extra="web"),
    "export": Command("export:export", extra="data"),
}
CHECK: Final = {
    "bot": Command("check_bot:bot"),
    "game": Command("check_game:game"),
    "positions": Command("check_positions:positions"),
    "sdk": Command("check_sdk:sdk", linux=True),
}
EVENT: Final = {
    "watch": Command("watch:watch"),
    "withdraw": Command("event:withdraw"),
    "void": Command("event:void"),
    "repeat": Command("event:repeat"),
    "add": Command("event:add"),
    "lengthen": Command("event:lengthen"),
    "pause": Command("event:pause"),
    "resume": Command("event:resume"),
    "renew": Command("event:renew"),
    "log": Command("event:log"),
    "certificate": Command("event:certificate"),
    "key": Command("event:key"),
    "bundle": Command("event:bundle"),
    "verify": Command("verify:verify"),
}
CONTEST: Final = {
    "new": Command("contest:new", extra="contest", linux=True),
    "invite": Command("contest:invite", extra="contest", linux=True),
    "token": Command("contest:token", extra="contest", linux=True),
    "status": Command("contest:status", extra="contest", linux=True),
    "grant": Command("contest:grant", extra="contest", linux=True),
    "requeue": Command("contest:requeue", extra="contest", linux=True),
    "suspend": Command("contest:suspend", extra="contest", linux=True),
    "restore": Command("contest:restore", extra="contest", linux=True),
    "disqualify": Command("contest:disqualify", extra="contest", linux=True),
    "reinstate": Command("contest:reinstate", extra="contest", linux=True),
    "release": Command("contest:release", extra="contest", linux=True),
    "unfreeze": Command("contest:unfreeze", extra="contest", linux=True),
    "publish": Command("contest:publish", extra="contest", linux=True),
    "reveal": Command("contest:reveal", extra="contest", linux=True),
    "withhold": Command("contest:withhold", extra="contest", linux=True),
    "announce": Command("contest:announce", extra="contest", linux=True),
    "export-person": Command("contest:export_person", extra="contest", linux=True),
    "delete-person": Command("contest:delete_person", extra="contest", linux=True),
    "log": Command("contest:log", extra="contest", linux=True),
    "verify": Command("contest:verify", extra="contest", linux=True),
    "entrants": Command("contest:entrants", extra="sign", linux=True),
    "signed": Command("contest:signed", extra="sign"),
    "duplicates": Command("contest:duplicates", extra="contest", linux=True),
    "results": Command("contest:results", extra="contest", linux=True),
    "backup": Command("contest:backup", extra="contest", linux=True),
    "answer": Command("contest:answer", extra="contest", linux=True),
    "scrimmage": Command("scrimmage:scrimmage"),
    "bot": Command("own_bot:bot"),
    "ask": Command("own_bot:ask"),
}
STUDY: Final = {
    "head-to-head": Command("studies.head_to_head:head_to_head"),
    "history": Command("studies.history:history"),
    "machines": Command("studies.machines:machines"),
    "report": Command("studies.report:report"),
    "scaling": Command("studies.scaling:scaling"),
    "seats": Command("studies.seats:seats"),
    "teaming": Command("studies.teaming:teaming"),
    "together": Command("studies.together:together"),
    "tokens": Command("studies.tokens:tokens"),
}
TOKEN: Final = {
    "new": Command("token:new", is_large=False),
    "revoke": Command("token:revoke", is_large=False),
    "list": Command("token:list_all", is_large=False),
}
CACHE: Final = {
    "show": Command("cache:show", is_large=False),
    "clear": Command("cache:clear", is_large=False),
}
ADMIN: Final[Commands] = {
    "token": Group("Make, revoke and list the tokens that let remote bots in.", TOKEN),
    "cache": Group(
        "Show and empty the cache: built bots, images for confined ones, and what compilers keep between builds.\n\n"
        "It is in ~/.cache/ballcourt, or where BALLCOURT_CACHE says.",
        CACHE,
    ),
    "worker": Command("worker:worker", extra="cluster", linux=True),
}
EVENT_HELP: Final = (
    "Watch an event, change it after it has begun, or sign and verify its results.\n\n"
    "Every decision is kept with its time, author and reason in the event's folder. A run that plays the event, in "
    "whatever terminal, notices it before it begins another block; otherwise the next run does."
)
CONTEST_HELP: Final = (
    "Make a contest that strangers can enter, and decide about it.\n\n"
    "A contest is a ladder with accounts, teams, submissions and limits around it. `ballcourt docs contest` is the "
    "guide."
)
PANELS: Final[Mapping[str, Commands]] = {
    "Play": {
        "demo": Command("tournament:demo", linux=True),
        "play": Command("play:play"),
        "replay": Group("Show match records, verify them, and turn them into pages or data.", REPLAY),
        "mcp": Command("mcp:mcp", extra="mcp"),
    },
    "Build a bot": {
        "new-bot": Command("new_bot:new_bot"),
        "check": Group("Check whether a bot, a game or an SDK keeps what the arena expects of it.", CHECK),
        "debug": Command("debug:debug"),
        "compare": Command("compare:compare", linux=True),
        "benchmark": Command("benchmark:benchmark", linux=True),
        "evaluate": Command("evaluate:evaluate", linux=True),
        "tune": Command("tune:tune", linux=True),
        "bots": Command("bots:bots"),
    },
    "Run events": {
        "tournament": Command("tournament:tournament", linux=True),
        "ladder": Command("ladder:ladder", linux=True),
        "host": Command("host:host", linux=True),
        "connect": Command("connect:connect"),
        "event": Group(EVENT_HELP, EVENT),
        "contest": Group(CONTEST_HELP, CONTEST),
        "examiner": Command("examiner:examiner", extra="contest", linux=True),
        "login": Command("login:login"),
        "submit": Command("submit:submit"),
    },
    "Look at results": {
        "leaderboard": Command("leaderboard:leaderboard"),
        "study": Group(
            "Study results: who beats whom, seats, ratings over time, teams, machines.", STUDY, "ballcourt.studies"
        ),
        "serve": Command("serve:serve", extra="web", linux=True),
    },
    "Games": {
        "games": Command("games:games", is_large=False),
        "new-game": Command("new_game:new_game", is_large=False),
    },
    "Machine": {
        "doctor": Command("doctor:doctor", is_large=False),
        "docs": Command("documents:docs", is_large=False),
        "admin": Group("Manage tokens of remote bots, the cache of builds, and workers of a cluster.", ADMIN),
    },
}
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


app: Final = typer.Typer(
    cls=Program,
    name="ballcourt",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    **PLAIN,
)


def print_version(wanted: bool) -> None:
    """Print the versions of ballcourt and of the rules, and how these run, and exit, if the flag is set."""
    if wanted:
        from ballcourt.arena.match.circumstances import host  # no other help needs them
        from ballcourt.arena.match.spec import ARENA
        from ballcourt.engine.registry import games

        build = "compiled" if host().compiled_rules else "interpreted"
        rules = ", ".join(f"{game.name} {game.rules_version}" for game in games().values())
        say([ARENA, f"rules: {rules}; {build}, {host().python}"])
        raise typer.Exit


@app.callback()
def ballcourt(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print versions and exit.", is_eager=True, callback=print_version)
    ] = False,
) -> None:
    """An arena for bots that play multi-player strategy games with hidden information.

    \b
    Exit codes: 0 success; 1 a check failed; 2 wrong input, nothing was written; 3 the arena itself failed;
    130 interrupted, 143 ended by SIGTERM: run the same command again to continue.
    """
