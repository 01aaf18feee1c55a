"""`ballcourt machines`: shows the machines that played the matches of a tournament."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.arena.cli.flags import Json
from ballcourt.arena.cli.output import columns, dump, note, say

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The output folder.", show_default=False)],
    as_json: Json = False,
) -> None:
    """Show on which machines the matches of a tournament were played, how fast they are, and which ones stand out.

    A worker of a cluster stands out if more of its seats had faults than the same bots have elsewhere, or if its
    overhead is much larger; `ballcourt event repeat --worker` has its blocks played again.

    \b
    Example:
      ballcourt machines runs/mine
    """
    from ballcourt.arena.records.store import RecordError, read_record
    from ballcourt.arena.tournament.folder import record_files
    from ballcourt.arena.tournament.outliers import sight_of, standing_out

    records = [read_record(file) for file in record_files(folder)]
    if not records:
        raise RecordError(f"there are no records in {folder}; name the output folder of a tournament")
    found = _machines(records)
    outliers = list(standing_out([sight_of(record) for record in records if record.worker]))
    if as_json:
        dump({"machines": [asdict(machine) for machine in found], "outliers": [asdict(one) for one in outliers]})
        return
    say(columns([HEAD, *map(_row, found)]))
    for one in outliers:
        note(f"worker {one.worker} {one.sentence}")


HEAD = ("worker", "matches", "faults", "overhead", "speed", "processor", "system", "Python")


def _machines(records: Sequence[MatchRecord]) -> list[Machine]:
    from statistics import median

    from ballcourt.arena.tournament.outliers import sight_of

    kinds: defaultdict[tuple[str, str, int, str, str], list[MatchRecord]] = defaultdict(list)
    for record in records:
        host = record.host
        kinds[record.worker, host.cpu or host.machine, host.cpus, host.system, host.python].append(record)
    return [
        Machine(
            *kind,
            slowest=min(record.host.speed for record in played),
            fastest=max(record.host.speed for record in played),
            matches=len(played),
            seats=sum(len(record.entrants) for record in played),
            faults=sum(sum(sight_of(record).faults) for record in played),
            overhead_us=median(record.overhead_p50_us for record in played),
        )
        for kind, played in sorted(kinds.items())
    ]


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
