"""Positions and decisions of Ahau as plain data, for playing another implementation side by side with the engine.

The worked examples of vectors.json are sentences, so each of them is a test of its own; `test_vectors` sees to it that
none is left out.
"""

from tests.engine.games.ahau.decisions import NotLegal, apply, legal
from tests.engine.games.ahau.positions import BadPosition, dump, state_from

__all__ = ["BadPosition", "NotLegal", "apply", "dump", "legal", "state_from"]
