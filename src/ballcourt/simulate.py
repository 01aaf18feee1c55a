"""Positions to search in, for bots that think ahead: see `ballcourt.bots.sdk.python.simulate`."""

from ballcourt.bots.sdk.python.simulate import State, at_random, decisions, playout, playouts, sample

__all__ = ["State", "at_random", "decisions", "playout", "playouts", "sample"]
