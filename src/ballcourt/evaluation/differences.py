"""Where two versions differ: by seat, by opponent's seat, and by the kind of question at which they part.

The two matches of opposite splits have the same deal. Until the versions decide differently they are the same match, so
the first decision in which they differ shows one version's choice and the other's in the very same position.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

from ballcourt.arena.records.decisions import answered, decided_by, think_times
from ballcourt.arena.records.replay import question_at
from ballcourt.evaluation.duels import Duel, IsNew, Seated, duels, seated, share_won
from ballcourt.evaluation.evidence import Mean, mean_of
from ballcourt.v1.record_pb2 import MatchRecord

Place = TypeVar("Place", int, tuple[int, int])


@dataclass(frozen=True, slots=True)
class Parting:
    """The first decision in which the matches of opposite splits differ."""

    question: str
    key: str
    """The match of the two in which the new version decided."""
    number: int
    """The index of the decision, from 0."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """What one version did in a block: matches in which a copy had a fault, decisions, think time in microseconds.

    `own_decisions` are those that it chose itself; in the others it fell back, as it says.
    """

    faults: int
    decisions: int
    own_decisions: int
    think_us: int


@dataclass(frozen=True, slots=True)
class SplitsStory:
    """What two matches in opposite splits show: their duels, and where they part; None if they never do."""

    duels: tuple[Duel, ...]
    parting: Parting | None


@dataclass(frozen=True, slots=True)
class BlockStory:
    """What a block shows: each two matches in opposite splits, and what the versions did."""

    splits: tuple[SplitsStory, ...]
    new: Conduct
    old: Conduct

    @property
    def duels(self) -> tuple[Duel, ...]:
        """All duels of the block."""
        return tuple(duel for split in self.splits for duel in split.duels)

    @property
    def share(self) -> float:
        """The share of duels that the new version won, from 0 to 1."""
        return share_won(self.duels)


@dataclass(frozen=True, slots=True)
class AtQuestion:
    """The blocks that part at one kind of question: how many duels the new version won in them, and one of them."""

    question: str
    share: Mean
    example: Parting


def story(records: Sequence[MatchRecord], is_new: IsNew) -> BlockStory:
    """Return what a block shows, given its records in the order of their keys. Raises RecordError."""
    matches = [seated(record, is_new) for record in records]
    splits = range(0, len(records), 2)
    return BlockStory(
        splits=tuple(
            SplitsStory(tuple(duels(matches[at : at + 2])), _parting(records[at], records[at + 1], is_new))
            for at in splits
        ),
        new=_conduct(records, matches, is_new=True),
        old=_conduct(records, matches, is_new=False),
    )


def by_seat(stories: Iterable[BlockStory]) -> dict[int, Mean]:
    """Return for each seat how much more of its duels the new version wins there than the old one does."""
    return _gains(stories, lambda ours, _: ours)


def by_opponent(stories: Iterable[BlockStory]) -> dict[tuple[int, int], Mean]:
    """Return the same for each seat against a version in each other seat: (own seat, the opponent's)."""
    return _gains(stories, lambda ours, theirs: (ours, theirs))


def by_question(stories: Iterable[BlockStory]) -> list[AtQuestion]:
    """Return the kinds of questions at which the versions part, the most frequent first."""
    shares: defaultdict[str, list[float]] = defaultdict(list)
    example: dict[str, Parting] = {}
    for story in stories:
        won: defaultdict[str, list[Duel]] = defaultdict(list)  # a block counts once for a kind of question
        for split in story.splits:
            if split.parting:
                won[split.parting.question] += split.duels
                example.setdefault(split.parting.question, split.parting)
        for question, found in won.items():
            shares[question].append(share_won(found))
    often = sorted(shares, key=lambda question: (-len(shares[question]), question))
    return [AtQuestion(question, mean_of(shares[question]), example[question]) for question in often]


def _parting(one: MatchRecord, other: MatchRecord, is_new: IsNew) -> Parting | None:
    """Find the first decision in which two matches differ, or that only one of the two bots made."""
    both = enumerate(zip(_decided(one), _decided(other), strict=False))
    number = next((at for at, (ours, theirs) in both if ours != theirs), None)
    if number is None:
        return None
    mine = one if is_new(one.entrants[one.decisions.seats[number]].name) else other
    return Parting(question_at(one, number), mine.key, number)


def _decided(record: MatchRecord) -> Iterator[tuple[int, int, int]]:
    """Yield the seat, the action and who decided, decision by decision."""
    decisions = record.decisions
    return zip(decisions.seats, decisions.actions, decisions.decided_by, strict=True)


def _conduct(records: Sequence[MatchRecord], matches: Sequence[Sequence[Seated]], *, is_new: bool) -> Conduct:
    faults, own, times = 0, 0, list[int]()
    for record, match in zip(records, matches, strict=True):
        seats = [seated.seat for seated in match if seated.is_new is is_new]
        at_fault = {fault.seat for fault in record.faults} | {fault.seat for fault in record.tolerated}
        faults += not at_fault.isdisjoint(seats)
        own += sum(decided_by(record, number) == "bot" for seat in seats for number in answered(record, seat))
        times += [time for seat in seats for time in think_times(record, seat)]
    return Conduct(faults, len(times), own, sum(times))


def _gains(stories: Iterable[BlockStory], places: Callable[[int, int], Place]) -> dict[Place, Mean]:
    """Return, by place, the share of duels won by the new version there less that of the old one there."""
    gains: defaultdict[Place, list[float]] = defaultdict(list)
    for story in stories:
        new, old = defaultdict[Place, list[float]](list), defaultdict[Place, list[float]](list)
        for duel in story.duels:
            new[places(duel.new_seat, duel.old_seat)].append(duel.won)
            old[places(duel.old_seat, duel.new_seat)].append(1 - duel.won)
        for place in new.keys() & old.keys():
            gains[place].append(fmean(new[place]) - fmean(old[place]))
    return {place: mean_of(gains[place], least=-1.0) for place in sorted(gains)}
