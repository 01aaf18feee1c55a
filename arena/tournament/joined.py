"""The schedule of an event that entrants joined: from each joining on, a schedule of the same format for who is in."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from ballcourt.arena.tournament.changes import NEVER, Changes
from ballcourt.arena.tournament.fixed import FixedSchedule
from ballcourt.arena.tournament.formats import schedule_of
from ballcourt.arena.tournament.schedule import Block, Design, Field, Length, PlayedBlock, Schedule, ScheduleError


@dataclass(frozen=True, slots=True)
class _Part:
    """A schedule from a block on, and whom it means by its entrants."""

    schedule: Schedule
    members: tuple[int, ...]
    first_block: int
    first_round: int

    def blocks(self, end: int) -> Iterator[Block]:
        """Yield the blocks before `end`, counted and with entrants as in the whole event."""
        for block in islice(self.schedule.stage(()), max(0, end - self.first_block)):
            tables = tuple(tuple(self.members[place] for place in table) for table in block.tables)
            yield Block(self.first_block + block.index, self.first_round + block.round, tables)

    def round_at(self, block: int) -> int:
        """Return the round that begins with a block, or is cut by it."""
        return self.first_round + -(-(block - self.first_block) // self.schedule.round_size)

    def rounds_before(self, block: int) -> int:
        """Count the whole rounds before a block."""
        return self.first_round + (block - self.first_block) // self.schedule.round_size


class Joined:
    """The schedules of an event one after another."""

    is_exact = True
    can_be_extended = True

    def __init__(self, parts: Sequence[_Part]) -> None:
        self._parts = parts
        last = parts[-1]
        self.blocks = last.first_block + last.schedule.blocks
        self.round_size = last.schedule.round_size
        self.block_size = last.schedule.block_size

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return all blocks, or none once there are results."""
        ends = [part.first_block for part in self._parts[1:]] + [NEVER]
        parts = zip(self._parts, ends, strict=True)
        return () if results else chain.from_iterable(part.blocks(end) for part, end in parts)

    def placing(self, results: Sequence[PlayedBlock]) -> Sequence[int]:
        """Return none."""
        return ()


def schedule_with(changes: Changes, design: Design, field: Field) -> Schedule:
    """Return the schedule of a design for a field to which `changes` has added its last entrants.

    Raises ScheduleError, also for a format whose blocks depend on results, which nobody can join.
    """
    asked = replace(design, length=changes.length or design.length)
    began = field.among(range(field.entrants - len(changes.joined)))
    first = schedule_of(asked, began)
    if not changes.joined:
        return first
    if not isinstance(first, FixedSchedule):
        raise ScheduleError(f"nobody can join {design.format} once it has begun; its blocks depend on its field")
    parts = [_Part(first, tuple(range(began.entrants)), 0, 0)]
    for joining in changes.joined:
        parts.append(_part_after(parts[-1], asked, field, joining.members, joining.block))
    return Joined(parts)


def _part_after(before: _Part, design: Design, field: Field, members: tuple[int, ...], block: int) -> _Part:
    """Return the part that begins with a block: what is left of the length, but at least a round."""
    focus = tuple(members.index(entrant) for entrant in design.options.focus if entrant in members)
    own = replace(design, options=replace(design.options, focus=focus), length=Length("rounds", 1))
    within = field.among(members)
    round_size = schedule_of(own, within).round_size
    if design.length.unit == "rounds":
        length = Length("rounds", max(1, design.length.number - before.rounds_before(block)))
    else:
        total = design.length.blocks(round_size, field.group_size)
        length = Length("blocks", max(round_size, total - block))
    return _Part(schedule_of(replace(own, length=length), within), members, block, before.round_at(block))
