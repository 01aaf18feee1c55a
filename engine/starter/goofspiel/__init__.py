"""Goofspiel: secret bids for prizes. RULES.md has the rules."""

from goofspiel.game import GAME

__all__ = ["GAME"]
