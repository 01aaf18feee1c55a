"""Control groups of the kernel: where this machine lets the arena make some.

A group limits what no limit on single processes counts: the memory of all its processes together with what the kernel
holds on their behalf (sockets, page tables, semaphores, files in memory), their number whatever they do to each other,
and their share of the processors: without groups, each session of processes has one share, so a bot with many has many.
A frozen group runs again only when it is thawed, whatever signals its processes have arranged for themselves.

Version 2 of control groups has everything in one tree. It can be had where systemd has delegated our part of it; for
limits alone does it need that, not for freezing. Version 1 has a tree per controller, for root. Many machines have
version 1 for limits, and version 2 besides.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ARENA = "ballcourt-arena"
"""The group that the arena's own processes move to in version 2, as a group that passes on controllers has none."""
PROCS, CONTROLLERS, SUBTREE = "cgroup.procs", "cgroup.controllers", "cgroup.subtree_control"
MEMORY, PIDS, CPU = "memory", "pids", "cpu"
LIMITED = (MEMORY, PIDS, CPU)
"""The controllers that limit what is in a group."""
TRIES = 10  # processes may start while others are moved
DELEGATED = ("user.delegate", "trusted.delegate")
"""The extended attributes by which systemd marks a group that it has delegated."""


@dataclass(frozen=True)
class Places:
    """The groups in which we may make others, by what these can do; None where there is none."""

    freezer: Path | None = None
    """For freezing and killing all processes of a group at once, and for their CPU time."""
    memory: Path | None = None
    pids: Path | None = None
    cpu: Path | None = None
    """For one share of the processors, however many processes and sessions a group has."""

    def all(self) -> list[Path]:
        """List the places without repetition."""
        return [*dict.fromkeys(place for place in (self.freezer, *self.limited()) if place)]

    def limited(self) -> tuple[Path | None, ...]:
        """Return the places by controller, as `LIMITED` names these."""
        return self.memory, self.pids, self.cpu


def found(processes: Path = Path("/proc/self")) -> Places:
    """Return where we may make groups; changes nothing."""
    by_controller = dict(own_groups(processes))
    whole = by_controller.get("")
    place = whole.parent if whole and whole.name == ARENA else whole
    passed_on = _controllers(place) if place else set()
    limited = (place if name in passed_on else by_controller.get(name) for name in LIMITED)
    return Places(*(group if group and _is_ours(group) else None for group in (place, *limited)))


def passed_on(places: Places) -> Places:
    """Have the groups in these places use their controllers; return the places without those that are refused.

    Raises OSError.
    """
    limited = zip(LIMITED, places.limited(), strict=True)
    return Places(places.freezer, *(place if place and _is_passed_on(place, name) else None for name, place in limited))


def _is_passed_on(group: Path, controller: str) -> bool:
    """Have the groups in this one use a controller; return whether they do, as all of version 1 do. Raises OSError.

    A group with processes cannot do that, so they move to one inside it. Only the root of all groups may keep them.
    """
    for _ in range(TRIES):
        if not (group / SUBTREE).exists() or controller in text(group / SUBTREE).split():
            return True
        try:
            if (group / "cgroup.type").exists():
                _move(text(group / PROCS).split(), group / ARENA)
            write(group / SUBTREE, f"+{controller}")  # in one write with others, none is used if one is refused
        except OSError as error:
            if error.errno != errno.EBUSY:
                return False
    raise OSError(errno.EBUSY, f"processes keep coming into {group}")


def _move(pids: list[str], group: Path) -> None:
    if pids:
        group.mkdir(exist_ok=True)
    for pid in pids:
        with suppress(ProcessLookupError):
            write(group / PROCS, pid)


def own_groups(process: Path = Path("/proc/self")) -> Iterator[tuple[str, Path]]:
    """Yield the folder of our group for each controller of version 1, and for "", version 2."""
    mounted = [*_mounted(process)]
    for line in lines(process / "cgroup"):
        _, names, path = line.split(":", 2)
        for name in names.split(","):
            for controllers, root, point in mounted:
                if name in controllers and Path(path).is_relative_to(root) and ".." not in Path(path).parts:
                    yield name, point / Path(path).relative_to(root)
                    break


def _mounted(process: Path) -> Iterator[tuple[list[str], str, Path]]:
    """Yield the controllers, the root and the mount point of each tree of groups."""
    for line in lines(process / "mountinfo"):
        mount, _, source = line.partition(" - ")
        root, point = (word.replace(r"\040", " ") for word in mount.split()[3:5])  # the kernel escapes spaces
        kind, _, options = source.split(" ", 2)
        if kind == "cgroup2":
            yield [""], root, Path(point)
        elif kind == "cgroup":
            yield options.split(","), root, Path(point)


def _controllers(place: Path) -> set[str]:
    """Return the controllers of version 2 that groups in this one have, or would have if we passed them on."""
    passed_on = set(text(place / SUBTREE).split())
    return set(text(place / CONTROLLERS).split()) if passed_on or _is_delegated(place) else passed_on


def _is_delegated(place: Path) -> bool:
    for attribute in DELEGATED:
        with suppress(OSError):
            if os.getxattr(place, attribute) == b"1":
                return True
    return False


def _is_ours(group: Path) -> bool:
    """Whether we may make groups in this one and move our processes there."""
    return os.access(group, os.W_OK | os.X_OK) and os.access(group / PROCS, os.W_OK)


def lines(file: Path) -> list[str]:
    """Read the lines of a file of the kernel; none if there is no such file."""
    return text(file).splitlines()


def text(file: Path) -> str:
    """Read a file of the kernel; empty if there is no such file."""
    try:
        return file.read_text()
    except OSError:
        return ""


def write(file: Path, value: str) -> None:
    """Write to a file of the kernel, which has to be one call. Raises OSError."""
    handle = os.open(file, os.O_WRONLY)
    try:
        os.write(handle, value.encode())
    finally:
        os.close(handle)
