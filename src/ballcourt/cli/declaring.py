"""Declares commands: their flags and help, and which function runs them.

A declaration is cheap to import. The module of the function that runs a command is imported when the command runs, so
help does not wait for the libraries of matches, and a command does not wait for those of another one.
"""

import ast
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from ballcourt import arena
from ballcourt.arena.extras import needs, needs_linux

Function = Callable[..., None]
Rows = Iterable[tuple[str, str]]

MODEL: Final = Path(str(arena.__file__)).parent / "tournament" / "event"
OF_MODEL: Final = "{}"
MAY_BE_REPEATED: Final = "{} May be repeated."
"""The help of options that are keys of a tournament file, around what the model says."""
PLAIN: Final[dict[str, Any]] = {"rich_markup_mode": None, "pretty_exceptions_enable": False}


def option(help: str, metavar: str | None = None, *names: str, panel: str = "", **settings: Any) -> Any:  # noqa: ANN401 - as typer has it
    """Return an option, which is called as its parameter unless it has names, for a panel of the help."""
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel=panel or None, **settings)


def key(metavar: str, panel: str, *names: str, repeated: bool = False) -> Any:  # noqa: ANN401
    """Return an option that is a key of a tournament file. Its help is what the model says of the field of its name."""
    return option(MAY_BE_REPEATED if repeated else OF_MODEL, metavar, *names, panel=panel)


def switch(name: str, help: str, panel: str = "") -> Any:  # noqa: ANN401
    """Return an option that takes no value."""
    return typer.Option(name, help=help, rich_help_panel=panel or None)


def argument(metavar: str, help: str) -> Any:  # noqa: ANN401
    """Return a positional argument."""
    return typer.Argument(metavar=metavar, help=help, show_default=False)


class PanelledCommand(TyperCommand):
    """A command whose help has its options in panels, and that takes no empty word.

    An empty word comes from a shell whose variable or file was not there. As an option that asks for a check, it would
    be taken for one that is not given.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - as typer calls it
        """Read the arguments. Raises BadParameter for an empty one."""
        for previous, word in zip(("", *args), args, strict=False):
            option, equals, value = word.partition("=") if word.startswith("--") else (previous, "=", word)
            if equals and not value:
                name = option if option.startswith("-") else "argument"
                raise typer.BadParameter("it is empty; give a value, or leave it out", ctx, param_hint=name)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as typer calls it
        """Write the arguments, and the options of each panel."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            other = "Arguments" if parameter.param_type_name == "argument" else "Options"
            if record := parameter.get_help_record(ctx):
                panels.setdefault(getattr(parameter, "rich_help_panel", None) or other, []).append(record)
        _write_panels(formatter, panels)


class LazyGroup(TyperGroup):
    """A group of declared commands, each of which is made when it is asked for."""

    panels: Sequence["Panel"] = ()

    def list_commands(self, ctx: object) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        return [name for panel in self.panels for name in panel.declared]

    def get_command(self, ctx: object, cmd_name: str) -> Any:  # noqa: ANN401
        """Return a command by its name; None if there is none."""
        return next(
            (panel.declared[cmd_name].made(cmd_name) for panel in self.panels if cmd_name in panel.declared), None
        )

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401
        """Return the command that the arguments name. A wrong name is answered with those that are like it."""
        self.commands = dict.fromkeys(self.list_commands(ctx))  # type: ignore[assignment]  # only names are looked at
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: object, formatter: Any) -> None:  # noqa: ANN401
        """Write what each command does, by panel."""
        _write_panels(
            formatter,
            {panel.title: [(name, one.summary) for name, one in panel.declared.items()] for panel in self.panels},
        )


def _write_panels(formatter: Any, panels: Mapping[str, Rows]) -> None:  # noqa: ANN401
    for title, rows in panels.items():
        with formatter.section(title):
            formatter.write_dl([*rows])


@dataclass(frozen=True, slots=True)
class Declaration:
    """A command: the function whose signature and docstring are its flags and help, and where the one that runs is."""

    function: Function
    module: str = ""
    """Below `ballcourt.cli`, with a function of the same name and parameters; empty: the function itself runs."""
    is_large: bool = False
    """Whether it imports libraries that need much address space."""
    extra: str = ""
    """The extra of an installation that it needs; empty for none."""
    linux: bool = False
    """Whether it runs on Linux alone."""

    @property
    def summary(self) -> str:
        """The first paragraph of its help."""
        return " ".join((inspect.getdoc(self.function) or "").partition("\n\n")[0].split())

    @property
    def runs(self) -> Function:
        """The function that runs; its module is imported."""
        if not self.module:
            return self.function
        return getattr(import_module(f"ballcourt.cli.{self.module}"), self.function.__name__)  # type: ignore[no-any-return]

    def made(self, name: str) -> Any:  # noqa: ANN401 - a command of typer
        """Return the command that typer runs."""
        app = typer.Typer(add_completion=False, **PLAIN)
        app.command(name, cls=PanelledCommand)(_with_flags(self.function, partial(self._run, name)))
        return typer.main.get_command(app)

    def _run(self, name: str, /, **given: object) -> None:
        if self.linux:
            needs_linux(f"{name} needs")
        if self.module:
            self.function(**given)  # a declaration may check what needs no libraries
        if self.is_large:
            check_address_space()
        if self.extra:
            needs(self.extra)
        self.runs(**given)


