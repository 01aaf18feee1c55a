"""Schedules: which blocks a tournament consists of, and which matches a block.

A block is a table of entrants that plays one seed in every seat rotation, so that neither the seat nor the luck of the
deal favours anybody in it. Where a match has one seat, a block is one seed that every entrant plays alone, as in
duplicate bridge: only results of the same deal can be compared.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from ballcourt.engine.core import WrongInput
from ballcourt.engine.core.chance import stream

Seating = tuple[str, tuple[int, ...]]
"""A match of a block: its key, and the entrants at seat 0, 1, ..., by index."""


class ScheduleError(WrongInput):
    """No schedule exists for these entrants, seats and settings; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Block:
    """One table: `order` lists entrants, by index, in the order in which they sit around it.

    With a single seat it lists all entrants, in the order in which they sit down. Blocks are numbered from 0 in the
    order of the schedule, and rounds too.
    """

    index: int
    round: int
    order: tuple[int, ...]
    seats: int
    seed: int


class SeatOutcome(NamedTuple):
    """How a match ended for one seat: its place (1 is best, ties share one), its points, whether it was at fault."""

    placement: int
    score: float
    fault: bool


Outcomes = Mapping[str, Sequence[SeatOutcome]]
"""How matches ended, by key, in seat order."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that counts: its key, the entrants at its seats, by index, and how it ended for each."""

    key: str
    table: tuple[int, ...]
    outcomes: tuple[SeatOutcome, ...]


@dataclass(frozen=True, slots=True)
class PlayedBlock:
    """A block and its matches, without those that were skipped because an entrant was suspended."""

    block: Block
    matches: tuple[PlayedMatch, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """Who plays: the number of entrants, the seats of a match, and the seed of the tournament.

    Raises ScheduleError if the entrants cannot fill the seats.
    """

    entrants: int
    seats: int
    seed: int

    def __post_init__(self) -> None:
        if not 1 <= self.seats <= self.entrants:
            raise ScheduleError(
                f"{self.seats} seats cannot be filled by {self.entrants} different "
                f"{'bot' if self.entrants == 1 else 'bots'}; name at least {self.seats} bots, or give fewer seats"
            )

    @property
    def block_size(self) -> int:
        """The number of entrants in a block, which is also its number of matches."""
        return self.entrants if self.seats == 1 else self.seats

    def block(self, index: int, round: int, order: tuple[int, ...]) -> Block:  # the glossary's word
        """Return a block with a seed of its own, which follows from the seed of the tournament and the index."""
        return Block(index, round, order, self.seats, stream(self.seed, f"block {index}").next64())


@dataclass(frozen=True, slots=True)
class Length:
    """How long a tournament is asked to be."""

    unit: Literal["rounds", "blocks", "matches"]
    number: int

    def blocks(self, field: Field, round_size: int) -> int:
        """Return the number of blocks, where a round has `round_size`; matches are rounded up to whole blocks."""
        if self.unit == "rounds":
            return self.number * round_size
        return self.number if self.unit == "blocks" else -(-self.number // field.block_size)


class Schedule(Protocol):
    """Decides which blocks are played.

    Everything it says follows from its field, its length and the results it is given. So a tournament that was
    interrupted asks the same questions again, gets the same answers, and plays only the remaining matches.
    """

    @property
    def blocks(self) -> int:
        """The number of blocks, or the most that there can be if it depends on results; for progress and estimates."""

    @property
    def is_exact(self) -> bool:
        """Whether there will be exactly this number of blocks."""

    @property
    def round_size(self) -> int:
        """The number of blocks in a whole round."""

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return the blocks to be played next, given all blocks before; none when the tournament is over.

        Asked again when these have been played, or skipped because of a suspension.
        """


def seatings(block: Block) -> Iterator[tuple[int, ...]]:
    """Yield the block's seat rotations: the entrants at seat 0, 1, ..."""
    for rotation in range(len(block.order)):
        yield (block.order[rotation:] + block.order[:rotation])[: block.seats]


def keyed_seatings(block: Block) -> tuple[Seating, ...]:
    """Return the matches of a block: its seat rotations, each under its key, which does not depend on the seed."""
    return tuple((f"b{block.index:06d}-r{rotation}", table) for rotation, table in enumerate(seatings(block)))


def block_index(key: str) -> int | None:
    """Return the index of the block that a match belongs to, by its key; None if it is not the key of such a match."""
    found = re.fullmatch(r"b(\d{6,12})-r\d+", key)
    return int(found[1]) if found else None
