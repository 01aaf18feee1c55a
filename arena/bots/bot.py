"""Bots on disk: folders with a `bot.toml` that says how they are started."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from ballcourt.arena.bots.causes import no_bot
from ballcourt.arena.bots.contents import MOST_BYTES as MOST_CONTENT
from ballcourt.arena.bots.contents import ContentsError, changed_since, digest, matches
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.interpreters import objection as python_objection
from ballcourt.arena.bots.parameters import Parameter, parameters_of
from ballcourt.arena.bots.requirements import Requirements, RequirementsError, read_requirements
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.files import read_toml
from ballcourt.arena.naming import (
    command_objection,
    line_objection,
    lines_objection,
    name_objection,
    version_objection,
)
from ballcourt.arena.printable import cut
from ballcourt.arena.python import our_python
from ballcourt.engine.core import Game, WrongInput, did_you_mean


class Lease:
    """Keeps the build, the image and the environment of a bot in the cache until it is garbage, or its process ends.

    It holds locks by open files. A copy that is sent to another process holds none: the process that sent it does.
    """

    def __init__(self, *files: IO[bytes]) -> None:
        self._files = files

    def __reduce__(self) -> tuple[type["Lease"], tuple[()]]:
        return Lease, ()


BOT_FILE = "bot.toml"
MOST_BYTES = 1 << 16
"""The largest bot.toml that is read."""
MOST_MATCHES = 8
"""The most matches that a process plays at the same time."""

REQUIRED = ("name", "version", "command")
OPTIONAL = (
    *("author", "url", "directory", "games", "build", "python", "requirements", "ignore", "parameters", "matches"),
)
LISTS = ("command", "games", "build", "ignore")
NO_CONTENT = (
    *(".git*", ".hg*", ".svn", ".jj", ".idea", ".vscode", ".vs", ".env", ".env*.local", ".envrc", ".direnv"),
    *(".venv", ".tox", ".nox", ".eggs", ".gradle", ".*cache", ".ipynb_checkpoints", ".hypothesis", "__pycache__"),
    *(".DS_Store", "._*", "__MACOSX", "Icon\r", "desktop.ini", "Thumbs.db", ".nfs*", ".#*", ".*.sw?", "*~"),
)
"""Patterns for names of files and folders that never belong to a bot, at any depth: of the machine, not its author.

