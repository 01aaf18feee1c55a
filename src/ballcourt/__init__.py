"""Ballcourt, an arena for bots: the one name that an installation adds to Python's import path.

The folders `arena`, `bots`, `engine` and `leaderboard` of the repository are packages of this one. In a checkout they
are links (setup.py says why); in a wheel they are ordinary folders. The wheel `ballcourt-sdk` has what bots need
and nothing else.

A bot needs the names below, and the messages of its games in `ballcourt.v1`:

    from ballcourt import Bot, Decision, run

    class First(Bot):
        def choose(self, decision: Decision) -> int:
            return decision.legal[0]

    if __name__ == "__main__":
        run(First)

Scripts and notebooks play matches and tournaments, read their records, and rate the bots:

    from ballcourt import Env, leaderboard, load_records, play_match, play_tournament

Each name is imported when it is first used: `import ballcourt` loads neither gRPC nor NumPy.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ballcourt.arena.match.in_process import play_in_process
    from ballcourt.arena.tournament import play_tournament
    from ballcourt.bots.sdk.python import (
        Bot,
        CannotPlay,
        Decision,
        Parameters,
        ProtocolError,
        Refused,
        Session,
        UnknownObservation,
        View,
        connect,
        run,
    )
    from ballcourt.env import Env
    from ballcourt.evaluation.evaluator import Evaluator
    from ballcourt.functions import ask_again, load_records, play_match
    from ballcourt.leaderboard.store.boards import leaderboard

__all__ = [
    "Bot",
    "CannotPlay",
    "Decision",
    "Env",
    "Evaluator",
    "Parameters",
    "ProtocolError",
    "Refused",
    "Session",
    "UnknownObservation",
    "View",
    "ask_again",
    "connect",
    "leaderboard",
    "load_records",
    "play_in_process",
    "play_match",
    "play_tournament",
    "run",
]
_HOMES = {
    "Env": "ballcourt.env",
    "Evaluator": "ballcourt.evaluation.evaluator",
    "ask_again": "ballcourt.functions",
    "leaderboard": "ballcourt.leaderboard",
    "load_records": "ballcourt.functions",
    "play_in_process": "ballcourt.arena.match.in_process",
    "play_match": "ballcourt.functions",
    "play_tournament": "ballcourt.arena.tournament",
}
"""Where the names are that do not come from the Python SDK."""


def __getattr__(name: str) -> object:
    """Import a name when it is used: the rules alone must not load gRPC."""
    if name not in __all__:
        raise AttributeError(f"module 'ballcourt' has no attribute '{name}'")
    try:
        home = import_module(_HOMES.get(name, "ballcourt.bots.sdk.python"))
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("ballcourt."):
            raise
        raise ImportError(
            f"ballcourt.{name} is a part of the arena, and only its SDK is installed here; run pip install "
            "git+https://github.com/ballcourt/ballcourt"
        ) from None
    return home if name == "leaderboard" else getattr(home, name)  # that package itself can be called
