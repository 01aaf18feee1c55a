"""Writes the folder of a new bot: the starter of a language, with a copy of that language's SDK where it needs one."""

import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from arena.bots.bot import BOT_FILE
from engine.core import WrongInput

INSTALLED = "python"
"""The language whose SDK comes with the arena; bots in the others carry theirs with them, to build and run anywhere."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
MADE = ("ballcourtv1", "build", "dist", "gen", "node_modules", "target", "__pycache__", ".*")
"""What building leaves in a folder."""
SOURCES = "*.proto"


class StarterError(WrongInput):
    """A bot's folder cannot be written; the sentence says why and what to do."""


def languages() -> list[str]:
    """List the languages a bot can be begun in."""
    return sorted(file.parent.name for file in _bots("starters").glob(f"*/{BOT_FILE}"))


def write_bot(folder: Path, language: str, games: Sequence[str] = ()) -> None:
    """Write a bot named like its folder, all of it or nothing; `games` are those it says it plays.

    Raises StarterError.
    """
    if not NAME.fullmatch(folder.name):
        raise StarterError(
            f"'{folder.name}' is no name for a bot; it must be up to 40 letters, digits, hyphens and underscores"
        )
    if language not in languages():
        raise StarterError(f"there is no starter in '{language}'; there are {', '.join(languages())}")

    def fill(new: Path) -> None:
        _copy(_bots("starters") / language, new)
        _introduce(new / BOT_FILE, folder.name, games)
        if language != INSTALLED:
            _copy_sdk(language, new / "sdk")

    _write(folder, fill)


def write_sdk(folder: Path, language: str) -> None:
    """Write a language's SDK, which is its mirror bot too, with the protocol it is generated from.

    Raises StarterError.
    """
    if language not in languages():
        raise StarterError(f"there is no SDK for '{language}'; there are {', '.join(languages())}")
    _write(folder, lambda new: _copy_sdk(language, new))


def _write(folder: Path, fill: Callable[[Path], None]) -> None:
    """Fill a new folder under another name, then put it in place."""
    if folder.exists():
        raise StarterError(f"{folder} is there already; choose another name, or remove it")
    try:
        with tempfile.TemporaryDirectory(prefix=".ballcourt-", dir=folder.absolute().parent) as work:
            new = Path(work) / folder.name
            fill(new)
            new.rename(folder)
    except OSError as error:
        raise StarterError(f"{folder} cannot be written: {error.strerror or error}") from None


def _copy_sdk(language: str, folder: Path) -> None:
    _copy(_bots("sdk") / language, folder)
    for source in sorted(_package("ballcourt.v1").glob(SOURCES)):
        target = folder / "proto" / "ballcourt" / "v1" / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def _copy(source: Path, target: Path) -> None:
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*MADE))


def _introduce(file: Path, name: str, games: Sequence[str]) -> None:
    text = file.read_text(encoding="utf-8").replace('"NAME"', f'"{name}"')
    if games:
        listed = ", ".join(f'"{game}"' for game in games)
        text = re.sub(r"(?m)^games = .*$", f"games = [{listed}]", text)
    file.write_text(text, encoding="utf-8")


def _bots(folder: str) -> Path:
    return _package("bots") / folder


def _package(name: str) -> Path:
    package = find_spec(name)
    assert package and package.submodule_search_locations, f"{name} is installed with the arena"
    return Path(next(iter(package.submodule_search_locations)))
