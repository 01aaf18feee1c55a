"""Positive controls: each attack on the sandbox does harm where there is none, so its failure elsewhere says something.

An attack is carried out in tier 0, arena and all, on a machine of its own: namespaces that end with it, where it can
write to files in memory alone, and a control group that bounds its processes and its memory.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ballcourt.arena.processes.groups import Group, Groups
from ballcourt.arena.sandbox.cgroups import found

ROOT = Path(__file__).parents[2]
ENCLOSED = "BALLCOURT_ATTACKS_ENCLOSED"
"""Is set where an attack may do all the harm that it can."""
MEMORY_MB, PROCESSES = 2048, 512
PATIENCE_S = 60
"""An attack that has not ended after this many seconds has done harm."""
NOT_CARRIED_OUT = 3
NO_PROCESS_LEFT = "can't start new thread"
"""What Python says where an attack has used up all processes of its machine."""


def harms(way: str) -> bool:
    """Return whether an attack does harm in tier 0, be it that it ends what observes it.

    Raises RuntimeError if it could not be carried out.
    """
    with _group() as group:
        command = [*_enclosure(), sys.executable, "-m", "tests.attacks", "--tier", "0", way]
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=group.enter
        )
        try:
            printed, _ = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            return True
        finally:
            process.kill()
            group.kill()
            process.wait()
    if process.returncode == NOT_CARRIED_OUT and NO_PROCESS_LEFT not in printed:
        raise RuntimeError(f"the attack {way!r} was not carried out: {printed[-1000:]}")
    return process.returncode != 0


def _enclosure() -> list[str]:
    return [
        *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/", "/"),
        *("--dev", "/dev", "--proc", "/proc"),
        *(word for place in ("/dev/shm", "/tmp", "/var/tmp") for word in ("--size", "200000000", "--tmpfs", place)),
        *("--setenv", ENCLOSED, "1", "--setenv", "HOME", "/tmp"),
    ]


@contextmanager
def _group() -> Iterator[Group]:
    """Make a control group with bounds. Raises OSError."""
    groups = Groups(found())
    group = groups.new(MEMORY_MB, PROCESSES)
    try:
        yield group
    finally:
        groups.release(group)
        groups.close()


def is_enclosed() -> bool:
    """Return whether this process runs on a machine of its own."""
    return bool(os.environ.get(ENCLOSED))
