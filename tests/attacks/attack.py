"""What an attack is, and the ground it is carried out on."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Protocol

from ballcourt.arena.sandbox.cgroups import found
from ballcourt.arena.sandbox.tiers import BUILD, GVISOR, Limits, Sandbox
from tests.arena.conftest import Traces
from tests.attacks.controls import is_enclosed

NO_HARM = "no harm"
SMALL = Limits(memory_mb=256, processes=48, file_mb=16, tmp_mb=32)
SMALL_BUILD = replace(BUILD, memory_mb=256, processes=48, disk_mb=32, fetch_mb=1)


def in_tier(tier: int, limits: Limits) -> Sandbox:
    """Return the confinement of bots in a tier; tier 0 has no limits."""
    return Sandbox(tier, limits, build=SMALL_BUILD) if tier else Sandbox()


class Need(Enum):
    """What an attack needs so that it can be carried out, or so that it does not harm this machine."""

    CONFINEMENT = "bots in the sandbox"
    ROOT = "an arena that root runs"
    MEMORY_GROUPS = "control groups for the memory of bots"
    CPU_GROUPS = "control groups for the processors"
    SAME_KERNEL = "bots that use the kernel of this machine"


@dataclass(frozen=True)
class Outcome:
    """How an attack ended: one word for the table, every promise of the arena that it broke, and figures."""

    seen: str
    problems: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ground:
    """The machine an attack is carried out on: how bots are confined, and what a run leaves behind."""

    traces: Traces
    tier: int
    flood_s: float = 10.0
    """How long a flood goes on."""
    callers: int = 20
    """How many connections end it before."""

    @property
    def sandbox(self) -> Sandbox:
        """How bots are confined, with small limits."""
        return in_tier(self.tier, SMALL)

    def lacks(self, attack: "Attack") -> list[str]:
        """Return what is missing here, so that the attack cannot be carried out without harm to the machine."""
        had = {
            Need.CONFINEMENT: self.tier > 0,
            Need.ROOT: os.geteuid() == 0,
            Need.MEMORY_GROUPS: bool(found().memory),
            Need.CPU_GROUPS: bool(found().cpu),
            Need.SAME_KERNEL: self.tier < GVISOR,
        }
        return [] if is_enclosed() else [need.value for need in Need if need in attack.needs and not had[need]]

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Provide an empty folder that is removed at the end, outside of the one that `traces` watches."""
        with tempfile.TemporaryDirectory(prefix="attack-", dir="/tmp") as folder:
            yield Path(folder)


class Attack(Protocol):
    """An attack on the arena, its host or another bot."""

    @property
    def way(self) -> str:
        """Return its name, unique among all attacks."""

    @property
    def deserves(self) -> str:
        """Return how it must end: what `Outcome.seen` is then."""

    @property
    def needs(self) -> frozenset[Need]:
        """Return what it needs."""

    def carry_out(self, ground: Ground) -> Outcome:
        """Attack, and return how it ended."""


@dataclass(frozen=True)
class Deed:
    """An attack that is a function. It attacks and returns the promises that were broken, a sentence each."""

    way: str
    harms: Callable[[Ground], list[str]]
    needs: frozenset[Need] = field(default_factory=frozenset)
    deserves: str = NO_HARM

    def carry_out(self, ground: Ground) -> Outcome:
        """Call the function."""
        problems = self.harms(ground)
        return Outcome("harm" if problems else NO_HARM, tuple(problems))


def deed(way: str, *needs: Need) -> Callable[[Callable[[Ground], list[str]]], Deed]:
    """Make an attack of the decorated function."""
    return lambda harms: Deed(way, harms, frozenset(needs))
