"""A bot's other files: how its program imports them, and its modules about single games, named after the game."""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Final

OWN: Final = "own_files_of_the_bot"


class UnknownToBot(LookupError):
    """The bot has no module for the game."""


def own_files(program: str) -> ModuleSpec:
    """Let a program import the files next to it relatively, as the modules of a package do; return its `__spec__`.

    So it always imports its own: a copy of the folder does not need the original, and does not use it by mistake.
    """
    package = ModuleType(OWN)
    package.__path__ = [str(Path(program).resolve().parent)]
    sys.modules[OWN] = package
    return ModuleSpec(f"{OWN}.{Path(program).stem}", None, origin=program)


def knowledge(bot_package: str, game: str) -> ModuleType:
    """Load `<bot_package>.<game>`, e.g. ballcourt.bots.greedy.tzolkin.

    Raises UnknownToBot if it does not exist.
    """
    name = f"{bot_package}.{game}"
    if find_spec(name) is None:
        (folder, *_) = import_module(bot_package).__path__
        raise UnknownToBot(f"the bot does not know the game '{game}'; write {Path(folder, game)}.py")
    return import_module(name)
