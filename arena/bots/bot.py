"""Bots on disk: folders with a `bot.toml` that says how they are started."""

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ballcourt.arena.files import PACKAGE, read_toml
from ballcourt.arena.match.entrant import Entrant
from ballcourt.engine.core import Game, WrongInput

BOT_FILE = "bot.toml"
ENVIRONMENT = "BALLCOURT_BOTS"
"""The environment variable with more bot folders, separated by `os.pathsep`."""

REQUIRED = ("name", "version", "command")
OPTIONAL = ("author", "url", "directory", "games", "build", "ignore")
LISTS = ("command", "games", "build", "ignore")
NO_CONTENT = (".*", "__pycache__")
"""Patterns for names of files and folders that never belong to a bot, at any depth."""


class BotError(WrongInput):
    """A bot cannot be found, or its bot.toml is invalid; the sentence says what to do."""


@dataclass(frozen=True)
class Bot:
    """A program on disk that can take a seat, and how to start it."""

    name: str
    version: str
    author: str
    url: str
    command: tuple[str, ...]
    directory: Path
    games: tuple[str, ...]
    """The games it plays; empty: any."""
    content_hash: str
    """SHA-256 of the bot's folder, hexadecimal."""
    folder: Path = Path()
    """Where its bot.toml is."""
    build: tuple[str, ...] = ()
    """A command that builds it, run once for every content of the folder; empty: it needs no build."""
    ignore: tuple[str, ...] = ()
    """More patterns like NO_CONTENT: files that its author's own builds create, which the build step does not get."""

    def environment(self, socket: str, token: str) -> dict[str, str]:
        """Return the environment variables with which its process finds the arena and identifies itself."""
        return {"BALLCOURT_SOCKET": socket, "BALLCOURT_TOKEN": token, **self.identity()}

    def identity(self) -> dict[str, str]:
        """Return the environment variables that tell its process the contents of its bot.toml."""
        return {
            "BALLCOURT_NAME": self.name,
            "BALLCOURT_VERSION": self.version,
            "BALLCOURT_PLAYS": ",".join(self.games),
        }

    @property
    def entrant(self) -> Entrant:
        """The bot as an entrant, under its own name."""
        return Entrant(self.name, self.version, self.content_hash, self.author)

    @property
    def home(self) -> Path:
        """The folder that holds the whole bot."""
        return self.folder if self.folder.parts else self.directory


def load_bot(path: Path | str) -> Bot:
    """Load a bot from its folder or its bot.toml. Raises BotError."""
    file = Path(path)
    if file.is_dir():
        file = file / BOT_FILE
    values = _checked(file, _parsed(file))
    folder = file.resolve().parent
    return Bot(
        name=values["name"],
        version=values["version"],
        author=values.get("author", ""),
        url=values.get("url", ""),
        command=_command(values["command"]),
        directory=_directory(file, folder, values),
        games=tuple(values.get("games", ())),
        content_hash=content_hash(folder, values.get("ignore", ())),
        folder=folder,
        build=_command(values.get("build", ())),
        ignore=tuple(values.get("ignore", ())),
    )


def find_bots() -> dict[str, Bot]:
    """Return all bots that are known by name: those that come with Ballcourt, and those of BALLCOURT_BOTS.

    Raises BotError for an invalid bot.toml, and when two bots have the same name.
    """
    found: dict[str, Bot] = {}
    for file in _bot_files():
        bot = load_bot(file)
        other = found.setdefault(bot.name, bot)
        if other is not bot:
            raise BotError(f"two bots are called '{bot.name}': {other.directory} and {bot.directory}; rename one")
    return dict(sorted(found.items()))


def resolve_bot(name_or_path: str) -> Bot:
    """Return the bot of a name, or of the path of a folder. Raises BotError."""
    path = Path(name_or_path)
    if os.sep in name_or_path:
        return load_bot(path)
    known = find_bots()
    if name_or_path in known:
        return known[name_or_path]
    if path.exists():
        return load_bot(path)
    raise BotError(
        f"there is no bot '{name_or_path}'; known bots: {', '.join(known) or 'none'}; "
        f"the path of a folder with a {BOT_FILE} works too"
    )


def check_plays(bot: Bot, game: Game) -> None:
    """Raise BotError for a bot whose bot.toml says that it does not play the game."""
    if bot.games and game.name not in bot.games:
        raise BotError(f"bot {bot.name} does not play {game.name}; it plays {', '.join(bot.games)}")


def content_hash(folder: Path, ignore: Sequence[str] = ()) -> str:
    """Return the SHA-256 of all file names and contents in a folder except NO_CONTENT and `ignore`, hexadecimal.

    Raises BotError for a file that cannot be read.
    """
    total = hashlib.sha256()
    for path in _contents(folder, (*NO_CONTENT, *ignore)):
        total.update(f"{path.relative_to(folder).as_posix()}\0{_hash(path)}\n".encode())
    return total.hexdigest()


def _hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise BotError(f"{path}, a file of the bot, cannot be read: {error.strerror or error}") from error


def _contents(folder: Path, ignore: Sequence[str]) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if any(fnmatchcase(path.name, pattern) for pattern in ignore):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _contents(path, ignore)
        elif path.is_file():
            yield path


def _bot_files() -> Iterator[Path]:
    yield from sorted((PACKAGE / "bots").glob(f"*/{BOT_FILE}"))
    for folder in os.environ.get(ENVIRONMENT, "").split(os.pathsep):
        if folder:
            yield Path(folder) / BOT_FILE


def _command(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.replace("{python}", sys.executable) for word in words)


def _directory(file: Path, folder: Path, values: Mapping[str, Any]) -> Path:
    """Return where the bot is started; with a build step it must be inside the folder, because a copy is built."""
    directory: Path = (folder / values.get("directory", ".")).resolve()
    if "build" in values:
        if not directory.is_relative_to(folder):
            raise BotError(f"{file}: directory '{values['directory']}' is outside the folder that is built")
    elif not directory.is_dir():
        raise BotError(f"{file}: directory '{values['directory']}' does not exist; it is relative to the file")
    return directory


def _parsed(file: Path) -> dict[str, Any]:
    try:
        return read_toml(file)
    except FileNotFoundError:
        raise BotError(f"{file} does not exist; a bot is a folder with a {BOT_FILE}") from None
    except OSError as error:
        raise BotError(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise BotError(f"{file} is not valid TOML: {error}") from error


def _checked(file: Path, values: dict[str, Any]) -> Mapping[str, Any]:
    for key in REQUIRED:
        if key not in values:
            raise BotError(f"{file} lacks '{key}'; required are {', '.join(REQUIRED)}")
    for key, value in values.items():
        if key not in REQUIRED + OPTIONAL:
            raise BotError(f"{file} has an unknown key '{key}'; known keys: {', '.join(REQUIRED + OPTIONAL)}")
        expected = "a list of strings" if key in LISTS else "a string"
        if not (_is_texts(value) if key in LISTS else _is_text(value)):
            raise BotError(f"{file}: {key} is {value!r}; it must be {expected}")
    for key in REQUIRED:
        if not values[key]:
            raise BotError(f"{file}: {key} is empty; it must have a value")
    if "ignore" in values and "build" not in values:
        raise BotError(f"{file}: ignore is for a bot with a build step; without one all of the folder plays")
    return values


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_text(value: object) -> bool:
    """Whether it is a string without NUL characters, as paths and arguments must be."""
    return isinstance(value, str) and "\0" not in value
