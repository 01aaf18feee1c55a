"""Positions to search in, for bots that look ahead.

A bot never sees a position, only an observation. `sample` draws one of the positions that fit the observation;
its `clone`, `apply` and `legal_actions` do the rest. Future shuffles are drawn too, so a search cannot foresee them:
draw several positions where that matters.
"""

from random import Random

from ballcourt.bots.sdk.python.decision import View
from ballcourt.engine.core import State, Stream
from ballcourt.engine.core.playout import at_random, decisions, playout, playouts
from ballcourt.engine.registry import find_game

__all__ = ["State", "at_random", "decisions", "playout", "playouts", "sample"]


def sample(view: View, random: Random) -> State:
    """Draw a full position that fits what the bot's seat knows.

    Raises UnknownGame when the game's rules are not installed.
    """
    game = find_game(view.match.game)
    return game.sample(game.wire().decode(view.data), Stream(random.getrandbits(64)))
