"""Set-ups in the words of people: "Ahau, 2 players", and only those options that are not as usual."""

from functools import lru_cache

from ballcourt.arena.printable import printable
from ballcourt.engine.core import Game, UnknownGame
from ballcourt.engine.core.options import unusual as unusual_options
from ballcourt.engine.registry import find_game
from ballcourt.leaderboard.model.results import Ladder


def in_words(ladder: Ladder) -> str:
    """Return a set-up in one line, such as "Ahau, 2 players, board night"."""
    return ", ".join((name_of(ladder), *unusual(ladder)))


@lru_cache(maxsize=512)
def name_of(ladder: Ladder) -> str:
    """Return the game and the number of players; the rules too, if they are not those that are installed."""
    game = _game(ladder.game)
    players = "1 player" if ladder.seats == 1 else f"{ladder.seats} players"
    is_current = game is not None and game.rules_version == ladder.rules_version
    rules = "" if is_current else f", rules {ladder.rules_version}"
    after = f", after rules {ladder.after}" if ladder.after else ""
    return printable(f"{title_of(ladder.game)}, {players}{rules}{after}")


def title_of(name: str) -> str:
    """Return the short title of a game, such as "Tzolk'in"; its name, if it is not installed here."""
    game = _game(name)
    return game.title.partition(":")[0] if game else name


@lru_cache(maxsize=512)
def unusual(ladder: Ladder) -> tuple[str, ...]:
    """Return the options that differ from the defaults of the game, each as "board night"."""
    game = _game(ladder.game)
    return tuple(map(printable, unusual_options(game.options if game else (), dict(ladder.options))))


def _game(name: str) -> Game | None:
    """Return a game; None if it is not installed here."""
    try:
        return find_game(name)
    except UnknownGame:
        return None