Other hidden files, such as .npmrc and .cargo, do. `.env` is where secrets are.
"""
PYTHON = "{python}"
"""What stands for the interpreter in the command and the build step of a bot."""


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
    """SHA-256 of what its folder holds, hexadecimal."""
    folder: Path = Path()
    """Where its bot.toml is."""
    source: Path | None = None
    """Where its author has it, if `folder` is a copy."""
    build: tuple[str, ...] = ()
    """A command that builds it, run once for every content of the folder; empty: it needs no build."""
    python: str = ""
    """The version of Python that it is started with, such as 3.12; empty: that of the arena."""
    requirements: Requirements | None = None
    """The Python packages that it needs."""
    ignore: tuple[str, ...] = ()
    """More patterns like NO_CONTENT: files that its author's builds, or its own processes, write."""
    parameters: tuple[Parameter, ...] = ()
    """The numbers that an entrant may set."""
    matches: int = 1
    """How many matches one process of it may play at the same time."""
    venv: Path | None = None
    """The folder of the virtual environment that it is started in."""
    packages: tuple[str, ...] = ()
    """What pip installed there, each a line such as `six==1.16.0 --hash=sha256:0a1b`; empty if that is not known."""
    image: Path | None = None
    """What confined processes get copies of instead of its folder; see `ballcourt.arena.bots.image`."""
    profile: Path | None = None
    """The folder into which its processes write what their functions cost, if they are in Python."""
    owner: str = ""
    """Whose it is where bots of several are built: of each, one is built at a time. Empty: that is not known."""
    lease: Lease | None = field(default=None, compare=False, repr=False)
    """What keeps its build and its image in the cache."""

    def environment(self, way: Mapping[str, str], token: str, streams: int = 1) -> dict[str, str]:
        """Return the variables of its process: the way to the arena, what identifies it there, and its bot.toml.

        `streams` is the number of streams that it opens, one for each match that it plays at the same time.
        """
        measured = {"BALLCOURT_PROFILE": str(self.profile)} if self.profile else {}
        several = {"BALLCOURT_STREAMS": str(streams)} if streams > 1 else {}
        return {**way, "BALLCOURT_TOKEN": token, **self.identity(), **several, **measured}

    def identity(self) -> dict[str, str]:
        """Return the environment variables that pass the contents of its bot.toml to its process."""
        return {
            "BALLCOURT_NAME": self.name,
            "BALLCOURT_VERSION": self.version,
            "BALLCOURT_AUTHOR": self.author,
            "BALLCOURT_URL": self.url,
            "BALLCOURT_PLAYS": ",".join(self.games),
            "BALLCOURT_MATCHES": str(self.matches),
            "BALLCOURT_PYTHON": our_python(),
            "BALLCOURT_PARAMETERS": ",".join(parameter.word for parameter in self.parameters),
        }

    def with_python(self, program: Path | str) -> "Bot":
        """Return the bot with this interpreter in its command and its build step."""

        def filled(words: Sequence[str]) -> tuple[str, ...]:
            return tuple(word.replace(PYTHON, str(program)) for word in words)

        return replace(self, command=filled(self.command), build=filled(self.build))

    @property
    def entrant(self) -> Entrant:
        """The bot as an entrant, under its own name."""
        return Entrant(BotVersion(self.name, self.version, self.content_hash), self.author)

    def changed_since(self, since_s: float) -> str:
        """Name the files of its author's folder that were written after a time, see `contents.changed_since`."""
        return changed_since(self.source or self.home, (*NO_CONTENT, *self.ignore), since_s)

    @property
    def home(self) -> Path:
        """The folder that holds the whole bot."""
        return self.folder if self.folder.parts else self.directory


def load_bot(path: Path | str, *, most: int = MOST_CONTENT, hashed: str = "") -> Bot:
    """Load a bot from its folder or its bot.toml, of at most this number of bytes.

    `hashed` is the content hash of a folder that has just been hashed, which is not hashed again. Raises BotError.
    """
    file = Path(path)
    if os.path.isdir(file):  # noqa: PTH112  # as below
        file = file / BOT_FILE
    values = _checked(file, _parsed(file))
    folder = file.resolve().parent
    bot = Bot(
        name=values["name"],
        version=values["version"],
        author=values.get("author", ""),
        url=values.get("url", ""),
        command=tuple(values["command"]),
        directory=_directory(file, folder, values),
        games=tuple(values.get("games", ())),
        content_hash=hashed or content_hash(folder, values.get("ignore", ()), most),
        folder=folder,
        build=tuple(values.get("build", ())),
        python=values.get("python", ""),
        requirements=_requirements(file, folder, values["requirements"]) if "requirements" in values else None,
        ignore=tuple(values.get("ignore", ())),
        parameters=_parameters(file, values["parameters"]) if "parameters" in values else (),
        matches=values.get("matches", 1),
    )
    return bot if bot.python or bot.requirements else bot.with_python(our_python())


def is_copy(folder: Path, content: str) -> bool:
    """Return whether a folder holds a bot with this content hash; one that ran there unconfined may have changed it."""
    try:
        return load_bot(folder).content_hash == content
    except (BotError, OSError):
        return False


def no_bot_at(file: Path) -> BotError:
    """Return the error about a bot.toml that does not exist, with where it may be."""
    where = no_bot(file.parent, BOT_FILE, NO_CONTENT) if file.name == BOT_FILE else ""
    return BotError(f"{file} does not exist; a bot is a folder with a {BOT_FILE}" + (f"; {where}" if where else ""))


def check_plays(bot: Bot, *games: Game) -> None:
    """Raise BotError for a bot whose bot.toml says that it does not play one of the games."""
    for game in games:
        if bot.games and game.name not in bot.games:
            raise BotError(f"bot {bot.name} does not play {game.name}; it plays {', '.join(bot.games)}")


