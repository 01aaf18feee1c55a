"""What this machine offers an arena: sandbox tiers, limits, processors, clock precision, versions."""

import os
import platform
import re
import shutil
import socket
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from ballcourt.arena.match.circumstances import host
from ballcourt.arena.sandbox.bubblewrap import missing, version_of
from ballcourt.arena.sandbox.cgroups import found, passed_on
from ballcourt.arena.sandbox.tiers import TIERS, unavailable

NAPS = 200
NAP_S = 0.001
ELSEWHERE = "single matches run here, and all that reads; for the rest use Linux, such as WSL 2 on Windows"
FIXED: Final = {(5, 10): 257, (5, 15): 208, (6, 1): 174, (6, 6): 141, (6, 12): 91, (6, 18): 33, (7, 0): 10}
"""The release of each series of Linux that has the newest fix of the holes in docs/pages/explanation/threats.md."""
FIXED_SINCE: Final = (7, 1)
NEWEST_HOLE: Final = "CVE-2026-46300"
LIBRARIES = ("ballcourt", "grpcio", "protobuf", "trueskill")


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: `value` in words; `advice` says what to do if something could be better."""

    topic: str
    name: str
    value: str
    advice: str = ""


def unfixed(release: str) -> str:
    """Return what to do about a kernel that may lack the newest fix; empty if its release has it."""
    major, minor, patch, *_ = [*map(int, re.findall(r"\d+", release)[:3]), 0, 0, 0]
    if (major, minor) >= FIXED_SINCE or patch >= FIXED.get((major, minor), sys.maxsize):
        return ""
    having = ", ".join(f"{series[0]}.{series[1]}.{first}" for series, first in FIXED.items())
    newest = ".".join(map(str, FIXED_SINCE))
    return (
        f"the fix of {NEWEST_HOLE} came with {having} and {newest}: update the kernel, "
        "unless your distribution says that it has put the fix into this one"
    )


def tiers() -> dict[int, str]:
    """Return for each sandbox tier why this machine cannot offer it; empty if it can."""
    return {tier: unavailable(tier) for tier in TIERS}


def findings() -> list[Finding]:
    """Examine everything; takes about a second."""
    if sys.platform != "linux":
        return [Finding("sandbox", "tier 0", "plain processes without limits", ELSEWHERE), *_clock(), *_versions()]
    return [*_sandbox(), *_limits(), *_sockets(), *_processors(), *_clock(), *_versions()]


def _sandbox() -> list[Finding]:
    what = {
        0: "plain processes with limits",
        1: "bubblewrap: no network, own files and processes only",
        2: "gVisor: as tier 1, with a kernel of its own for each bot",
    }
    return [
        Finding("sandbox", f"tier {tier}", f"{what[tier]}: {'not available' if reason else 'available'}", reason)
        for tier, reason in tiers().items()
    ] + [Finding("sandbox", "kernel", f"Linux {platform.release()}", unfixed(platform.release()))]


def _limits() -> list[Finding]:
    from ballcourt.arena.sandbox.walls import walls  # other systems lack what it looks at

    confined = not missing()
    return [
        Finding("limits", "memory of a process", "by RLIMIT_DATA"),
        Finding("limits", "memory of a bot", _memory()),
        Finding("limits", "processes", "by RLIMIT_NPROC in a user namespace" if confined else "none without tier 1"),
        Finding("limits", "disk", "files by RLIMIT_FSIZE" + (", /tmp and /dev/shm by size" if confined else "")),
        *(Finding("limits", wall.name, wall.how, wall.lacking) for wall in walls()),
    ]


def _memory() -> str:
    return "by control group" if passed_on(found()).memory else "by looking at its processes five times a second"


def _sockets() -> list[Finding]:
    folder = tempfile.gettempdir()
    with tempfile.TemporaryDirectory(prefix="ballcourt-") as place, socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.bind(f"{place}/probe")
        except OSError as error:
            return [Finding("sockets", "Unix sockets", f"cannot be made in {folder}: {error}", "set TMPDIR to another")]
    return [Finding("sockets", "Unix sockets", f"work in {folder}")]


def _processors() -> list[Finding]:
    usable, there = len(os.sched_getaffinity(0)), os.cpu_count() or 0
    load = os.getloadavg()[0]
    busy = "other programs slow bots down; results with tight clocks suffer" if load > usable else ""
    return [
        Finding("processors", "usable", f"{usable} of {there}"),
        Finding("processors", "load", f"{load:.1f} over the last minute", busy),
    ]


def _clock() -> list[Finding]:
    late = sorted(_lateness_us() for _ in range(NAPS))
    half, nearly_all = late[NAPS // 2], late[NAPS * 99 // 100]
    coarse = "the clock's grace_ms should be larger than that" if nearly_all > 10_000 else ""
    return [
        Finding("clock", "resolution", f"{time.get_clock_info('perf_counter').resolution * 1e9:.0f} ns"),
        Finding("clock", "timers late by", f"median {half:.0f} µs, 99th percentile {nearly_all:.0f} µs", coarse),
    ]


def _lateness_us() -> float:
    begun = time.perf_counter()
    time.sleep(NAP_S)
    return (time.perf_counter() - begun - NAP_S) * 1e6


def _versions() -> list[Finding]:
    compiled = host().compiled_rules
    faster = "" if compiled else "BALLCOURT_COMPILE=1 pip install . makes them several times faster"
    return [
        Finding("versions", "rules", "compiled" if compiled else "interpreted", faster),
        Finding("versions", "python", f"{platform.python_version()} on {platform.system()} {platform.release()}"),
        *(Finding("versions", library, _version(library)) for library in LIBRARIES),
        Finding("versions", "bubblewrap", _bubblewrap()),
    ]


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def _bubblewrap() -> str:
    if not shutil.which("bwrap"):
        return "not installed"
    return version_of("bwrap").removeprefix("bubblewrap ")
