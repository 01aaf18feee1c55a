"""Tests of differences play the game `bluff`."""

from tests.arena.conftest import bluff_is_installed

__all__ = ["bluff_is_installed"]
