"""What a bot knows of one game beyond the rules: a module in the bot's own folder, named after the game."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


class UnknownToBot(LookupError):
    """The bot has no module for the game."""


def knowledge(bot_package: str, game: str) -> ModuleType:
    """Load `<bot_package>.<game>`, e.g. ballcourt.bots.greedy.tzolkin.

    Raises UnknownToBot when there is no such file.
    """
    name = f"{bot_package}.{game}"
    if find_spec(name) is None:
        raise UnknownToBot(f"{bot_package} does not know the game '{game}'; write {name.replace('.', '/')}.py")
    return import_module(name)
