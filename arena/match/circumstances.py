"""When and on what a match is played, as its record says. Nothing here identifies a machine or its owner."""

import os
import platform
import sys
import time
from functools import cache
from pathlib import Path

import ballcourt.engine.core.state
from ballcourt.engine.core import Game
from ballcourt.engine.registry import distribution_of
from ballcourt.v1.record_pb2 import Host, Package

CPUINFO = Path("/proc/cpuinfo")


def now() -> str:
    """Return the time in UTC, to the second, as records write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


@cache
def host() -> Host:
    """Describe this machine."""
    return Host(
        system=f"{platform.system()} {platform.release()}",
        machine=platform.machine(),
        cpu=_cpu_model(),
        cpus=len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        compiled_rules=not str(ballcourt.engine.core.state.__file__).endswith(".py"),
    )


@cache
def rules_package(game: Game) -> Package:
    """Return the distribution that holds a game's rules; empty if it belongs to none."""
    name, version = distribution_of(game)
    return Package(name=name, version=version)


def _cpu_model() -> str:
    """Return the model of the processor, empty if the system does not say."""
    try:
        lines = CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    named = (line.partition(":")[2].strip() for line in lines if line.lower().startswith("model name"))
    return next(named, platform.processor())
