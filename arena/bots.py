"""Finds bots on disk: a bot is a folder with a `bot.toml` that says how it is started."""

import hashlib
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

BOT_FILE = "bot.toml"
ENVIRONMENT = "BALLCOURT_BOTS"
"""Names more folders with a bot.toml, separated by `os.pathsep`."""

REQUIRED = ("name", "version", "command")
OPTIONAL = ("author", "url", "directory", "games")


class BotError(ValueError):
    """A bot cannot be found, or its bot.toml cannot be used; the message is one sentence that says what to do."""


@dataclass(frozen=True)
class Bot:
    """A program that can take a seat, and how to start it. Two bots are the same version if their hashes agree."""

    name: str
    version: str
    author: str
    url: str
    command: tuple[str, ...]
    directory: Path
    games: tuple[str, ...]
    """The games it plays; empty: any."""
    content_hash: str
    """sha256 over the bot's folder, hexadecimal."""


def load_bot(path: Path | str) -> Bot:
    """Load a bot from its folder or its bot.toml. Raises BotError."""
    file = Path(path)
    if file.is_dir():
        file = file / BOT_FILE
    values = _checked(file, _parsed(file))
    folder = file.resolve().parent
    directory = (folder / values.get("directory", ".")).resolve()
    if not directory.is_dir():
        raise BotError(f"{file}: directory '{values['directory']}' does not exist; it is relative to the file")
    return Bot(
        name=values["name"],
        version=values["version"],
        author=values.get("author", ""),
        url=values.get("url", ""),
        command=tuple(part.replace("{python}", sys.executable) for part in values["command"]),
        directory=directory,
        games=tuple(values.get("games", ())),
        content_hash=content_hash(folder),
    )


def find_bots() -> dict[str, Bot]:
    """All bots that can be called by name: those beside the package `bots`, then those of BALLCOURT_BOTS.

    Raises BotError for a bot.toml that cannot be used, and when two bots have the same name.
    """
    found: dict[str, Bot] = {}
    for file in _bot_files():
        bot = load_bot(file)
        other = found.setdefault(bot.name, bot)
        if other is not bot:
            raise BotError(f"two bots are called '{bot.name}': {other.directory} and {bot.directory}; rename one")
    return dict(sorted(found.items()))


def resolve_bot(name_or_path: str) -> Bot:
    """Turn what a person typed, a bot's name or the path of its folder, into the bot. Raises BotError."""
    path = Path(name_or_path)
    if os.sep in name_or_path:
        return load_bot(path)
    known = find_bots()
    if name_or_path in known:
        return known[name_or_path]
    if path.exists():
        return load_bot(path)
    raise BotError(
        f"there is no bot '{name_or_path}'; known are {', '.join(known) or 'none'}, "
        f"and the path of a folder with a {BOT_FILE} is accepted too"
    )


def content_hash(folder: Path) -> str:
    """Hash the names and contents of all files of a folder, hidden and compiled ones left out: sha256, hexadecimal."""
    total = hashlib.sha256()
    for path in _contents(folder):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode())
    return total.hexdigest()


def _contents(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name == "__pycache__":
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _contents(path)
        elif path.is_file():
            yield path


def _bot_files() -> Iterator[Path]:
    package = find_spec("bots")
    for place in package.submodule_search_locations or () if package else ():
        yield from sorted(Path(place).glob(f"*/{BOT_FILE}"))
    for folder in os.environ.get(ENVIRONMENT, "").split(os.pathsep):
        if folder:
            yield Path(folder) / BOT_FILE


def _parsed(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BotError(f"{file} does not exist; a bot is a folder with a {BOT_FILE}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BotError(f"{file} cannot be read: {error}") from error


def _checked(file: Path, values: dict[str, Any]) -> Mapping[str, Any]:
    for key in REQUIRED:
        if key not in values:
            raise BotError(f"{file} lacks '{key}'; required are {', '.join(REQUIRED)}")
    for key, value in values.items():
        if key not in REQUIRED + OPTIONAL:
            raise BotError(f"{file} has an unknown key '{key}'; known are {', '.join(REQUIRED + OPTIONAL)}")
        expected = "a list of texts" if key in ("command", "games") else "a text"
        if not (_is_texts(value) if expected == "a list of texts" else isinstance(value, str)):
            raise BotError(f"{file}: {key} is {value!r}; it must be {expected}")
    for key in REQUIRED:
        if not values[key]:
            raise BotError(f"{file}: {key} is empty; it must have a value")
    return values


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)
