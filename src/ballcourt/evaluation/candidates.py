"""Candidates: programs to be evaluated, as their authors give them, made into bots.

A candidate is the folder of a bot, the name of one, a file with a program in Python, or the program itself as a string.
A program becomes a folder of its own, with a `bot.py` that finds its subclass of `Bot` and plays it. A program never
runs in this process, not even to be compiled: only inside its sandbox.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.bot import BOT_FILE, Bot, check_plays, load_bot
from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.printable import cut
from ballcourt.engine.core import Game, WrongInput

Written = str | Path
"""What an author gives: a folder, a name, a file, or a program."""
PROGRAM: Final = "candidate.py"
MOST_BYTES: Final = 1 << 20
"""The longest program."""
SHOWN: Final = 60
MANIFEST: Final = """\
name = "candidate"
version = "{version}"
command = ["{{python}}", "bot.py"]
"""
STARTER: Final = '''\
"""Plays the last subclass of Bot that candidate.py defines."""

import candidate

from ballcourt import Bot, run

found = [
    value
    for value in vars(candidate).values()
    if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == candidate.__name__
]
if not found:
    raise SystemExit("candidate.py defines no subclass of ballcourt.Bot")
run(found[-1])
'''


class CandidateError(WrongInput):
    """What was given is not a candidate; the sentence says what is."""


class Reception:
    """Where candidates arrive: reads them and makes them ready to play a game."""

    def __init__(self, folder: Path, game: Game, make_ready: Callable[[Bot], Bot]) -> None:
        """Programs get folders in `folder`."""
        self._folder = folder
        self._game = game
        self._make_ready = make_ready
        self._known: dict[str, Bot] = {}

    def let_in(self, written: Written) -> Bot:
        """Return the bot that was given, ready to be started. Raises CandidateError, BotError and BuildError."""
        bot = self.loaded(written)
        if bot.content_hash not in self._known:
            check_plays(bot, self._game)
            self._known[bot.content_hash] = self._make_ready(bot)
        return self._known[bot.content_hash]

    def loaded(self, written: Written) -> Bot:
        """Return the bot that was given. Raises CandidateError and BotError."""
        if isinstance(written, str) and ("\n" in written or not written.strip()):
            return self._program(written)
        if not isinstance(written, str | Path):
            kind = type(written).__name__
            raise CandidateError(f"a candidate is {kind}; give a folder, a file, a name or a program as a string")
        path = Path(written)
        is_folder = os.path.isdir(path)  # noqa: PTH112  # Path raises for a name that is too long
        if path.suffix == ".py" and not is_folder:
            return self._program(_read(path), str(path))
        if is_folder and not (path / BOT_FILE).exists():
            raise CandidateError(
                f"{path} has no {BOT_FILE}; a candidate is the folder of a bot, or a file with a program in Python"
            )
        if os.path.isfile(path) and path.name != BOT_FILE:  # noqa: PTH113  # as above
            raise CandidateError(f"{path} is not a candidate; the name of a file with a program in Python ends in .py")
        return resolve_bot(str(written))

    def _program(self, text: str, file: str = "") -> Bot:
        """Make a bot of a program, from a file if that is named. Raises CandidateError if it names no Bot."""
        if "Bot" not in text:
            first = cut(text.strip().partition("\n")[0], SHOWN)
            called = file or (f"the program that begins with '{first}'" if first else "an empty program")
            raise CandidateError(
                f"{called} names no Bot; a candidate is a program in Python with a subclass of ballcourt.Bot, or the "
                "folder of a bot"
            )
        data = text.encode("utf-8", "surrogatepass")
        if len(data) > MOST_BYTES:
            raise CandidateError(f"a program has {len(data)} bytes; at most {MOST_BYTES} are read")
        version = hashlib.sha256(data).hexdigest()[:12]
        home = self._folder / version
        if not home.exists():
            home.mkdir(parents=True)
            (home / PROGRAM).write_bytes(data)
            (home / "bot.py").write_text(STARTER, encoding="utf-8")
            (home / BOT_FILE).write_text(MANIFEST.format(version=version), encoding="utf-8")
        return load_bot(home)


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise CandidateError(f"{path} has {path.stat().st_size} bytes; at most {MOST_BYTES} are read")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise CandidateError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise CandidateError(f"{path} is not a program in Python: it is not UTF-8") from error
