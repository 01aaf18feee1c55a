"""A command under a flood: how much its processes grow, and whether honest visitors get answers meanwhile."""

import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

from tests.attacks.attack import Ground

MOST_MB: Final = 64
"""How much a flood may let the command grow."""
LEFT_MB: Final = 32
"""How much of that it may keep: threads, caches and code that the first of its kind loads, but not more for more."""
CALM_S: Final = 10.0
"""How long it may take to give the rest back."""
LOOK_S: Final = 0.1
VISIT_S: Final = 1.0
"""The pause between two honest visits: each keeps a session for ten seconds, and a bot may have 16."""
RESET_PEAK: Final = "5"
"""What resets the peak of a process's resident memory (proc_pid_clear_refs(5))."""
KB_PER_MB: Final = 1024


def harm_of_flood(
    ground: Ground, way: str, port: int, pid: int, unkind: Callable[[], list[str]], *token: str
) -> list[str]:
    """Flood a port of the command with this pid, as a stranger or as the holder of a token; return what that broke.

    `unkind` is an honest visit, and returns what is wrong with the answer.
    """
    harm = unkind()  # the first answer of a process takes memory that is not the flood's
    before = _resident_mb(pid, "VmRSS")
    for process in _processes(pid):
        Path(f"/proc/{process.pid}/clear_refs").write_text(RESET_PEAK)
    flooding = [sys.executable, "-m", "tests.attacks.flooding", way]
    command = [*flooding, str(port), str(ground.flood_s), str(ground.callers), *token]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as flood:
        while not harm and flood.poll() is None:
            harm = unkind()
            with suppress(subprocess.TimeoutExpired):
                flood.wait(VISIT_S)
        toll, _ = flood.communicate()
    connections, sent = map(int, toll.split())
    if not connections:
        harm.append("the flood reached nothing")
    peak = _resident_mb(pid, "VmHWM") - before
    if peak > MOST_MB:
        harm.append(f"{connections} connections that sent {sent >> 20} MB let it grow by {peak:.0f} MB")
    give_up = time.monotonic() + CALM_S
    while (left := _resident_mb(pid, "VmRSS") - before) > LEFT_MB and time.monotonic() < give_up:
        time.sleep(LOOK_S)
    return harm + ([f"it keeps {left:.0f} MB after {CALM_S:g} s"] if left > LEFT_MB else [])


def _processes(pid: int) -> list[psutil.Process]:
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def _resident_mb(pid: int, field: str) -> float:
    """Return the resident memory of a process and its descendants, as it is (VmRSS) or was at most (VmHWM)."""
    total = 0
    for process in _processes(pid):
        with suppress(OSError):  # it has just ended
            lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))
    return total / KB_PER_MB
