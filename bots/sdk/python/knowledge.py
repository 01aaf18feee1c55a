"""A bot's other files: how its program imports them, and its modules about single games, named after the game."""

import sys
from filecmp import cmpfiles
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Final

import ballcourt

OWN: Final = "own_files_of_the_bot"
COMPILED: Final = "ballcourt.compiled"
"""The package of compiled copies of bots' files; only an installation that was compiled has it."""


class UnknownToBot(LookupError):
    """The bot has no module for the game."""


def own_files(program: str) -> ModuleSpec:
    """Make a program able to import the files next to it relatively, as a package does; return its `__spec__`.

    So it always imports its own: a copy of the folder does not need the original, and does not use it by mistake.
    Files of which this installation has compiled copies, made from the same text, are imported compiled.
    """
    path = Path(program).resolve()
    package = _compiled_copy(path)
    if not package:
        package = OWN
        sys.modules[OWN] = ModuleType(OWN)
        sys.modules[OWN].__path__ = [str(path.parent)]
    return ModuleSpec(f"{package}.{path.stem}", None, origin=program)


def files_of(bot: str) -> str:
    """Return the package with the files of a reference bot, of compiled copies where this installation has them."""
    return _compiled_copy(Path(ballcourt.__path__[0], "bots", bot, "bot.py")) or f"ballcourt.bots.{bot}"


def _compiled_copy(program: Path) -> str:
    """Return the package of compiled copies of all files next to a program; empty if there is none."""
    own = [path.name for path in program.parent.glob("*.py") if path != program]
    for folder in Path(ballcourt.__path__[0], "compiled").glob("*/"):
        same, _, _ = cmpfiles(program.parent, folder, own, shallow=False)
        if own and same == own:
            return f"{COMPILED}.{folder.name}"
    return ""


def knowledge(bot_package: str, game: str) -> ModuleType:
    """Load `<bot_package>.<game>`, e.g. ballcourt.bots.greedy.tzolkin.

    Raises UnknownToBot if it does not exist.
    """
    name = f"{bot_package}.{game}"
    if find_spec(name) is None:
        (folder, *_) = import_module(bot_package).__path__
        raise UnknownToBot(f"the bot does not know the game '{game}'; write {Path(folder, game)}.py")
    return import_module(name)
