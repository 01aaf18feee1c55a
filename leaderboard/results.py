"""What a match means for the leaderboard: who sat at the table and how it ended for each."""

import hashlib
import json
from dataclasses import dataclass

from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord


class LeaderboardError(ValueError):
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
    """How a match ended for one seat: its place (1 is best, ties share one), its points, whether it was at fault."""

    entrant: Entrant
    placement: int
    score: float
    fault: bool


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One match; `identity` tells it from all others in the world, `key` from those of its tournament."""

    key: str
    identity: str
    ladder: Ladder
    seats: tuple[SeatResult, ...]

    @property
    def order(self) -> tuple[str, str]:
        """The canonical order of matches, which has nothing to do with when they were played."""
        return self.key, self.identity


def from_record(record: MatchRecord) -> MatchResult:
    """Take from a match record what the leaderboard needs."""
    options = tuple(sorted(record.options.items()))
    entrants = [Entrant(entrant.name, entrant.version, entrant.content_hash) for entrant in record.entrants]
    seats = tuple(
        SeatResult(entrant, result.placement, result.score, result.termination != Termination.TERMINATION_OK)
        for entrant, result in zip(entrants, record.results, strict=True)
    )
    ladder = Ladder(record.game, record.rules_version, len(seats), options)
    return MatchResult(record.key, _identity(record), ladder, seats)


def _identity(record: MatchRecord) -> str:
    """Hash what decides a match, so that the same match is never counted twice whatever folder it comes from."""
    entrants = [[entrant.name, entrant.version, entrant.content_hash] for entrant in record.entrants]
    header = [record.key, record.game, record.rules_version, sorted(record.options.items()), record.seed, entrants]
    return hashlib.sha256(json.dumps(header).encode()).hexdigest()[:32]
