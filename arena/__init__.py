"""Everything that runs bots: matches, processes, sandbox, tournaments, ladders and records."""

import sys

if __name__ != "ballcourt.arena":
    raise ImportError("import this package as ballcourt.arena; a second copy of its classes would not match the first")
if sys.version_info < (3, 11):  # noqa: UP036  the SDK alone runs with older ones
    raise ImportError(f"the arena needs Python 3.11 or newer, and this is {sys.version.split()[0]}")