class Panel:
    """The commands of a panel of the help, or of a group."""

    def __init__(self, title: str, *, is_large: bool = False, help: str = "") -> None:
        self.title = title
        self.summary, _, _ = help.partition("\n\n")
        self._help = help
        self._is_large = is_large
        self._declared: dict[str, Declaration | Panel] = {}

    @property
    def declared(self) -> "dict[str, Declaration | Panel]":
        """The commands and groups by name, in the order of the help."""
        return self._declared

    def command(
        self, module: str, name: str = "", extra: str = "", *, linux: bool = False
    ) -> Callable[[Function], Function]:
        """Return a decorator that declares a command, which the function of that name in a module runs."""

        def declare(function: Function) -> Function:
            called = name or function.__name__.replace("_", "-")
            self._declared[called] = Declaration(function, module, self._is_large or bool(extra), extra, linux)
            return function

        return declare

    def group(self, name: str, help: str, *, is_large: bool | None = None) -> "Panel":
        """Declare a group of commands, and return it."""
        large = self._is_large if is_large is None else is_large
        return self.add(name, Panel("Commands", is_large=large, help=help))

    def add(self, name: str, group: "Panel") -> "Panel":
        """Add a group of commands, and return it."""
        self._declared[name] = group
        return group

    def made(self, name: str) -> Any:  # noqa: ANN401 - a group of typer
        """Return the group that typer runs."""
        group = LazyGroup(name=name, help=self._help, no_args_is_help=True, rich_markup_mode=None)
        group.panels = (self,)
        return group

    def each(self, *words: str) -> Iterator[tuple[tuple[str, ...], Declaration]]:
        """Yield all commands, with the words that name them."""
        for name, found in self.declared.items():
            if isinstance(found, Panel):
                yield from found.each(*words, name)
            else:
                yield (*words, name), found


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


def _with_flags(function: Function, run: Function) -> Function:
    """Return what runs a command with the parameters of its declaration.

    A parameter whose type is a dataclass is a group of flags: typer gets its fields, and `run` the dataclass.
    """
    parameters = inspect.signature(function, eval_str=True).parameters
    groups: dict[str, Any] = {name: one.annotation for name, one in parameters.items() if is_dataclass(one.annotation)}
    flags = [
        flag.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, one in parameters.items()
        for flag in (_flags(groups[name]) if name in groups else [one])
    ]

    def command(**given: object) -> None:
        for name, group in groups.items():
            given[name] = group(**{flag.name: given.pop(flag.name) for flag in fields(group)})
        run(**given)

    for flag in flags:
        _describe(flag)
    command.__doc__ = function.__doc__
    command.__annotations__ = {flag.name: flag.annotation for flag in flags}
    command.__signature__ = inspect.Signature(flags)  # type: ignore[attr-defined]  # typer reads it
    return command


def _describe(flag: inspect.Parameter) -> None:
    """Complete the help of an option that is a key of a tournament file."""
    for info in getattr(flag.annotation, "__metadata__", ()):
        if info.help in (OF_MODEL, MAY_BE_REPEATED):
            info.help = info.help.format(" ".join(_described()[flag.name].split()))


@cache
def _described() -> dict[str, str]:
    """Return what the model of an event says about its fields.

    Its source is read: importing it takes four times as long as all else that help needs.
    """
    sources = [ast.parse((MODEL / file).read_text(encoding="utf-8")) for file in ("tables.py", "model.py")]
    bodies = {node.name: node.body for source in sources for node in source.body if isinstance(node, ast.ClassDef)}
    found = {}
    for name in ("SetUpTable", "Conditions", "Event"):
        for field, words in pairwise(bodies[name]):
            match field, words:
                case ast.AnnAssign(target=ast.Name(id=key)), ast.Expr(value=ast.Constant(value=str(text))):
                    found[key] = text
    return found


def _flags(group: Any) -> list[inspect.Parameter]:  # noqa: ANN401 - a dataclass
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            flag.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if flag.default is MISSING else flag.default,
            annotation=hints[flag.name],
        )
        for flag in fields(group)
    ]
