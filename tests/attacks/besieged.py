"""A command under a flood: how much its processes grow, and whether honest visitors get answers meanwhile."""

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Final

import psutil

from tests.attacks.attack import NO_HARM, Ground, Need, Outcome

MOST_MB: Final = 64
"""How much a flood may let the command grow."""
LEFT_MB: Final = 32
"""How much of that it may keep: threads, caches and code that the first of its kind loads, but not more for more."""
CALM_S: Final = 10.0
"""How long it may take to give the rest back."""
LOOK_S: Final = 0.1
VISIT_S: Final = 2.0
"""The pause between two rounds of honest visits: each keeps a session for ten seconds, and a bot may have 16."""
RESET_PEAK: Final = "5"
"""What resets the peak of a process's resident memory (proc_pid_clear_refs(5))."""
KB_PER_MB: Final = 1024


@dataclass(frozen=True)
class Visit:
    """An honest visit during a flood."""

    where: str
    """Where it comes from, for the table."""
    unkind: Callable[[], list[str]]
    """Visits, and returns what is wrong with the answer."""
    most_s: float = inf
    """How long an answer may take."""


@dataclass(frozen=True)
class Flood:
    """An attack that is a flood of a command."""

    way: str
    siege: Callable[[Ground], Outcome]
    needs: frozenset[Need] = frozenset()
    deserves: str = NO_HARM

    def carry_out(self, ground: Ground) -> Outcome:
        """Call the function."""
        return self.siege(ground)


class _Visiting:
    """Visits in turn, which note how long the answers took and stop when one is wrong."""

    def __init__(self, visits: Sequence[Visit]) -> None:
        self._slowest_s = dict.fromkeys(visits, 0.0)
        self.harm: list[str] = []

    def go_round(self) -> None:
        """Visit once from everywhere."""
        for visit in self._slowest_s:
            begun = time.monotonic()
            self.harm += [f"from {visit.where}: {harm}" for harm in visit.unkind()]
            self._slowest_s[visit] = max(self._slowest_s[visit], time.monotonic() - begun)

    def late(self) -> list[str]:
        """Return which answers came too late."""
        late = [(visit, slowest_s) for visit, slowest_s in self._slowest_s.items() if slowest_s > visit.most_s]
        return [f"from {visit.where} an answer took {slowest_s:.1f} s" for visit, slowest_s in late]

    def figures(self) -> str:
        """Return how long the slowest answers took."""
        parts = (f"{slowest_s:.1f} s from {visit.where}" for visit, slowest_s in self._slowest_s.items())
        return f"slowest visits: {', '.join(parts)}"


def besieged(ground: Ground, way: str, port: int, pid: int, visits: Sequence[Visit], *token: str) -> Outcome:
    """Flood a port of the command with this pid, as a stranger or as the holder of a token; return how that ended."""
    _Visiting(visits).go_round()  # the first answer of a process takes memory that is not the flood's
    before = _resident_mb(pid, "VmRSS")
    for process in _processes(pid):
        Path(f"/proc/{process.pid}/clear_refs").write_text(RESET_PEAK)
    visiting = _Visiting(visits)
    harm = _flooded(ground, [way, str(port)], visiting, token)
    peak = _resident_mb(pid, "VmHWM") - before
    if peak > MOST_MB:
        harm.append(f"it grew by {peak:.0f} MB")
    give_up = time.monotonic() + CALM_S
    while (left := _resident_mb(pid, "VmRSS") - before) > LEFT_MB and time.monotonic() < give_up:
        time.sleep(LOOK_S)
    harm += [f"it keeps {left:.0f} MB after {CALM_S:g} s"] if left > LEFT_MB else []
    return Outcome("harm" if harm else NO_HARM, tuple(harm), (f"grew by {peak:.0f} MB", visiting.figures()))


def _flooded(ground: Ground, where: Sequence[str], visiting: _Visiting, token: Sequence[str]) -> list[str]:
    """Flood, and visit meanwhile until an answer is wrong; return what that broke."""
    flooding = [sys.executable, "-m", "tests.attacks.flooding", *where]
    command = [*flooding, str(ground.flood_s), str(ground.callers), *token]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as flood:
        while not visiting.harm and flood.poll() is None:
            visiting.go_round()
            with suppress(subprocess.TimeoutExpired):
                flood.wait(VISIT_S)
        toll, _ = flood.communicate()
    unreached = [] if int(toll.split()[0]) else ["the flood reached nothing"]
    return [*visiting.harm, *visiting.late(), *unreached]


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
