"""An archive of programs that play in different ways: MAP-Elites, with the archive of pyribs (extra `evolve`).

A description of its matches gives each program a place on a grid; each cell keeps the best of those that came there.
So a line of programs is bred that differ, not only the best one. The method is that of Mouret and Clune, "Illuminating
search spaces by mapping elites" (2015).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import Any, Protocol

from ballcourt.arena.extras import importing
from ballcourt.arena.records.decisions import answered, termination
from ballcourt.engine.core import WrongInput
from ballcourt.engine.registry import find_game
from ballcourt.evaluation.assessment import Assessment
from ballcourt.evaluation.candidates import Written
from ballcourt.evaluation.terms import candidate_seats
from ballcourt.v1.record_pb2 import MatchRecord


class CellError(WrongInput):
    """There can be no such archive; the sentence says why."""


@dataclass(frozen=True, slots=True)
class CandidateMatch:
    """A match as the description of a candidate sees it."""

    record: MatchRecord
    seat: int
    """The seat of the candidate."""

    @property
    def score(self) -> float:
        """The points of the candidate."""
        return self.record.results[self.seat].score

    @property
    def placement(self) -> int:
        """Its place, from 1."""
        return self.record.results[self.seat].placement

    @property
    def actions(self) -> Counter[str]:
        """How often it chose each action, by name."""
        names, chosen = find_game(self.record.game).action_names, self.record.decisions.actions
        return Counter(names[chosen[number]] for number in answered(self.record, self.seat))


Describe = Callable[[CandidateMatch], Sequence[float]]
"""Returns what tells programs apart in a match, a number for each side of the grid; the mean over matches counts."""


@dataclass(frozen=True, slots=True)
class Elite:
    """The best program of a cell."""

    program: Written
    assessment: Assessment
    place: tuple[float, ...]
    """Its description."""


class Judge(Protocol):
    """What evaluates programs."""

    def evaluate(self, candidate: Written, budget: str) -> Assessment:
        """Evaluate a program."""

    def records(self, candidate: Written) -> list[MatchRecord]:
        """Return the records that were kept of its matches."""


class Archive:
    """An archive of programs."""

    def __init__(
        self, arena: Judge, describe: Describe, ranges: Sequence[tuple[float, float]], bins: Sequence[int]
    ) -> None:
        """`ranges` and `bins` are the ends of each side of the grid, and the number of cells along it."""
        if len(ranges) != len(bins) or not bins or min(bins) < 1 or any(low >= high for low, high in ranges):
            raise CellError(
                f"ranges are {[*ranges]} and bins are {[*bins]}; give a range from low to high and a number of cells "
                "for each side"
            )
        with importing("evolve"):
            from ribs.archives import GridArchive
        self._arena = arena
        self._describe = describe
        self._grid: Any = GridArchive(solution_dim=(), dims=[*bins], ranges=[*ranges], solution_dtype="int64")
        self._entered: list[Elite] = []

    def add(self, program: Written, budget: str = "40 matches") -> bool:
        """Evaluate a program; return whether it is now the best of its cell. Broken ones have no place.

        Raises CellError if the description has other sides than the grid.
        """
        assessment = self._arena.evaluate(program, budget)
        matches = [
            CandidateMatch(record, seat)
            for record in self._arena.records(program)
            for seat in candidate_seats(record)
            if termination(record, seat) == "OK"
        ]
        if not matches:
            return False
        described = [self._describe(match) for match in matches]
        if any(len(one) != len(self._grid.dims) for one in described):
            raise CellError(
                f"a description has {len(described[0])} numbers for {len(self._grid.dims)} sides of the grid"
            )
        place = tuple(map(fmean, zip(*described, strict=True)))
        self._entered.append(Elite(program, assessment, place))
        added = self._grid.add_single(len(self._entered) - 1, assessment.mean, place)
        return bool(added["status"] > 0)

    @property
    def elites(self) -> list[Elite]:
        """The best programs of all cells, the best first."""
        kept = [self._entered[int(number)] for number in self._grid.data("solution")]
        return sorted(kept, key=lambda elite: -elite.assessment.mean)

    def draw(self, chance: Random) -> Elite:
        """Draw an elite, all cells alike, to make another program of. Raises CellError if there is none yet."""
        if not (elites := self.elites):
            raise CellError("the archive is empty; add a program that plays")
        return chance.choice(elites)
