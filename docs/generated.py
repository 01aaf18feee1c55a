"""What the reference takes from the program: commands from their help, keys of files from their models."""

import inspect
from collections.abc import Collection, Iterator
from typing import get_args

import typer.main
from pydantic.fields import FieldInfo

from ballcourt.arena.models import Model, words_of
from ballcourt.cli.commands import app


def commands() -> str:
    """Return the page of all commands, from their help."""
    program = typer.main.get_command(app)
    intro = "# Commands\n\nWritten from the help of each command, which `ballcourt COMMAND --help` shows.\n"
    return "\n".join([intro, *_sections(program, "ballcourt", None)])


def _sections(command: object, path: str, parent: object) -> Iterator[str]:
    """Yield the section of a command and those of its subcommands."""
    context = command.context_class(command, info_name=path, parent=parent)
    yield f"{'##' if path.count(' ') < 2 else '###'} {path}\n"
    yield "\n\n".join(_paragraphs(command.help or "")) + "\n"
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```\n"
    records = [record for parameter in command.get_params(context) if (record := parameter.get_help_record(context))]
    if records:
        yield "| argument or option | |\n| --- | --- |"
        yield "\n".join(f"| {_cell(f'`{name}`')} | {_cell(help_)} |" for name, help_ in records) + "\n"
    for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from _sections(command.get_command(context, name), f"{path} {name}", context)


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text in Markdown; those that keep their lines become blocks of code."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if not paragraph.startswith("\b\n"):
            yield " ".join(paragraph.split())
            continue
        first, *lines = paragraph.removeprefix("\b\n").splitlines()
        if first.endswith(":") and lines:
            yield first + "\n\n```text\n" + inspect.cleandoc("\n".join(lines)) + "\n```"
        else:
            yield "```text\n" + paragraph.removeprefix("\b\n") + "\n```"


def keys(model: type[Model], without: Collection[str] = (), table: str = "") -> str:
    """Return tables of the keys of a model, except some, and of the models in it: what values must be and mean."""
    fields = {name: field for name, field in model.model_fields.items() if name not in without}
    rows = [
        " | ".join(["", f"`{name}`", _cell(words_of(field, name)), _cell(_meaning(field)), ""]).strip()
        for name, field in fields.items()
    ]
    heading = f"### [{table}]\n\n" if table else ""
    own = heading + "\n".join(["| key | value | meaning |", "| --- | --- | --- |", *rows])
    inner = [
        keys(below, (), f"{table}.{name}" if table else name)
        for name, field in fields.items()
        if (below := _model_of(field.annotation))
    ]
    return "\n\n".join([own, *inner])


def _meaning(field: FieldInfo) -> str:
    """Return what a field means, and its default if that is not "nothing"."""
    default = None if field.is_required() else field.get_default(call_default_factory=True)
    words = field.description or ""
    return f"{words} Default: `{default}`." if isinstance(default, str | int | float) and default else words


def _model_of(annotation: object) -> type[Model] | None:
    """Return the model in a type, such as that of a table or of a list of tables."""
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return annotation
    return next((found for each in get_args(annotation) if (found := _model_of(each))), None)


def _cell(text: str) -> str:
    """Return a string as a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
