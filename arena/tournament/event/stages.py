"""The stages of a ladder: which tables it chose and how their matches ended, in a file that only grows.

Each line of `stages.jsonl` is a JSON object: a stage that was chosen, or the results of one that has been played. A
ladder never chooses a stage twice, so its past depends neither on the version of this program nor on when bots arrived.
A stage is written again, without the tables of bots that have left, before any table that follows is played.
The results are those of the records; they are here so that a ladder need not read all its records when it goes on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import not_
from pathlib import Path
from typing import Annotated, Any, Final

import pydantic
from pydantic import TypeAdapter

from ballcourt.arena.tournament.event.json_lines import append, cut_unfinished, damaged, read_lines
from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Field,
    Outcomes,
    PlayedBlock,
    PlayedMatch,
    Schedule,
    SeatOutcome,
    keyed_seatings,
)
from ballcourt.engine.core import WrongInput

STAGES: Final = "stages.jsonl"
LADDER: Final = "ladder"
"""The format that the manifest of a ladder names."""
NO_END: Final = 10**12
"""The number of blocks of a ladder: those that can be named."""

Index = Annotated[int, pydantic.Field(ge=0, lt=NO_END)]
Divisions = tuple[tuple[Index, ...], ...]
"""Who is in each division, by index, the highest first."""
Results = Mapping[str, Sequence[SeatOutcome]]
"""How the matches of a stage ended that count, by key."""


class StagesError(WrongInput):
    """The stages of a ladder cannot be read or written; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Blocks that are played before results decide anything."""

    number: Annotated[Index, pydantic.Field(alias="stage")]
    first_block: Index
    tables: tuple[tuple[Index, ...], ...]
    """The entrants of each block, by index, in the order in which they sit around the table."""
    across: Index
    """How many of the tables, the first ones, were drawn across the field."""
    divisions: Divisions
    """As they were when the stage was chosen."""
    given_up: Annotated[tuple[tuple[Index, ...], ...], pydantic.Field(exclude_if=not_)] = ()
    """The tables that were not played: at the end of a stage that was cut, or of remote bots that have left."""
    setup: Annotated[Index, pydantic.Field(exclude_if=not_)] = 0
    """What is played, of the ladder's set-ups."""

    @property
    def end(self) -> int:
        """The first block that belongs to a later stage."""
        return self.first_block + len(self.tables)

    def cut(self, tables: int) -> "Stage":
        """Return the stage with the first ones of its tables alone."""
        kept, given_up = self.tables[:tables], self.tables[tables:]
        return replace(self, tables=kept, across=min(self.across, tables), given_up=given_up + self.given_up)

    def without(self, absent: AbstractSet[int], first: int) -> "Stage":
        """Return the stage without the tables of absent entrants, from a block on."""
        begun = first - self.first_block
        is_kept = [place < begun or absent.isdisjoint(table) for place, table in enumerate(self.tables)]
        kept, given_up = (
            tuple(table for table, found in zip(self.tables, is_kept, strict=True) if found is wanted)
            for wanted in (True, False)
        )
        return replace(self, tables=kept, across=sum(is_kept[: self.across]), given_up=given_up + self.given_up)

    def blocks(self) -> Iterator[Block]:
        """Yield its blocks: everybody at a table sits in each of its seats once."""
        for index, table in enumerate(self.tables, start=self.first_block):
            yield Field(len(table), len(table)).rotated(index, self.number, table, self.setup)


@dataclass(frozen=True, slots=True)
class _Results:
    """How the matches of a stage ended, by key."""

    stage: int
    places: dict[str, list[int]]
    """The placement of each seat."""
    faults: Annotated[dict[str, list[int]], pydantic.Field(exclude_if=not_)] = field(default_factory=dict)
    """The seats with a fault, where there are any; a match without one is left out."""
    tables: Annotated[int | None, pydantic.Field(ge=0, exclude_if=lambda tables: tables is None)] = None
    """How many of the tables were played, if the stage was cut."""

    def fits(self, stage: Stage) -> bool:
        """Whether they can be the results of a stage."""
        return self.stage == stage.number and (self.tables or 0) <= len(stage.tables)

    def outcomes(self) -> Results:
        return {
            key: tuple(SeatOutcome(place, 0.0, seat in self.faults.get(key, ())) for seat, place in enumerate(places))
            for key, places in self.places.items()
        }


_LINE: Final = TypeAdapter[Stage | _Results](Annotated[Stage | _Results, pydantic.Field(union_mode="left_to_right")])
_WRITERS: Final[dict[type, TypeAdapter[Any]]] = {kind: TypeAdapter(kind) for kind in (Stage, _Results)}
"""By type: pydantic 2.12.0 writes what is left out of a line if the line is one of a union."""


class WrittenSchedule(Schedule):
    """The part of a ladder's schedule that has been chosen."""

    blocks = NO_END
    is_exact = False
    is_fixed = True
    can_be_extended = False
    round_size = 1

    def __init__(self, folder: Path, seats: int, entrants: int = NO_END) -> None:
        """`seats` are those of the largest tables. Let a file with more than this number of entrants be damaged."""
        self._folder = folder
        self._entrants = entrants
        self.block_size = seats

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return all blocks so far, or none once there are results. Raises StagesError."""
        if results:
            return
        for stage, _ in read_stages(self._folder, self._entrants):
            yield from stage.blocks()


def choose(folder: Path, stage: Stage) -> None:
    """Add a stage, on disk when this returns. Raises OSError."""
    _append(folder / STAGES, stage)


def settle(folder: Path, stage: Stage, outcomes: Outcomes) -> None:
    """Add the results of a stage, on disk when this returns. Raises OSError."""
    places = {key: [seat.placement for seat in seats] for key, seats in outcomes.items()}
    faults = {key: [number for number, seat in enumerate(seats) if seat.fault] for key, seats in outcomes.items()}
    found = {key: seats for key, seats in faults.items() if seats}
    tables = len(stage.tables) if stage.given_up else None
    _append(folder / STAGES, _Results(stage.number, places, found, tables))


def read_stages(folder: Path, entrants: int = NO_END) -> Iterator[tuple[Stage, Results | None]]:
    """Yield the stages of a ladder in order, each with its results; the last may have none yet.

    Raises StagesError, also for a stage that names more than this number of entrants.
    """
    chosen: Stage | None = None
    for number, line in read_lines(folder / STAGES, _LINE, StagesError):
        if isinstance(line, Stage) and all(
            index < entrants for index in chain(*line.tables, *line.given_up, *line.divisions)
        ):
            chosen = line
        elif isinstance(line, _Results) and chosen and line.fits(chosen):
            yield chosen.cut(len(chosen.tables) if line.tables is None else line.tables), line.outcomes()
            chosen = None
        else:
            raise damaged(folder / STAGES, number, StagesError)
    if chosen:
        yield chosen, None


def played_blocks(stage: Stage, results: Results) -> list[PlayedBlock]:
    """Return the blocks of a stage with the matches that count."""
    return [
        PlayedBlock(
            block,
            tuple(
                PlayedMatch(key, table, tuple(results[key])) for key, table in keyed_seatings(block) if key in results
            ),
        )
        for block in stage.blocks()
    ]


def _append(path: Path, line: Stage | _Results) -> None:
    """Write a line, in place of one that was cut short, and wait until it is on disk."""
    with path.open("a+b") as file:
        cut_unfinished(file)
        append(file, [_WRITERS[type(line)].dump_json(line, by_alias=True).decode()])
