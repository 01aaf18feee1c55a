"""The schedule of an event with several set-ups: one of the same format for each, whose rounds are played together.

Each set-up has a table of its own, so each schedule is as even as that of an event of its own. Within a round their
blocks are mixed in proportion, so that every set-up has had its share wherever the event ends.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import merge
from itertools import groupby
from typing import Final, NamedTuple

from ballcourt.arena.tournament.schedules.placing import PlacedGroup, Placing, Round, by_rules
from ballcourt.arena.tournament.schedules.schedule import Block, Length, PlayedBlock, Schedule

RULES: Final = ("sum of places",)
Make = Callable[[int, Length], Schedule]
"""Returns the schedule of a set-up, given its index and its length."""


class _Placed(NamedTuple):
    """A block of a set-up, and its place: its round, then the part of the round that is over before it."""

    round: int
    part: float
    setup: int
    block: Block


class Mixed(Schedule):
    """The schedules of the set-ups, mixed. A round is one round of each.

    If the format has rules that say who is first, entrants stand by the sum of their places in all set-ups.
    """

    def __init__(self, make: Make, setups: int, length: Length) -> None:
        """Raise ScheduleError if there is no schedule for a set-up."""
        self._schedules = [make(setup, length) for setup in range(setups)]
        self._sizes = [schedule.matches_in(1) for schedule in self._schedules]
        self._order = self._order_of_a_round()
        if length.unit != "rounds":
            shares = self._shares(self._blocks_of(length))
            self._schedules = [make(setup, Length("blocks", share)) for setup, share in enumerate(shares)]
        self.blocks = sum(schedule.blocks for schedule in self._schedules)
        self.round_size = len(self._order)
        self.is_exact = all(schedule.is_exact for schedule in self._schedules)
        self.is_fixed = all(schedule.is_fixed for schedule in self._schedules)
        self.can_be_extended = all(schedule.can_be_extended for schedule in self._schedules)
        self.has_length = all(schedule.has_length for schedule in self._schedules)
        self.can_be_joined = all(schedule.can_be_joined for schedule in self._schedules)

    def matches_in(self, blocks: int) -> int:
        """Return the number of matches in its first blocks."""
        if blocks == self.blocks:  # exact also where rounds become shorter
            return sum(schedule.matches_in(schedule.blocks) for schedule in self._schedules)
        return self._matches(self._shares(blocks))

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return the next stage of every set-up, mixed."""
        stages = [
            self._placed(setup, schedule.stage(own))
            for setup, (schedule, own) in enumerate(zip(self._schedules, self._divided(results), strict=True))
        ]
        for index, placed in enumerate(merge(*stages), start=len(results)):
            block = placed.block
            setup = placed.setup if block.gap is None else block.setup
            yield Block(index, placed.round, block.tables, setup, block.gap)

    def placing(self, results: Sequence[PlayedBlock]) -> Placing | None:
        """Return the entrants by the sum of their places; None if the format leaves that to ratings.

        The order in each set-up is a group of its own.
        """
        total: Counter[int] = Counter()
        byes: Counter[int] = Counter()
        rounds: list[Round] = []
        groups: list[PlacedGroup] = []
        for number, (schedule, own) in enumerate(zip(self._schedules, self._divided(results), strict=True), start=1):
            found = schedule.placing(own)
            if found is None:
                return None
            total.update({one.entrant: one.place for one in found.places})
            byes.update({one.entrant: one.byes for one in found.places})
            prefix = f"set-up {number}"
            rounds += (replace(one, name=f"{prefix}, {one.name}") for one in found.rounds)
            groups.append(PlacedGroup(prefix, found.places))
            groups += (replace(one, name=f"{prefix}, {one.name}") for one in found.groups)
        values = {entrant: (places,) for entrant, places in total.items()}
        return Placing(RULES, by_rules(RULES, values, byes), tuple(rounds), tuple(groups))

    def _divided(self, results: Sequence[PlayedBlock]) -> list[list[PlayedBlock]]:
        own: list[list[PlayedBlock]] = [[] for _ in self._schedules]
        for played in results:
            gap = played.block.gap
            own[played.block.setup if gap is None else gap].append(played)
        return own

    def _placed(self, setup: int, blocks: Iterable[Block]) -> Iterator[_Placed]:
        size = self._schedules[setup].round_size
        for turn, of_one_round in groupby(blocks, lambda block: block.round):
            for number, block in enumerate(of_one_round):
                yield _Placed(turn, _part(number, size), setup, block)

    def _order_of_a_round(self) -> list[int]:
        """Return the set-ups of the blocks of a round."""
        sizes = [schedule.round_size for schedule in self._schedules]
        return [
            setup
            for _, setup in sorted(
                (_part(number, size), setup) for setup, size in enumerate(sizes) for number in range(size)
            )
        ]

    def _blocks_of(self, length: Length) -> int:
        """Return how many blocks a length in blocks or matches is; they are the fewest that hold the matches."""
        if length.unit == "blocks":
            return length.number
        rounds, left = divmod(length.number, self._matches(self._shares(len(self._order))))
        blocks = rounds * len(self._order)
        for setup in self._order:
            if left <= 0:
                break
            left -= self._sizes[setup]
            blocks += 1
        return blocks

    def _shares(self, blocks: int) -> list[int]:
        """Return how many of the first blocks each set-up has."""
        rounds, left = divmod(blocks, len(self._order))
        begun = Counter(self._order[:left])
        return [rounds * schedule.round_size + begun[setup] for setup, schedule in enumerate(self._schedules)]

    def _matches(self, shares: Sequence[int]) -> int:
        return sum(schedule.matches_in(share) for schedule, share in zip(self._schedules, shares, strict=True))


def _part(number: int, size: int) -> float:
    """Return how much of a round is over in the middle of one of its blocks."""
    return (number + 0.5) / size
