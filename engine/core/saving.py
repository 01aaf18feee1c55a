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


def load_game(module: str) -> object:
    """Import the game that a module belongs to. Raises ImportError if there is none."""
    importlib.import_module(module)
    game = game_of(module)
    if game is None:
        raise ImportError(f"{module} belongs to no game: no package that it is in has a GAME")
    return game


def load_position(module: str, rows: list[list[int]]) -> object:
    """Return the position that was saved as `rows` by a state class of this module.

    Raises MalformedRows if it is not a position of the game, ImportError if the game is not installed.
    """
    game: Any = load_game(module)
    return game.from_rows(rows)
