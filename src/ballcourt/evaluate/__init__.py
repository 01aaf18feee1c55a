"""How good is this program? Plays candidates against fixed opponents, inside walls, and says how sure the answer is."""

from ballcourt.evaluate.evaluator import Evaluator

__all__ = ["Evaluator"]
