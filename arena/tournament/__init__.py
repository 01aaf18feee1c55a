"""Tournaments: events, plans, formats, the output folder, and `play_tournament`, which plays one from Python.

From the ground up:

- `schedules`: which blocks are played next: the formats, pairing, balance, when a tournament ends
- `event`: what an organiser asks for: the tournament file, its set-ups, bots and seeds
- `decisions`: the organiser's decisions about a running tournament, and what follows from them
- `folder`: the output folder: plan, manifest, log of events
- `organiser`: what an organiser publishes: decisions, keys, signed bundles
- `playing`: what plays a tournament and yields events, here or on a cluster

When a decision comes, the run plays what has begun to its end, notes from which block on the decision applies, and
follows the course again from its beginning.

A browser follows a match by its broadcast: the server touches a file in the output folder, and the worker appends
what a spectator sees (`arena/workers/broadcast.py`). The server could compute positions itself from the seed and the
decisions, but then the seed of a running match would be in a file, which a bot without a sandbox can read.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ballcourt.arena.tournament.playing.play import play_tournament

__all__ = ["play_tournament"]


def __getattr__(name: str) -> object:
    """Import a name when it is used: to read an event must not load what plays it."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module("ballcourt.arena.tournament.playing.play"), name)
