"""Which machine played a match, as its record says."""

from typing import NamedTuple

from ballcourt.v1.record_pb2 import Host


class MachineKind(NamedTuple):
    """A kind of machine: matches that were played on one kind have comparable times."""

    cpu: str
    """The processor's name, or its architecture where the system does not report it."""
    cpus: int
    system: str
    python: str


def kind_of(host: Host) -> MachineKind:
    """Return the kind of a machine."""
    return MachineKind(host.cpu or host.machine, host.cpus, host.system, host.python)
