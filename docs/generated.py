"""The pages of the reference that are written from the program itself: its commands."""

import inspect
from collections.abc import Iterator

import typer.main

from ballcourt.cli.commands import app_with


def commands() -> str:
    """Return the page of all commands, from their help."""
    program = typer.main.get_command(app_with())
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


def _cell(text: str) -> str:
    """Return a text as a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
