"""Everything that runs bots: matches, processes, sandbox, tournaments, ladders and records.

Each package imports only from those below it:

- `agents`, `browser`, `terminal`: seats for agents (MCP), for people in a browser, for people at a terminal
- `ladder`: the perpetual ladder, and the ways by which bots arrive
- `checks`, `debug`, `contract`: the check of a bot, the debugger, the recorded conversations that hold an SDK to the
  protocol
- `tournament`: formats, events, output folders, decisions, and what plays them
- `cluster`, `workers`, `remote`: a tournament on several machines, its worker processes, bots that dial in
- `building`, `processes`, `fetching`, `sandbox`: builds, bot processes, the proxy of builds, the walls
- `bots`: bots on disk; `match`: one match; `replays`, `records`: what was played, shown and stored
- files: terminations and errors (`faults`), atomic writes (`files`), models of files (`models`), untrusted text
  (`printable`)
"""

import sys

if __name__ != "ballcourt.arena":
    raise ImportError("import this package as ballcourt.arena; a second copy of its classes would not match the first")
if sys.version_info < (3, 11):  # noqa: UP036  the SDK alone runs with older ones
    raise ImportError(f"the arena needs Python 3.11 or newer, and this is {sys.version.split()[0]}")
