"""How good is a bot? Against an older version, fixed opponents, a suite, or with several budgets."""

from ballcourt.evaluation.evaluator import Evaluator

__all__ = ["Evaluator"]
