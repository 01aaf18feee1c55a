"""Positive controls: each attack does harm where the wall is open that it tests, so that its failure elsewhere counts.

An attack is carried out, arena and all, on a machine of its own: namespaces that end with it, where it can write to
files in memory alone, and a control group that bounds its processes and its memory. The wall is the sandbox, and open
in tier 0, or one of `tests.attacks.openings`.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ballcourt.arena.processes.groups import Group, Groups
from ballcourt.arena.sandbox.cgroups import found
from tests.attacks.opened.sitecustomize import OPENED
from tests.attacks.openings import Opening

ROOT = Path(__file__).parents[2]
ENCLOSED = "BALLCOURT_ATTACKS_ENCLOSED"
"""Is set where an attack may do all the harm that it can."""
MEMORY_MB, PROCESSES = 2048, 512
PATIENCE_S = 60
"""An attack that has not ended after this many seconds has done harm, if that is what it is about."""
LONGEST_S = 600
"""How long others may take."""
NOT_CARRIED_OUT = 3
NO_PROCESS_LEFT = "can't start new thread"
"""What Python says where an attack has used up all processes of its machine."""


def harms(way: str, opening: Opening | None = None) -> bool:
    """Return whether an attack does harm in tier 0, or where a wall is open, be it that it ends what observes it.

    Raises RuntimeError if it could not be carried out.
    """
    opened = ("--setenv", OPENED, json.dumps(opening.changes)) if opening else ()
    path = ("--setenv", "PYTHONPATH", str(ROOT / "tests" / "attacks" / "opened"))
    tier = opening.tier if opening else 0
    attack = [sys.executable, "-m", "tests.attacks", "--flood", "8", "--tier", str(tier), way]
    with _group() as group:
        process = subprocess.Popen(
            [*_enclosure(tier), *opened, *path, *attack],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=group.enter,
        )
        try:
            is_endless = opening is None or opening.is_endless
            printed, _ = process.communicate(timeout=PATIENCE_S if is_endless else LONGEST_S)
        except subprocess.TimeoutExpired:
            return is_endless
        finally:
            process.kill()
            group.kill()
            process.wait()
    if process.returncode == NOT_CARRIED_OUT and NO_PROCESS_LEFT not in printed:
        raise RuntimeError(f"the attack {way!r} was not carried out: {printed[-1000:]}")
    return process.returncode != 0 and (opening is None or bool(re.search(opening.ways[way], printed)))


def _enclosure(tier: int = 0) -> list[str]:
    """Return what begins a machine of its own; in tier 1 the sandbox, which confines attacks, needs rights of root."""
    users = ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--cap-add", "ALL"] if tier else ["--unshare-all"]
    return [
        *("bwrap", *users, "--die-with-parent", "--new-session", "--ro-bind", "/", "/"),
        *("--dev", "/dev", "--proc", "/proc"),
        *(word for place in ("/dev/shm", "/tmp", "/var/tmp") for word in ("--size", "600000000", "--tmpfs", place)),
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
