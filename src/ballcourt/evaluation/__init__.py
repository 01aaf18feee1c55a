"""How good is a bot? Against an older version, fixed opponents, a suite, or with several budgets.

- `comparison`, `outlook`, `report`: `ballcourt compare`, a version against an older one
- `evaluator`, `court`, `race`: `ballcourt evaluate` and `ballcourt.Evaluator`, programs against fixed opponents
- `benchmark`, `suites`, `scaling`: suites that never change; the same bot with several budgets
- `tuning`, `spsa`: the search for parameters; `scrimmage`: matches that a contest plays for a team
- `evidence`, `betting`: intervals and tests that hold at any time; `ledger`: the blocks that were played, in SQLite
"""

from ballcourt.evaluation.evaluator import Evaluator

__all__ = ["Evaluator"]
