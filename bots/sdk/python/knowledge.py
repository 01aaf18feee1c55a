"""A bot's modules about single games, named after the game."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


class UnknownToBot(LookupError):
    """The bot has no module for the game."""


def knowledge(bot_package: str, game: str) -> ModuleType:
    """Load `<bot_package>.<game>`, e.g. ballcourt.bots.greedy.tzolkin.

    Raises UnknownToBot if it does not exist.
    """
    name = f"{bot_package}.{game}"
    if find_spec(name) is None:
        raise UnknownToBot(f"{bot_package} does not know the game '{game}'; write {name.replace('.', '/')}.py")
    return import_module(name)
