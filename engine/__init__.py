"""The rules library: games as data and small functions. No I/O, no clock, no threads, no gRPC.

- `registry`: all games, found by scanning
- `core`: what games share: `state` (a position with all secrets), `frames` (what the table waits for, on a stack),
  `messages` (observations and actions as protobuf), `vectors` (as numbers), `view` (as scenes for viewers)
- `games/<game>`: the rules of a game, its tables and columns, `wire.py`, `RULES.md` with a ruling for every open
  question
- `conformance`: the checks that every game passes, which `ballcourt check game` runs
- `starter`: the game that `ballcourt new-game` copies

Games never import each other, and the core imports no game.
"""

import sys

if __name__ != "ballcourt.engine":
    raise ImportError("import this package as ballcourt.engine; a second copy of its classes would not match the first")
if sys.version_info < (3, 11):  # noqa: UP036  the SDK alone runs with older ones
    raise ImportError(f"the rules need Python 3.11 or newer, and this is {sys.version.split()[0]}")
