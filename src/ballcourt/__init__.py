"""Ballcourt, an arena for bots: the one name that an installation adds to Python's import path.

The folders `arena`, `bots`, `engine` and `leaderboard` of the repository are packages of this one. In a checkout they
are links (ARCHITECTURE.md says why); in a wheel they are ordinary folders.

A bot needs the names below, and the messages of its games in `ballcourt.v1`:

    from ballcourt import Bot, Decision, run

    class First(Bot):
        def choose(self, decision: Decision) -> int:
            return decision.legal[0]

    if __name__ == "__main__":
        run(First)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ballcourt.bots.sdk.python import (
        Bot,
        CannotPlay,
        Decision,
        ProtocolError,
        Refused,
        Session,
        UnknownObservation,
        View,
        run,
    )

__all__ = ["Bot", "CannotPlay", "Decision", "ProtocolError", "Refused", "Session", "UnknownObservation", "View", "run"]


def __getattr__(name: str) -> object:
    """Import the Python SDK when a bot asks for it: the rules alone must not load gRPC."""
    if name not in __all__:
        raise AttributeError(f"module 'ballcourt' has no attribute '{name}'")
    return getattr(import_module("ballcourt.bots.sdk.python"), name)
