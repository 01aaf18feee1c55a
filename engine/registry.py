"""The installed games: every package in `ballcourt.engine.games`, and those that register themselves.

A game elsewhere registers itself in the entry point group `ballcourt.games` or, while it is being written, in the
environment: BALLCOURT_GAMES=module:GAME,module:GAME. Such a module may be in the current folder.
"""

import importlib
import os
import pkgutil
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path

from ballcourt.engine import games as games_folder
from ballcourt.engine.core.game import Game
from ballcourt.engine.errors import UnknownGame, did_you_mean

SDK_FOLDER = "ballcourt_sdk"
"""The folder that holds the package where it comes with the SDK for Python and not with the arena."""
ENTRY_POINTS = "ballcourt.games"
ENVIRONMENT = "BALLCOURT_GAMES"


def games() -> dict[str, Game]:
    """Return all installed games by name, in alphabetical order."""
    found = {name: _built_in(name) for name in _packages()} | registered()
    return dict(sorted(found.items()))


def find_game(name: str) -> Game:
    """Return the game of this name; other built-in games are not imported. Raises UnknownGame, which lists all."""
    if game := registered().get(name):
        return game
    if name in _packages():
        return _built_in(name)
    known = games()
    raise UnknownGame(f"there is no game '{name}'; it must be one of {', '.join(known)}{did_you_mean(name, known)}")


def distribution_of(game: Game) -> tuple[str, str]:
    """Return name and version of the Python distribution a game comes with; empty strings if it comes with none."""
    if type(game).__module__.startswith(f"{games_folder.__name__}."):
        return our_distribution()
    points = [point for point in entry_points(group=ENTRY_POINTS) if point.dist and point.load() is game]
    return (points[0].dist.name, points[0].dist.version) if points and points[0].dist else ("", "")


@cache
def our_distribution() -> tuple[str, str]:
    """Return name and version of the distribution that these rules come with; no version where none is installed."""
    name = "ballcourt-sdk" if Path(__file__).parents[2].name == SDK_FOLDER else "ballcourt"
    try:
        return name, version(name)
    except PackageNotFoundError:
        return name, ""


@cache
def _packages() -> list[str]:
    """Return the names of the built-in games, which are those of their packages."""
    return [module.name for module in pkgutil.iter_modules(games_folder.__path__) if module.ispkg]


def _built_in(name: str) -> Game:
    game: Game = importlib.import_module(f"{games_folder.__name__}.{name}").GAME
    return game


@cache
def registered() -> dict[str, Game]:
    """Return the games that register themselves, by name; they may replace a built-in one."""
    named = [place for place in os.environ.get(ENVIRONMENT, "").split(",") if place]
    found: list[Game] = [*(point.load() for point in entry_points(group=ENTRY_POINTS)), *map(_load, named)]
    return {game.name: game for game in found}


def _load(place: str) -> Game:
    module, _, name = place.partition(":")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)  # last, so that nothing installed is hidden by a file that happens to be here
    try:
        game: Game = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownGame(f"{ENVIRONMENT} names '{place}', which cannot be loaded as module:GAME: {error}") from error
    return game
