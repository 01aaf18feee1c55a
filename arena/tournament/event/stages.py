"""The stages of a ladder: which tables it chose and how their matches ended, in a file that only grows.

Each line of `stages.jsonl` is a JSON object: a stage that was chosen, or the results of one that has been played. A
ladder never chooses a stage twice, so its past depends neither on the version of this program nor on when bots arrived.
The results are those of the records; they are here so that a ladder need not read all its records when it goes on.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ballcourt.arena.tournament.event.json_lines import append, cut_unfinished, damaged, read_lines
from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    EqualBlocks,
    Field,
    Outcomes,
    PlayedBlock,
    PlayedMatch,
    SeatOutcome,
    keyed_seatings,
)
from ballcourt.engine.core import WrongInput

STAGES: Final = "stages.jsonl"
LADDER: Final = "ladder"
"""The format that the manifest of a ladder names."""
NO_END: Final = 10**12
"""The number of blocks of a ladder: those that can be named."""

Divisions = tuple[tuple[int, ...], ...]
"""Who is in each division, by index, the highest first."""
Results = Mapping[str, Sequence[SeatOutcome]]
"""How the matches of a stage ended that count, by key."""


class StagesError(WrongInput):
    """The stages of a ladder cannot be read or written; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Blocks that are played before results decide anything."""

    number: int
    first_block: int
    tables: tuple[tuple[int, ...], ...]
    """The entrants of each block, by index, in the order in which they sit around the table."""
    across: int
    """How many of the tables, the first ones, were drawn across the field."""
    divisions: Divisions
    """As they were when the stage was chosen."""

    @property
    def end(self) -> int:
        """The first block that belongs to a later stage."""
        return self.first_block + len(self.tables)

    def blocks(self, field: Field) -> Iterator[Block]:
        """Yield its blocks."""
        for index, table in enumerate(self.tables, start=self.first_block):
            yield field.rotated(index, self.number, table)


def ladder_field(entrants: int, seats: int) -> Field:
    """Return the field of a ladder; before it has enough bots for a table, nobody plays in it."""
    return Field(max(entrants, seats), seats)


class WrittenSchedule(EqualBlocks):
    """The part of a ladder's schedule that has been chosen."""

    blocks = NO_END
    is_exact = False
    is_fixed = True
    can_be_extended = False
    can_be_joined = False
    round_size = 1

    def __init__(self, folder: Path, field: Field) -> None:
        self._folder = folder
        self._field = field
        self.block_size = field.group_size

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return all blocks so far, or none once there are results. Raises StagesError."""
        if results:
            return
        for stage, _ in read_stages(self._folder):
            yield from stage.blocks(self._field)

    def placing(self, results: Sequence[PlayedBlock]) -> Sequence[int]:
        """Return none."""
        return ()


def choose(folder: Path, stage: Stage) -> None:
    """Add a stage, on disk when this returns. Raises OSError."""
    divisions = [list(division) for division in stage.divisions]
    values = {"stage": stage.number, "first_block": stage.first_block, "tables": stage.tables}
    _append(folder / STAGES, {**values, "across": stage.across, "divisions": divisions})


def settle(folder: Path, stage: Stage, outcomes: Outcomes) -> None:
    """Add the results of a stage, on disk when this returns. Raises OSError."""
    places = {key: [seat.placement for seat in seats] for key, seats in outcomes.items()}
    faults = {key: [number for number, seat in enumerate(seats) if seat.fault] for key, seats in outcomes.items()}
    found = {key: seats for key, seats in faults.items() if seats}
    _append(folder / STAGES, {"stage": stage.number, "places": places, **({"faults": found} if found else {})})


def read_stages(folder: Path) -> Iterator[tuple[Stage, Results | None]]:
    """Yield the stages of a ladder in order, each with its results; the last may have none yet. Raises StagesError."""
    chosen: Stage | None = None
    for line, values in read_lines(folder / STAGES, StagesError):
        try:
            if "tables" in values:
                chosen = _stage(values)
            elif chosen and values["stage"] == chosen.number:
                yield chosen, _results(values)
                chosen = None
            else:
                raise ValueError(values["stage"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise damaged(folder / STAGES, line, StagesError) from error
    if chosen:
        yield chosen, None


def played_blocks(stage: Stage, results: Results, field: Field) -> list[PlayedBlock]:
    """Return the blocks of a stage with the matches that count."""
    return [
        PlayedBlock(
            block,
            tuple(
                PlayedMatch(key, table, tuple(results[key])) for key, table in keyed_seatings(block) if key in results
            ),
        )
        for block in stage.blocks(field)
    ]


def _stage(values: Mapping[str, Any]) -> Stage:
    tables, divisions = (
        tuple(tuple(map(int, entrants)) for entrants in values[name]) for name in ("tables", "divisions")
    )
    return Stage(int(values["stage"]), int(values["first_block"]), tables, int(values["across"]), divisions)


def _results(values: Mapping[str, Any]) -> Results:
    faults = values.get("faults", {})
    return {
        key: tuple(SeatOutcome(int(place), 0.0, seat in faults.get(key, ())) for seat, place in enumerate(places))
        for key, places in values["places"].items()
    }


def _append(path: Path, values: Mapping[str, object]) -> None:
    """Write a line, in place of one that was cut short, and wait until it is on disk."""
    with path.open("a+b") as file:
        cut_unfinished(file)
        append(file, [json.dumps(values, separators=(",", ":"))])
