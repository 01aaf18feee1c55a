"""The flags of commands: what a parameter of a function says, and groups of parameters."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Final, get_type_hints

import typer
from typer.core import TyperCommand

Function = Callable[..., None]

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
        write_panels(formatter, panels)


def write_panels(formatter: Any, panels: Mapping[str, Iterable[tuple[str, str]]]) -> None:  # noqa: ANN401
    """Write the rows of each panel of a help below its title."""
    for title, rows in panels.items():
        with formatter.section(title):
            formatter.write_dl([*rows])


def with_flags(function: Function, run: Function) -> Function:
    """Return what calls `run` with the parameters and the help of a function.

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
            from ballcourt.arena.tournament.event.model import Event  # few commands have such an option

            info.help = info.help.format(" ".join(str(Event.model_fields[flag.name].description).split()))


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
