"""Processes, files and mounts that an attack left on the machine."""

from pathlib import Path

from tests.arena.conftest import BOTS, Traces
from tests.bots.prying import TREASURE

WRITABLE = (Path("/tmp"), Path("/dev/shm"), Path("/var/tmp"), BOTS)


def remains(traces: Traces) -> list[str]:
    """List what is left of the bots and workers that were started under the folder of these traces."""
    files = [path for place in WRITABLE for path in place.glob(f"{TREASURE}*")]
    mounts = [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if str(traces.folder) in line]
    return [*traces.processes().values(), *map(str, (*traces.folder.iterdir(), *files)), *mounts]
