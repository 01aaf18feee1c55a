"""Knockouts: the lower half of a table loses a life, and an entrant that has none left is out.

Between two seats that is the usual elimination: the winner of a block goes on. At larger tables the better half goes
on, rounded down. Those who sit out lose to the others. A tie is decided by score in the block, then by fewer faults in
it, then by fewer in the whole tournament, then by the order of the list of entrants. That order is also the seeding: in
each round the first of those with equal lives meet the last, and who does not play has a bye, the first of the list
before others.

When one table is left it plays the final. If its winner had fewer lives than another entrant there, it is played once
more, and that decides.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from ballcourt.arena.tournament.schedules.least_met import Group
from ballcourt.arena.tournament.schedules.placing import POINTS, Placing, Round, by_rules
from ballcourt.arena.tournament.schedules.schedule import Block, Field, Length, PlayedBlock, Schedule, ScheduleError
from ballcourt.arena.tournament.schedules.standing import achieved, dealt, ranked_at, round_of

RULES: Final = ("round", "presence", *POINTS, "earlier faults", "seed")
"""What decides: the round of dropping out, then, between finalists, the final."""


class Knockout(Schedule):
    """A stage is a round of the knockout. Its length follows from the number of entrants and from results."""

    can_be_extended = False
    has_length = False

    def __init__(self, field: Field, length: Length, lives: int) -> None:
        """Raise ScheduleError for one seat, and for a length."""
        field.require_opponents("an elimination needs")
        if length != Length("rounds", 1):
            raise ScheduleError(
                f"an elimination lasts until one table is left, so {length.unit} = {length.number} does not fit; "
                "leave it out"
            )
        self._field = field
        self._lives = lives
        self.is_exact = lives == 1
        self.block_size = field.seats
        self.round_size = field.entrants // field.seats
        self.blocks = _most_blocks(field, lives)

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return the next round, or the final."""
        bracket = _Bracket(self._field, self._lives, results)
        if bracket.is_over:
            return
        turn = results[-1].block.round + 1 if results else 0
        for place, table in enumerate(bracket.tables()):
            yield self._field.rotated(len(results) + place, turn, table)

    def placing(self, results: Sequence[PlayedBlock]) -> Placing:
        """Return the finalists as they stand in the last final, then the others, those who dropped out later first.

        Those who drop out in the same round share a place, and so do, before the final, all who are still in.
        """
        return _Bracket(self._field, self._lives, results).placing()


class _Bracket:
    """The entrants that are still in, after the results so far."""

    def __init__(self, field: Field, lives: int, results: Sequence[PlayedBlock]) -> None:
        self._seats = field.seats
        self._most_lives = lives
        self._results = results
        self._out: dict[int, int] = {}
        """The entrants that dropped out, and in which round, from 1."""
        self._byes: Counter[int] = Counter()
        self._rounds: list[Round] = []
        self._finals = 0
        self._lives = dict.fromkeys(range(field.entrants), lives)  # best seeded first
        self.is_over = False
        for _, played in groupby(results, key=lambda result: result.block.round):
            self._settle(list(played))

    def tables(self) -> Iterator[Group]:
        """Yield the tables of the next round: the final, or among those with equal lives as far as they fill tables."""
        if len(self._lives) == self._seats:
            yield tuple(self._lives)
            return
        classes = [
            [entrant for entrant, left in self._lives.items() if left == lives]
            for lives in sorted(set(self._lives.values()), reverse=True)
        ]
        if all(len(members) < self._seats for members in classes):
            classes = [[entrant for members in classes for entrant in members]]
        for members in classes:
            tables = len(members) // self._seats
            if self._lives[members[-1]] == 1:
                tables = min(tables, -(-(len(self._lives) - self._staying()) // _losers(self._seats)))
            yield from map(tuple, dealt(members[len(members) - tables * self._seats :], tables))

    def placing(self) -> Placing:
        """Return the entrants from first to last, and the bracket."""
        here = len(self._rounds) + (not self.is_over)
        values: dict[int, tuple[float, ...]] = {entrant: (turn,) for entrant, turn in self._out.items()}
        values |= dict.fromkeys(self._lives, (here,))
        if self.is_over:
            final, earlier = self._results[-1], achieved(self._lives, self._results)
            for entrant, own in achieved(self._lives, [final]).items():
                present = entrant not in final.absent
                values[entrant] = (here, present, *own, earlier[entrant][2], entrant + 1)
        return Placing(RULES, by_rules(RULES, values, self._byes), tuple(self._rounds))

    def _staying(self) -> int:
        return _staying(len(self._lives), self._seats, self._most_lives)

    def _settle(self, played: list[PlayedBlock]) -> None:
        """Take the results of a round."""
        staying, still_in = self._staying(), [*self._lives]
        name = f"round {len(self._rounds) + 1}"
        if len(self._lives) == self._seats:
            name = "final, played again" if self._finals else "final"
            self._finals += 1
            winner = ranked_at(played[0], self._results)[0]
            self.is_over = self._finals > 1 or self._lives[winner] == max(self._lives.values())
        for block in played:
            for entrant in reversed(ranked_at(block, self._results)[self._seats // 2 :]):
                self._take_life(entrant, staying)
        self._rounds.append(round_of(name, played, still_in, self._results, self._lives))
        self._byes.update(self._rounds[-1].byes)

    def _take_life(self, entrant: int, staying: int) -> None:
        """Take a life from an entrant; it stays in if it is needed to keep this number of entrants."""
        if self._lives[entrant] > 1:
            self._lives[entrant] -= 1
        elif len(self._lives) > staying:
            del self._lives[entrant]
            self._out[entrant] = len(self._rounds) + 1


def _losers(seats: int) -> int:
    return seats - seats // 2


def _staying(left: int, seats: int, lives: int) -> int:
    """Return the fewest entrants that a round keeps. With one life, later rounds then need no byes."""
    size = seats
    if lives == 1 and seats % (seats // 2) == 0:
        while size * seats // (seats // 2) < left:
            size = size * seats // (seats // 2)
    return size


def _most_blocks(field: Field, lives: int) -> int:
    """Return the number of blocks; with several lives the most that there can be."""
    losers = _losers(field.seats)
    if lives > 1:  # every block before the final takes a life from each of its losers, except perhaps the last one
        return -(-(lives * field.entrants - field.seats) // losers) + lives
    left, blocks = field.entrants, 1
    while left > field.seats:
        staying = _staying(left, field.seats, lives)
        tables = min(left // field.seats, -(-(left - staying) // losers))
        left = max(staying, left - tables * losers)
        blocks += tables
    return blocks
