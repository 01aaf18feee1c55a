"""Attacks on the machine's processes, memory, disk and processors."""

from dataclasses import replace

from ballcourt.arena.workers.runner import Runner
from tests.arena.conftest import fixture_bot
from tests.arena.matches import match_of
from tests.attacks.attack import SMALL, Ground, deed
from tests.attacks.in_match import GAME, HONEST, ONLY_CONFINED, OPTIONS, PATIENT, SAME_KERNEL, SEED, InMatch

SWEEPING = "sweeping.py"
CAP = replace(PATIENT, cap_ms=3000, grace_ms=100)
NEIGHBOURS = 4


@deed("hogs the memory bus")
def _hogs_the_memory_bus(ground: Ground) -> list[str]:
    """Read memory as fast as it comes for as long as the clock allows, while others have to read some in time."""
    hogs = (fixture_bot(SWEEPING, "seconds", "2"), fixture_bot(SWEEPING, "seconds", "2"))
    tables = [hogs, *([(fixture_bot(SWEEPING, "times", "5"), fixture_bot(HONEST))] * NEIGHBOURS)]
    matches = [
        match_of(str(number), GAME, OPTIONS, SEED, table, CAP, sandbox=ground.sandbox)
        for number, table in enumerate(tables)
    ]
    with Runner(workers=2, matches_per_worker=1) as runner:
        records = [*runner.run(matches)]
    return [f"cost a seat of match {record.key}: {fault.detail}" for record in records for fault in record.faults]


ATTACKS = (
    _hogs_the_memory_bus,
    InMatch("fork bomb", "OK", needs=SAME_KERNEL),  # in gVisor it ends the bot
    InMatch("memory hog", "OUT_OF_MEMORY", "ran out of memory", needs=ONLY_CONFINED),
    InMatch("hog of shared memory", "OUT_OF_MEMORY", "MB of memory; at most 256", needs=ONLY_CONFINED),
    InMatch("disk filler", "OK", needs=ONLY_CONFINED),
    InMatch("/dev/shm filler", "OK", needs=ONLY_CONFINED),
    InMatch("spins outside its turn", "OK"),
    InMatch("floods its output", "OK"),
    InMatch("100 MB message", "CRASH", "stream ended", limits=replace(SMALL, memory_mb=1024)),
)
