"""Results, ratings, the results database, and the tables and pages that show them.

- `model`: results, ratings (`fit`) and their certainty; docs/pages/explanation/ratings.md has the formulas
- `store`: the results database, which caches the records
- `show`: tables for terminals, documents and spreadsheets
- `studies`: pairs of bots, seats, history, teaming, forecasts
- `pages`: pages for browsers and their JSON

The package can be called, as `from ballcourt import leaderboard` has one name for the package and for the function:
`leaderboard("runs/cup")` is `ballcourt.leaderboard.store.boards.leaderboard("runs/cup")`.
"""

import sys
from importlib import import_module
from types import ModuleType

if __name__ != "ballcourt.leaderboard":
    raise ImportError(
        "import this package as ballcourt.leaderboard; a second copy of its classes would not match the first"
    )


class _CallablePackage(ModuleType):
    def __call__(self, *arguments: object, **named: object) -> object:
        """Rate the bots of a tournament or database, see `ballcourt.leaderboard.store.boards.leaderboard`."""
        return import_module("ballcourt.leaderboard.store.boards").leaderboard(*arguments, **named)


sys.modules[__name__].__class__ = _CallablePackage
