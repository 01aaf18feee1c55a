"""Positions to search in, for bots that think ahead: see `ballcourt.bots.sdk.python.simulate`."""

from ballcourt.bots.sdk.python.simulate import State, decisions, playout, sample

__all__ = ["State", "decisions", "playout", "sample"]
