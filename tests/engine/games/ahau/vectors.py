"""Positions and decisions of Ahau as plain data, to run another implementation in lockstep with the engine.

The worked examples of vectors.json are prose, so tests use them one by one; `test_vectors` checks that none is
missing.
"""

from tests.engine.games.ahau.decisions import NotLegal, apply, legal
from tests.engine.games.ahau.positions import BadPosition, dump, state_from

__all__ = ["BadPosition", "NotLegal", "apply", "dump", "legal", "state_from"]
