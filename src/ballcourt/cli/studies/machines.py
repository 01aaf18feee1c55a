"""`ballcourt study machines`: shows the machines that played the matches of a tournament."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated

from ballcourt.arena.records.machines import MachineKind, kind_of
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.arena.tournament.playing.outliers import Sight, sight_of, standing_out
from ballcourt.cli.declaring import argument
from ballcourt.cli.flags import Json
from ballcourt.cli.output import columns, dump, note, say
from ballcourt.v1.record_pb2 import MatchRecord


@dataclass(frozen=True, slots=True)
class Machine:
    """The matches that one worker, or the runner's own machine, has played on one kind of machine."""

    worker: str
    """Empty: the runner's own machine."""
    cpu: str
    cpus: int
    system: str
    python: str
    slowest: float
    """The lowest and the highest speed that was measured."""
    fastest: float
    matches: int
    seats: int
    faults: int
    """Seats with a fault, forgiven ones included."""
    overhead_us: float
    """The median, over matches, of the arena's own time around a decision."""


def machines(
    folder: Annotated[Path, argument("FOLDER", "The output folder.")],
    as_json: Json = False,
) -> None:
    """Show on which machines the matches of a tournament were played, how fast they are, and which ones stand out.

    A worker of a cluster stands out if more of its seats had faults than the same bots have elsewhere, or if its
    overhead is much larger; `ballcourt event repeat --worker` has its blocks played again.

    \b
    Example:
      ballcourt study machines runs/mine
    """
    seen: defaultdict[tuple[str, MachineKind], _Seen] = defaultdict(_Seen)
    for file in record_files(folder):
        record = read_record(file)
        seen[record.worker, kind_of(record.host)].add(record)
    if not seen:
        raise RecordError(f"there are no records in {folder}; name the output folder of a tournament")
    found = [there.machine(*where) for where, there in sorted(seen.items())]
    outliers = list(standing_out([sight for (worker, _), there in seen.items() if worker for sight in there.sights]))
    if as_json:
        dump({"machines": found, "outliers": outliers})
        return
    say(columns([HEAD, *map(_row, found)]))
    for one in outliers:
        note(f"worker {one.worker} {one.sentence}")


HEAD = ("worker", "matches", "faults", "overhead", "speed", "processor", "system", "Python")


class _Seen:
    """What is kept of the records of one worker on one kind of machine; a record itself may be large."""

    def __init__(self) -> None:
        self.sights: list[Sight] = []
        self._speeds: list[float] = []
        self._overheads: list[float] = []

    def add(self, record: MatchRecord) -> None:
        """Count a record."""
        self.sights.append(sight_of(record))
        self._speeds.append(record.host.speed)
        self._overheads.append(record.overhead_p50_us)

    def machine(self, worker: str, kind: MachineKind) -> Machine:
        """Sum up the records."""
        return Machine(
            worker,
            *kind,
            slowest=min(self._speeds),
            fastest=max(self._speeds),
            matches=len(self.sights),
            seats=sum(len(sight.faults) for sight in self.sights),
            faults=sum(sum(sight.faults) for sight in self.sights),
            overhead_us=median(self._overheads),
        )


def _row(machine: Machine) -> tuple[str, ...]:
    speeds = dict.fromkeys(f"{speed:g}" for speed in (machine.slowest, machine.fastest))
    return (
        machine.worker or "-",
        str(machine.matches),
        f"{machine.faults} of {machine.seats}",
        f"{machine.overhead_us / 1000:.2f} ms",
        " to ".join(speeds),
        f"{machine.cpus} x {machine.cpu}",
        machine.system,
        machine.python,
    )
