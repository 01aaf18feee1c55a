"""How Python pickles positions: as rows, with the module of their game."""

import importlib
import sys
from typing import Any


def game_of(module: str) -> object:
    """Return the `GAME` of the package that a module is in; None without one."""
    while module:
        game: object = getattr(sys.modules.get(module), "GAME", None)
        if game is not None:
            return game
        module = module.rpartition(".")[0]
    return None


def load_position(module: str, rows: list[list[int]]) -> object:
    """Return the position that was saved as `rows` by a state class of this module.

    Raises MalformedRows if it is not a position of the game, ImportError if the game is not installed.
    """
    importlib.import_module(module)
    game: Any = game_of(module)
    if game is None:
        raise ImportError(f"{module} belongs to no game: no package that it is in has a GAME")
    return game.from_rows(rows)
