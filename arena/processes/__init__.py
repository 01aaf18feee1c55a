"""Bot processes and builds, started, watched, stopped and ended by a launcher that never loads gRPC.

Each generation of processes (the drawing is in ARCHITECTURE.md) has a reason:

- Worker: a referee must not wait for another's rules or crash with another's bug; a worker that dies voids only its
  blocks, which are played again. Bots that play several matches in one process (`matches` in bot.toml) make a worker
  play several at a time; a gate (`arena/match/gate.py`) then lets one process think at a time, so that no bot pays
  for another's thinking. Whatever ends such a process ends its seats in all its matches: playing them again would let
  a bot that is losing one of them try again.
- Launcher: starting processes from one that runs gRPC's threads can hang. The kernel also ties a child's death signal
  to the thread that started it, so the launcher has exactly one. It starts bots under the scheduling policy
  SCHED_BATCH: they get their usual share of the processors, but a bot that wakes up does not preempt the referee.
- Keeper: a worker may be killed together with its launcher. The keeper is the subreaper that orphans fall to; when it
  exits, the machine is clean.
- bwrap: its end takes along everything that a bot started, daemons included.

What plays without a launcher takes `open_starter` of `plain`. It imports on Windows too: `tests/windows` takes away
from Python what Windows lacks.
"""
