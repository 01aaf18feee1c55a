"""Attacks on the machine's processes, memory, disk and processors."""

from dataclasses import replace

from tests.attacks.attack import SMALL
from tests.attacks.in_match import ONLY_CONFINED, SAME_KERNEL, InMatch

ATTACKS = (
    InMatch("fork bomb", "OK", needs=SAME_KERNEL),  # in gVisor it ends the bot
    InMatch("memory hog", "OUT_OF_MEMORY", "ran out of memory", needs=ONLY_CONFINED),
    InMatch("hog of shared memory", "OUT_OF_MEMORY", "MB of memory; at most 256", needs=ONLY_CONFINED),
    InMatch("disk filler", "OK", needs=ONLY_CONFINED),
    InMatch("/dev/shm filler", "OK", needs=ONLY_CONFINED),
    InMatch("spins outside its turn", "OK"),
    InMatch("floods its output", "OK"),
    InMatch("100 MB message", "CRASH", "stream ended", limits=replace(SMALL, memory_mb=1024)),
)