def content_hash(folder: Path, ignore: Sequence[str] = (), most: int = MOST_CONTENT) -> str:
    """Return the digest of a folder's items except NO_CONTENT and `ignore`, see `contents.digest`. Raises BotError."""
    try:
        return digest(folder, (*NO_CONTENT, *ignore), most)
    except ContentsError as error:
        raise BotError(str(error)) from error


def _requirements(file: Path, folder: Path, name: str) -> Requirements:
    try:
        return read_requirements(folder, name)
    except RequirementsError as error:
        raise BotError(f"{file}: requirements is {cut(repr(name))}; {error}") from error


def _directory(file: Path, folder: Path, values: Mapping[str, Any]) -> Path:
    """Return where the bot is started; with a build step it must be inside the folder, because a copy is built."""
    directory = Path(os.path.realpath(folder / values.get("directory", ".")))  # in spite of loops
    if "build" in values:
        if not directory.is_relative_to(folder):
            raise BotError(f"{file}: directory '{values['directory']}' is outside the folder that is built")
    elif not os.path.isdir(directory):  # noqa: PTH112  # Path raises for a name that is too long
        raise BotError(f"{file}: directory '{values['directory']}' does not exist; it is relative to the file")
    return directory


def _parameters(file: Path, tables: object) -> tuple[Parameter, ...]:
    if not isinstance(tables, dict):
        raise BotError(f"{file}: parameters is {cut(repr(tables))}; it must hold tables, such as [parameters.depth]")
    try:
        return parameters_of(tables)
    except ValueError as error:
        raise BotError(f"{file}: {error}") from error


def _parsed(file: Path) -> dict[str, Any]:
    try:
        return read_toml(file, MOST_BYTES)
    except FileNotFoundError:
        raise no_bot_at(file) from None
    except OSError as error:
        raise BotError(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        if file.name != BOT_FILE:
            raise BotError(f"{file} is not a bot; give a bot's name, its folder, or its {BOT_FILE}") from error
        raise BotError(f"{file} is not valid TOML: {error}") from error


def _checked(file: Path, values: dict[str, Any]) -> Mapping[str, Any]:
    known = REQUIRED + OPTIONAL
    for key in values:  # first: what is missing may be misspelt
        if key not in known:
            hint = did_you_mean(key, known)
            raise BotError(f"{file} has an unknown key '{key}'; known keys: {', '.join(known)}{hint}")
    for key in REQUIRED:
        if key not in values:
            raise BotError(f"{file} lacks '{key}'; required are {', '.join(REQUIRED)}")
    if "matches" in values and not _is_count(values["matches"]):
        shown = cut(repr(values["matches"]))
        raise BotError(f"{file}: matches is {shown}; it must be a whole number from 1 to {MOST_MATCHES}")
    for key, value in values.items():
        if key in ("parameters", "matches"):
            continue
        expected = "a list of strings" if key in LISTS else "a string"
        if not (_is_texts(value) if key in LISTS else _is_text(value)):
            raise BotError(f"{file}: {key} is {cut(repr(value))}; it must be {expected}")
    for key in REQUIRED:
        if not values[key]:
            raise BotError(f"{file}: {key} is empty; it must have a value")
    for key, value in values.items():
        if objection := _objection(key, value):
            raise BotError(f"{file}: {key} is {cut(repr(value))}; {objection}")
    if matches(BOT_FILE, values.get("ignore", ())):
        raise BotError(f"{file}: ignore leaves out {BOT_FILE} itself; name only files that builds or the bot write")
    return values


def _objection(key: str, value: str | list[str]) -> str:
    """Return what is wrong with the words of an entry; empty if nothing is."""
    match key, value:
        case "name", str():
            return name_objection(value)
        case "version", str():
            return version_objection(value)
        case "python", str():
            return python_objection(value)
        case "command" | "build", list():
            return command_objection(value)
        case _, str():
            return line_objection(value)
        case _, list():
            return lines_objection(value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_MATCHES


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_text(value: object) -> bool:
    """Whether it is a string without NUL characters, as paths and arguments must be."""
    return isinstance(value, str) and "\0" not in value
