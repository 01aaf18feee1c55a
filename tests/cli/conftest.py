"""Runs the command in this process, in a private folder with two bots."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from typer.testing import CliRunner, Result

import tests.bots
from ballcourt.arena.files import PACKAGE
from ballcourt.cli.commands import PANELS, Command, Commands, Group, app
from tests.arena.conftest import bluff_is_installed, in_process, launcher, processes, tier_1, tier_2, traces, treasures

__all__ = [
    "bluff_is_installed",
    "in_process",
    "launcher",
    "processes",
    "tier_1",
    "tier_2",
    "traces",
    "treasures",
]  # the fixtures of the arena

Run = Callable[..., Result]
Refused = Callable[..., str]
NARROW = {"COLUMNS": "120"}
CUP = """
game = "bluff"
bots = ["./low", "./any"]
rounds = 3
seed = 4
output = "out"
workers = 1
"""
"""The tournament file of two bots in `place`."""


def write_bot(folder: Path, name: str, *arguments: str, script: str = "honest.py") -> Path:
    """A bot that is one script of tests/bots."""
    folder.mkdir(parents=True)
    command = ["{python}", str(Path(tests.bots.__file__).parent / script), *arguments]
    (folder / "bot.toml").write_text(f'name = "{name}"\nversion = "1"\ncommand = {command}\n')
    return folder


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command runs; its name has a space."""
    folder = tmp_path / "a place"
    write_bot(folder / "low", "low")
    write_bot(folder / "any", "any", "random")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    return folder


@pytest.fixture
def run(place: Path, in_process: None) -> Run:
    """Return a function that runs the command with words, or a line of them; the result has stdout and stderr."""
    return lambda line, *words: CliRunner().invoke(app, (line, *words) if words else line.split(), env=NARROW)


@pytest.fixture
def succeeds(run: Run) -> Run:
    """Return a function that runs a command that succeeds."""

    def succeed(*arguments: str) -> Result:
        result = run(*arguments)
        assert result.exit_code == 0, result.output
        return result

    return succeed


@pytest.fixture
def refused(run: Run, place: Path) -> Refused:
    """Return a function that runs a command that is refused: with exit code 2 and nothing written.

    It returns the complaint without line breaks and frames.
    """

    def refuse(*arguments: str) -> str:
        before = files(place)
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, ""), result.output
        assert "Traceback" not in result.stderr
        assert files(place) == before
        return " ".join(result.stderr.replace("│", " ").split())

    return refuse


def every(*words: str, commands: Commands | None = None) -> Iterator[tuple[tuple[str, ...], Command]]:
    """Yield all commands, with the words that name them."""
    panels = PANELS.values() if commands is None else [commands]
    for name, found in ((name, found) for panel in panels for name, found in panel.items()):
        if isinstance(found, Group):
            yield from every(*words, name, commands=found.commands)
        else:
            yield (*words, name), found


def validator(name: str) -> Draft202012Validator:
    """Return what checks a JSON form against its schema."""
    folder = PACKAGE / "arena" / "tournament" / "schemas"
    contents = {path.name: json.loads(path.read_text()) for path in folder.glob("*.json")}
    resources = [(name, Resource.from_contents(schema)) for name, schema in contents.items()]
    Draft202012Validator.check_schema(contents[f"{name}.json"])
    return Draft202012Validator(contents[f"{name}.json"], registry=Registry().with_resources(resources))


def files(folder: Path) -> set[str]:
    """Return everything in a folder, to see whether something was written."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}
