"""The confinement of bots, and what this machine offers for it.

The walls around a bot overlap on purpose, since no machine has all of them. A control group
(`arena/processes/groups.py`) is the real limit of memory and processes, and the only freeze that holds against
signals which the kernel sends. Landlock (`entry`) guards bwrap's processes. The system-call filter (`seccomp`)
refuses what the kernel counts by user. Root starts every bot as a user of its own, drawn at random from a range that
is not assigned: that needs no bookkeeping, and bots of all launchers stay apart. An ordinary user has no second id to
give away without setuid helpers, so there the filter alone keeps bots from the counters of others.
"""
