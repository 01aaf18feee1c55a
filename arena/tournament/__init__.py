"""Tournaments: events, plans, formats, the output folder, and `play_tournament`, which plays one from Python."""

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
