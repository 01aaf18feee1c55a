"""Duels: each pair of a new and an old version at one table, or alone on the same deal."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf
from statistics import fmean
from typing import NamedTuple

from ballcourt.leaderboard.model.results import from_record
from ballcourt.v1.record_pb2 import MatchRecord

IsNew = Callable[[str], bool]
"""Says whether the entrant of this name is a copy of the new version."""


@dataclass(frozen=True, slots=True)
class Seated:
    """One seat of a match: which version sat there, and how it ended."""

    seat: int
    is_new: bool
    placement: int
    score: float
    vacated: bool

    @property
    def alone(self) -> tuple[bool, int, float]:
        """What orders seats of different matches on the same deal, the best first: a lost seat comes last."""
        return (True, 0, 0.0) if self.vacated else (False, self.placement, -self.score)


class Duel(NamedTuple):
    """The new version in one seat against the old one in another: 1 if it won, 1/2 for a tie, 0 if it lost.

    `margin` is by how many points it is ahead. Points of a seat that was lost are the arena's, so a version that loses
    its seat against one that keeps it is behind without limit.
    """

    new_seat: int
    old_seat: int
    won: float
    margin: float


def seated(record: MatchRecord, is_new: IsNew) -> list[Seated]:
    """Return the seats of a match, by which version sat there. Raises RecordError."""
    return [
        Seated(seat, is_new(result.entrant.name), result.placement, result.score, result.vacated)
        for seat, result in enumerate(from_record(record).seats)
    ]


def duels_of(records: Iterable[MatchRecord], is_new: IsNew) -> list[Duel]:
    """Return the duels of a block, given the records of its matches. Raises RecordError."""
    return [*duels([seated(record, is_new) for record in records])]


def duels(matches: Sequence[Sequence[Seated]]) -> Iterator[Duel]:
    """Yield the duels of a block: those inside of each match, or with one seat those between its matches."""
    if all(len(match) == 1 for match in matches):
        for ours, theirs in _pairs([seated for match in matches for seated in match]):
            yield Duel(ours.seat, theirs.seat, _won(ours.alone, theirs.alone), _margin(ours, theirs))
        return
    for match in matches:
        for ours, theirs in _pairs(match):
            yield Duel(ours.seat, theirs.seat, _won(ours.placement, theirs.placement), _margin(ours, theirs))


def share_won(block: Iterable[Duel]) -> float:
    """Return the share of duels that the new version won, from 0 to 1."""
    return fmean(duel.won for duel in block)


def _pairs(table: Sequence[Seated]) -> Iterator[tuple[Seated, Seated]]:
    return product((one for one in table if one.is_new), (one for one in table if not one.is_new))


def _won(ours: object, theirs: object) -> float:
    return 0.5 if ours == theirs else float(ours < theirs)  # type: ignore[operator]  # both are of one orderable type


def _margin(ours: Seated, theirs: Seated) -> float:
    if ours.vacated or theirs.vacated:
        return inf * (theirs.vacated - ours.vacated) if ours.vacated != theirs.vacated else 0.0
    return ours.score - theirs.score
