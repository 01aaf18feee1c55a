"""Schedules: which blocks a tournament consists of, and which matches a block.

A block is several matches whose tables together give no one an advantage by seat: usually one table of entrants in
every seat rotation. Where a match has one seat, every entrant plays the same deal alone, as in duplicate bridge: only
results of the same deal can be compared.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Annotated, Literal, NamedTuple

from pydantic import Field as Bounds

from ballcourt.arena.models import LAX, Model
from ballcourt.arena.tournament.schedules.placing import Placing
from ballcourt.engine.core import WrongInput

Seating = tuple[str, tuple[int, ...]]
"""A match of a block: its key, and the entrants at seat 0, 1, ..., by index."""


class ScheduleError(WrongInput):
    """No schedule exists for these entrants, seats and settings; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Block:
    """Matches that belong together: `tables` lists, for each, the entrants at seat 0, 1, ..., by index.

    Blocks are numbered from 0 in the order of the schedule, and rounds too.
    """

    index: int
    round: int
    tables: tuple[tuple[int, ...], ...]
    setup: int = 0
    """Which of the event's set-ups is played, by index."""
    gap: int | None = None
    """The set-up in whose schedule it fills a gap, if its tables are smaller than those."""


class SeatOutcome(NamedTuple):
    """How a match ended for one seat: its place (1 is best, ties share one), its points, whether it was at fault.

    A seat at fault was `vacated` unless the fault was tolerated.
    """

    placement: int
    score: float
    fault: bool
    vacated: bool = False


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
    absent: frozenset[int] = frozenset()
    """Its entrants that sat out: they lose to the others."""
    gone: frozenset[int] = frozenset()
    """All entrants that have left the tournament for good when the blocks after it are chosen."""


@dataclass(frozen=True, slots=True)
class Field:
    """Who plays: the number of entrants, the seats of a match, and who owns which entrant.

    Raises ScheduleError if the entrants cannot fill the seats.
    """

    entrants: int
    seats: int
    owners: tuple[str, ...] = ()
    """By entrant; an empty name means without an owner. Empty: nothing is known about owners."""
    draw: int = 0
    """The draw that decides between equally good groups; every set-up of an event has its own."""
    smaller: tuple[tuple[int, int], ...] = ()
    """Smaller tables at which those left over may play: the seats and the set-up of each."""

    def __post_init__(self) -> None:
        if not 1 <= self.seats <= self.entrants:
            raise ScheduleError(
                f"{self.seats} seats cannot be filled by {self.entrants} different "
                f"{'bot' if self.entrants == 1 else 'bots'}; name at least {self.seats} bots, or give fewer seats"
            )

    @property
    def related(self) -> frozenset[tuple[int, int]]:
        """The pairs of entrants with the same owner, the smaller index first: they are kept apart where possible."""
        owned: dict[str, list[int]] = {}
        for entrant, owner in enumerate(self.owners):
            if owner:
                owned.setdefault(owner, []).append(entrant)
        return frozenset(pair for entrants in owned.values() for pair in combinations(entrants, 2))

    def among(self, entrants: Sequence[int]) -> "Field":
        """Return the field of some of these entrants, in this order. Raises ScheduleError if they are too few."""
        owners = tuple(self.owners[entrant] for entrant in entrants) if self.owners else ()
        return Field(len(entrants), self.seats, owners, self.draw)

    @property
    def group_size(self) -> int:
        """The number of entrants in a block of seat rotations, which is also its number of matches."""
        return self.entrants if self.seats == 1 else self.seats

    def require_opponents(self, need: str) -> None:
        """Raise ScheduleError if a match has one seat; `need` begins the sentence, such as "a gauntlet needs"."""
        if self.seats < 2:
            raise ScheduleError(f"{need} at least 2 seats; with 1 seat all bots play alone: use round-robin")

    def rotated(self, index: int, round: int, order: tuple[int, ...], setup: int = 0) -> Block:  # the glossary's word
        """Return a block in all seat rotations of entrants, listed in the order in which they sit around the table.

        With a single seat all entrants are listed, in the order in which they sit down.
        """
        turned = ((order[turn:] + order[:turn])[: self.seats] for turn in range(len(order)))
        return Block(index, round, tuple(turned), setup)


