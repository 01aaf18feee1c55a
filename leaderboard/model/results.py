"""Match results as the leaderboard keeps them: the table, and the result of each seat."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.engine.errors import WrongInput

if TYPE_CHECKING:
    from ballcourt.v1.record_pb2 import MatchRecord

OK: Final = "OK"
"""The termination of a seat that its bot kept to the end."""
ROTATION: Final = re.compile(r"(.*)-r\d+")
"""The key of a match in a schedule: that of its block and the number of the seat rotation."""

IMPORTED: Final = (".csv", ".jsonl", ".pgn")
"""How the names of files end that have results of other arenas."""


class LeaderboardError(WrongInput):
    """A leaderboard cannot be read or written. The message says why and what to do."""


class NotConverged(LeaderboardError):
    """What a fit repeats until nothing moves still moved after the last step that it may take."""

    def __init__(self, what: str, steps: int) -> None:
        super().__init__(
            f"{what} did not come to rest in {steps} steps; this is a fault of ballcourt: report it with these results"
        )


@dataclass(frozen=True, slots=True, order=True)
class Ladder:
    """Matches with ratings in common: those of one game, rules version, table size and options."""

    game: str
    rules_version: str
    seats: int
    options: tuple[tuple[str, str], ...]
    after: str = ""
    """The version of the rules with whose ratings these begin; empty: with none."""

    def is_next(self, other: Ladder) -> bool:
        """Whether these ratings begin with those of another ladder; options that only one of the two has may differ."""
        same = (self.game, self.after, self.seats) == (other.game, other.rules_version, other.seats)
        known = dict(other.options)
        return same and all(known.get(name, value) == value for name, value in self.options)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """The result of one seat: its placement (1 is best, ties share one), its points, and whether its bot had a fault.

    A tolerated fault, after which the bot played on, counts too.
    """

    entrant: BotVersion
    placement: int
    score: float
    fault: bool
    termination: str = OK
    """How its bot ended: "OK", or the kind of fault that vacated the seat, such as "TIMEOUT"."""
    think_us: int = 0
    """Think time of all decisions that its bot made, in microseconds."""
    longest_think_us: int = 0
    own: float = 1.0
    """The share of its decisions that its bot chose itself, from 0 to 1; in the others it fell back, as it says."""
    owner: str = ""
    """Who entered its bot, as the organiser says; empty if not given."""

    @property
    def vacated(self) -> bool:
        """Whether its bot lost the seat."""
        return self.termination != OK


@dataclass(frozen=True, slots=True)
class RivalResult:
    """The result of a rival: a player without a bot, placed among the seats."""

    name: str
    placement: int
    score: float


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match. `identity` is unique among all matches, `key` within its tournament.

    Matches with the same `deal` had the same opening position and the same luck.
    """

    key: str
    identity: str
    deal: str
    ladder: Ladder
    seats: tuple[SeatResult, ...]
    rivals: tuple[RivalResult, ...] = ()
    started: str = ""
    """When the match began, in UTC: "2026-11-22T18:30:05Z"."""
    record: str = ""
    """Absolute path of the match's record; empty where it is not known."""
    checksum: str = ""
    """The checksum of the record, see `ballcourt.arena.records.store`; it ties this result to the record's content."""

    @property
    def order(self) -> tuple[str, str]:
        """The sort key of the canonical order, which does not depend on when matches were played."""
        return self.key, self.identity


def from_record(record: MatchRecord, path: Path | None = None) -> MatchResult:
    """Return what the leaderboard keeps of a match; `path` is where its record is."""
    from ballcourt.arena.records.store import checksum  # protobuf, which kept tables do not need

    options = tuple(sorted(record.options.items()))
    entrants = [BotVersion(entrant.name, entrant.version, entrant.content_hash) for entrant in record.entrants]
    tolerated = {fault.seat for fault in record.tolerated}
    seats = tuple(_seat(record, seat, entrant, tolerated=seat in tolerated) for seat, entrant in enumerate(entrants))
    rivals = tuple(RivalResult(rival.name, rival.placement, rival.score + 0.0) for rival in record.rivals)
    ladder = Ladder(record.game, record.rules_version, len(seats), options, record.after)
    luck = deal(record.game, record.rules_version, record.options, record.seed)
    identity, place = _identity(record), str(path.absolute()) if path else ""
    return MatchResult(record.key, identity, luck, ladder, seats, rivals, record.started, place, checksum(record))


def is_imported(where: str) -> bool:
    """Whether a place names a file with results of another arena."""
    return "://" not in where and Path(where).suffix.lower() in IMPORTED and not Path(where).is_dir()


def block_name(match: MatchResult, record: str) -> tuple[str, str]:
    """Return what matches of the same entrants have in common if they are one block.

    It is the block that their keys name (b000012-r0, b000012-r1), with the folder of their records, as several
    tournaments may use the same keys; or, where keys name no block, the deal. `record` is the path of the record.
    """
    named = ROTATION.fullmatch(match.key)
    if named:
        return named[1], record.rpartition("/")[0]
    return "", match.deal


def deal(game: str, rules_version: str, options: Mapping[str, str], seed: int) -> str:
    """Hash what determines the luck of a match; the hash does not reveal the seed to readers of a leaderboard."""
    return _hash([game, rules_version, sorted(options.items()), seed])


def _seat(record: MatchRecord, seat: int, entrant: BotVersion, *, tolerated: bool) -> SeatResult:
    from ballcourt.arena.records.decisions import own_share, termination, think_times

    result, times = record.results[seat], think_times(record, seat)
    ended = termination(record, seat)
    fault = tolerated or ended != OK
    score = result.score + 0.0  # no -0.0, which databases read back as 0.0
    owner = record.entrants[seat].owner
    own = own_share(record, seat)
    return SeatResult(entrant, result.placement, score, fault, ended, sum(times), max(times, default=0), own, owner)


def _identity(record: MatchRecord) -> str:
    """Hash what determines a match, so that it is counted once whatever folder its record is in."""
    entrants = [[entrant.name, entrant.version, entrant.content_hash] for entrant in record.entrants]
    return _hash([record.key, record.game, record.rules_version, sorted(record.options.items()), record.seed, entrants])


def _hash(values: list[object]) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:32]
