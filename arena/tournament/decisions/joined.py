"""The schedule of an event that entrants have joined: after each joining, one of the same format for all who are in."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, takewhile

from ballcourt.arena.tournament.decisions.changes import NEVER, Changes
from ballcourt.arena.tournament.schedules.formats import schedule_of
from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Design,
    Field,
    Length,
    PlayedBlock,
    PlayedMatch,
    Schedule,
    ScheduleError,
)


class _Part:
    """A schedule that applies from a block on, and the entrants of the event that its entrants stand for.

    A fixed schedule begins with this block. One that follows results begins with the event, whose results it knows.
    """

    def __init__(self, schedule: Schedule, members: tuple[int, ...], first_block: int, first_round: int) -> None:
        self.schedule = schedule
        self.members = members
        self.first_block = first_block
        self.first_round = first_round
        self._places = {entrant: place for place, entrant in enumerate(members)}
        self._known: list[tuple[PlayedBlock, PlayedBlock]] = []
        """The results of the event that the schedule was last asked with, each with what it was given for them."""

    @property
    def end(self) -> int:
        """The block after its last one."""
        return self.schedule.blocks + self._shift

    def stage(self, results: Sequence[PlayedBlock]) -> Iterator[Block]:
        """Yield the blocks that follow these results, counted and with entrants as in the whole event."""
        known = () if self.schedule.is_fixed else self._among_members(results)
        rounds = self.first_round - (self.first_block - self._shift) // self.schedule.round_size
        for block in self.schedule.stage(known):
            tables = tuple(tuple(self.members[place] for place in table) for table in block.tables)
            yield Block(self._shift + block.index, rounds + block.round, tables, block.setup)

    def matches_before(self, end: int) -> int:
        """Return how many of its matches there are before a block."""
        count = self.schedule.matches_in
        return count(end - self._shift) - count(self.first_block - self._shift)

    def round_at(self, block: int) -> int:
        """Return the round that begins with a block, or is cut by it."""
        return self.first_round + -(-(block - self.first_block) // self.schedule.round_size)

    def rounds_before(self, block: int) -> int:
        """Count the whole rounds before a block."""
        return self.first_round + (block - self.first_block) // self.schedule.round_size

    @property
    def _shift(self) -> int:
        """The block of the event that is the schedule's first."""
        return self.first_block if self.schedule.is_fixed else 0

    def _among_members(self, results: Sequence[PlayedBlock]) -> list[PlayedBlock]:
        """Return results as the schedule numbers entrants.

        A result that was given before is the same object again: a schedule recognises what it has taken in.
        """
        same = sum(1 for _ in takewhile(lambda both: both[0][0] is both[1], zip(self._known, results, strict=False)))
        self._known[same:] = [(played, self._own(played)) for played in results[same:]]
        return [own for _, own in self._known]

    def _own(self, played: PlayedBlock) -> PlayedBlock:
        """Return the results of a block among its members; matches of others are left out."""
        matches = tuple(
            PlayedMatch(match.key, tuple(self._places[entrant] for entrant in match.table), match.outcomes)
            for match in played.matches
            if all(entrant in self._places for entrant in match.table)
        )
        return PlayedBlock(replace(played.block, tables=()), matches)


class Joined(Schedule):
    """The schedules of an event one after another."""

    can_be_joined = True

    def __init__(self, parts: Sequence[_Part]) -> None:
        self._parts = parts
        last = parts[-1]
        self.blocks = last.end
        self.is_fixed = last.schedule.is_fixed
        self.round_size = last.schedule.round_size

    def matches_in(self, blocks: int) -> int:
        """Return the number of matches in its first blocks."""
        return sum(part.matches_before(min(end, blocks)) for part, end in self._ends() if part.first_block < blocks)

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return all blocks if they are known in advance, else those that follow the results."""
        if not self.is_fixed:
            part, end = next((part, end) for part, end in self._ends() if len(results) < end)
            return _before(end, part.stage(results))
        return () if results else chain.from_iterable(_before(end, part.stage(())) for part, end in self._ends())

    def _ends(self) -> Iterator[tuple[_Part, int]]:
        """Yield the parts, each with the first block after it."""
        return zip(self._parts, [*(part.first_block for part in self._parts[1:]), NEVER], strict=True)


def schedule_with(changes: Changes, design: Design, field: Field) -> Schedule:
    """Return the schedule of a design for a field to which `changes` has added its last entrants.

    Raises ScheduleError, also for a format that no one can join.
    """
    asked = replace(design, length=changes.length or design.length)
    began = field.among(range(field.entrants - len(changes.joined)))
    first = schedule_of(asked, began)
    if not changes.joined:
        return first
    if not first.can_be_joined:
        raise ScheduleError(
            f"no one can join {design.format} once it has begun: who plays whom follows from what all have "
            "achieved since its beginning; begin another event"
        )
    parts = [_Part(first, tuple(range(began.entrants)), 0, 0)]
    for joining in changes.joined:
        parts.append(_part_after(parts[-1], asked, field, joining.members, joining.block))
    return Joined(parts)


def _part_after(before: _Part, design: Design, field: Field, members: tuple[int, ...], block: int) -> _Part:
    """Return the part that begins with a block: what is left of the length, but at least a round."""
    focus = tuple(members.index(entrant) for entrant in design.options.focus if entrant in members)
    own = replace(design, options=design.options.replaced(focus=focus))
    within = field.among(members)
    whole = schedule_of(own, within)
    left = whole.blocks - block
    if design.length.unit == "rounds":
        left = (design.length.number - before.rounds_before(block)) * whole.round_size
    length = Length("blocks", max(whole.round_size, left) + (0 if whole.is_fixed else block))
    return _Part(schedule_of(replace(own, length=length), within), members, block, before.round_at(block))


def _before(end: int, blocks: Iterable[Block]) -> Iterator[Block]:
    return takewhile(lambda block: block.index < end, blocks)