Unit = Literal["rounds", "blocks", "matches"]


@dataclass(frozen=True, slots=True)
class Length:
    """How long a tournament is asked to be."""

    unit: Unit
    number: int

    def __str__(self) -> str:
        return f"{self.number} {self.unit}"

    def blocks(self, round_size: int, block_size: int) -> int:
        """Return the number of blocks, given those of a round and the matches of a block; it is rounded up."""
        if self.unit == "rounds":
            return self.number * round_size
        return self.number if self.unit == "blocks" else -(-self.number // block_size)


class FormatOptions(Model):
    """What some formats take in addition."""

    focus: Annotated[tuple[int, ...], LAX] = ()
    """The bots that meet all others in a gauntlet, by index."""
    groups: Annotated[int, Bounds(ge=1, le=1000)] | None = None
    """The number of groups in groups-final; 2 by default."""
    advance: Annotated[int, Bounds(ge=1, le=1000)] | None = None
    """How many of each group play the final; by default a table full."""


@dataclass(frozen=True, slots=True)
class Design:
    """What decides, together with the field, which blocks are played."""

    format: str
    length: Length
    options: FormatOptions
    table_sizes: tuple[int, ...] = ()
    """The seats of each set-up, where there are several; empty: there is one, with the seats of the field."""
    smaller: tuple[tuple[int, ...], ...] = ()
    """For each set-up, those that differ from it only by fewer seats; empty: there are none."""


class Schedule(ABC):
    """Decides which blocks are played.

    Everything it says follows from its field, its length and the results it is given. So a tournament that was
    interrupted asks the same questions again, gets the same answers, and plays only the remaining matches.
    """

    blocks: int
    """The number of blocks, or the most that there can be if it depends on results; for progress and estimates."""
    round_size: int
    """The number of blocks in a whole round."""
    block_size: int
    """The number of matches in a block, where that is the same for all."""
    is_exact: bool = True
    """Whether there will be exactly this number of blocks."""
    is_fixed: bool = False
    """Whether all its blocks are known in advance: then they are one stage."""
    can_be_extended: bool = True
    """Whether a longer schedule of the same kind begins with the same blocks."""
    has_length: bool = True
    """Whether its length can be asked for; otherwise it lasts until its results end it."""
    can_be_joined: bool = False
    """Whether it can go on with other entrants: with those who joined, without those who withdrew."""

    @abstractmethod
    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return the blocks to be played next, given all blocks before; none when the tournament is over.

        Asked again when these have been played, or skipped because of a suspension.
        """

    def matches_in(self, blocks: int) -> int:
        """Return the number of matches in its first blocks."""
        return blocks * self.block_size

    def placing(self, results: Sequence[PlayedBlock]) -> Placing | None:
        """Return the entrants from first to last by the rules of the format; None if it leaves that to ratings."""
        return None


class FixedSchedule(Schedule):
    """Gives all blocks at once; ratings show who is better. A longer one begins like a shorter one."""

    is_fixed = True
    can_be_joined = True

    def __init__(
        self, length: Length, round_size: int, block_size: int, endless: Callable[[], Iterator[Block]]
    ) -> None:
        """`endless` returns its blocks without end."""
        self.round_size = round_size
        self.block_size = block_size
        self.blocks = length.blocks(round_size, block_size)
        self._endless = endless

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return all blocks, or none once there are results."""
        return () if results else islice(self._endless(), self.blocks)


def keyed_seatings(block: Block) -> tuple[Seating, ...]:
    """Return the matches of a block, each under its key, which does not depend on the seed."""
    return tuple((f"b{block.index:06d}-r{number}", table) for number, table in enumerate(block.tables))


def block_index(key: str) -> int | None:
    """Return the index of the block that a match belongs to, by its key; None if it is not the key of such a match."""
    found = re.fullmatch(r"b(\d{6,12})-r\d+", key)
    return int(found[1]) if found else None
