"""What a match means for the leaderboard: who sat at the table and how it ended for each."""

import hashlib
import json
from dataclasses import dataclass

from ballcourt.engine.core import WrongInput
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord


class LeaderboardError(WrongInput):
    """A leaderboard cannot be read or written; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True, order=True)
class Entrant:
    """A bot version. Another content under the same name and version is another entrant."""

    name: str
    version: str
    content_hash: str


@dataclass(frozen=True, slots=True, order=True)
class Ladder:
    """What ratings are never mixed across: game, rules version, table size and options."""

    game: str
    rules_version: str
    seats: int
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a match ended for one seat: its place (1 is best, ties share one), its points, whether it was at fault.

    A fault that was tolerated, so that the seat played on, is one too; `vacated` says that it did not.
    """

    entrant: Entrant
    placement: int
    score: float
    fault: bool
    vacated: bool = False


@dataclass(frozen=True, slots=True)
class RivalResult:
    """How a match ended for a player that no bot played, placed among the seats."""

    name: str
    placement: int
    score: float


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One match; `identity` tells it from all others in the world, `key` from those of its tournament.

    Matches with the same `deal` began with the same position and the same luck.
    """

    key: str
    identity: str
    deal: str
    ladder: Ladder
    seats: tuple[SeatResult, ...]
    rivals: tuple[RivalResult, ...] = ()

    @property
    def order(self) -> tuple[str, str]:
        """The canonical order of matches, which has nothing to do with when they were played."""
        return self.key, self.identity


def from_record(record: MatchRecord) -> MatchResult:
    """Take from a match record what the leaderboard needs."""
    options = tuple(sorted(record.options.items()))
    entrants = [Entrant(entrant.name, entrant.version, entrant.content_hash) for entrant in record.entrants]
    tolerated = {fault.seat for fault in record.tolerated}
    vacated = [result.termination != Termination.TERMINATION_OK for result in record.results]
    seats = tuple(
        SeatResult(entrant, result.placement, result.score, lost or seat in tolerated, lost)
        for seat, (entrant, result, lost) in enumerate(zip(entrants, record.results, vacated, strict=True))
    )
    rivals = tuple(RivalResult(rival.name, rival.placement, rival.score) for rival in record.rivals)
    ladder = Ladder(record.game, record.rules_version, len(seats), options)
    return MatchResult(record.key, _identity(record), _deal(record), ladder, seats, rivals)


def _identity(record: MatchRecord) -> str:
    """Hash what decides a match, so that the same match is never counted twice whatever folder it comes from."""
    entrants = [[entrant.name, entrant.version, entrant.content_hash] for entrant in record.entrants]
    return _hash([record.key, record.game, record.rules_version, sorted(record.options.items()), record.seed, entrants])


def _deal(record: MatchRecord) -> str:
    """Hash what decides the luck of a match, so that a leaderboard that is shown around does not give the seed away."""
    return _hash([record.game, record.rules_version, sorted(record.options.items()), record.seed])


def _hash(values: list[object]) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:32]
