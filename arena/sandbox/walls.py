"""What a machine lacks of the walls around confined bots, what each would give, and how to get it."""

import os
from dataclasses import dataclass

from ballcourt.arena.sandbox import cgroups, entry
from ballcourt.arena.sandbox.bubblewrap import proxy_failure
from ballcourt.arena.sandbox.tiers import SandboxError, unavailable

DELEGATION = "start the arena with: systemd-run --user --scope -p Delegate=yes ballcourt ..."
AS_ROOT = (
    "mount the control groups writable (docker run --privileged), or start it with: systemd-run --scope -p Delegate=yes"
)


@dataclass(frozen=True)
class Wall:
    """Something that the kernel enforces, if this machine has it."""

    name: str
    how: str
    """How it is done here."""
    lacking: str = ""
    """What bots can do because it is missing, and how to get it; empty if it is there."""


def walls() -> list[Wall]:
    """Examine this machine; as in play, our own processes may move into a control group of theirs."""
    places = cgroups.passed_on(cgroups.found())
    remedy = AS_ROOT if os.geteuid() == 0 else DELEGATION
    return [
        _wall("frozen bots", places.freezer, "by SIGSTOP; one that continues itself is at fault", remedy),
        _wall(
            "memory of the kernel",
            places.memory,
            "not counted: a bot may fill it with sockets and files",
            remedy,
        ),
        _wall("all processes", places.pids, "by RLIMIT_NPROC, which is for one user in one namespace", remedy),
        _wall("fair processors", places.cpu, "by session: a bot that makes many slows others down", remedy),
        _landlock(),
        _network(),
    ]


def _wall(name: str, group: object, otherwise: str, remedy: str) -> Wall:
    return Wall(name, "by control group") if group else Wall(name, otherwise, remedy)


def _landlock() -> Wall:
    known = entry.version()
    if known >= entry.SCOPED:
        return Wall("Landlock", "bots can neither trace nor signal the processes of their sandbox")
    if known >= entry.REFERRING:
        return Wall("Landlock", "bots can signal the processes of their sandbox, but not trace them", "use Linux 6.12")
    return Wall("Landlock", "missing: bots may trace the processes of their sandbox", "use Linux 6.12 or newer with it")


def _network() -> Wall:
    name = "network of builds"
    if sentence := proxy_failure():
        return Wall(name, "not confined: without that, none is built in a sandbox", sentence)
    return Wall(name, "a namespace for each, with a proxy to registries as its one way out")


def lacking() -> str:
    """Return which walls are missing and how to get them, as one sentence; empty if none is."""
    return "; ".join(f"{wall.name}: {wall.how} ({wall.lacking})" for wall in walls() if wall.lacking)


def shortcoming(tier: int) -> str:
    """Return why this machine cannot enforce all that a tier promises; empty if it can.

    Tier 2 needs the walls of tier 1 too: archives are unpacked behind them, and bots are in the same control groups.
    """
    sentence = unavailable(tier) or lacking()
    return f"not everything that sandbox tier {tier} promises can be enforced here: {sentence}" if sentence else ""


def demand(tier: int) -> None:
    """Raise SandboxError if bots are not confined, or if the tier or one of its walls is missing."""
    if not tier:
        raise SandboxError("--strict: bots would not be confined at all in sandbox tier 0; give --sandbox 1 or 2")
    if sentence := shortcoming(tier):
        raise SandboxError(f"--strict: {sentence}")
