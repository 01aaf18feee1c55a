"""How matches begin: the first decisions as a tree, with how often each was made and how its seat fared."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.records.replay import opening
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.records.summaries import decision_summaries
from ballcourt.arena.replays.view import View, executed
from ballcourt.leaderboard.model.results import MatchResult

DEPTH: Final = 5
"""How many decisions a tree follows."""
WIDTH: Final = 12
"""How many of the decisions at one point it names; there may be more."""


class Move(NamedTuple):
    """A decision that was not forced."""

    seat: int
    words: str


@dataclass(frozen=True, slots=True)
class Opening:
    """A decision after those above it in the tree."""

    move: Move
    match: str
    """The identity of the first match with it."""
    decisions: int
    """How many that match has up to it, the forced ones included."""
    shares: list[float] = field(default_factory=list)
    """By match, the share of its opponents that the seat of the move beat."""
    following: "dict[Move, Opening]" = field(default_factory=dict)

    @property
    def beaten(self) -> float:
        """The share of opponents beaten, in the mean."""
        return fmean(self.shares)

    @property
    def next(self) -> "list[Opening]":
        """The decisions after it, the most frequent first, at most `WIDTH`."""
        return most_frequent(self.following)


def most_frequent(found: "dict[Move, Opening]") -> list[Opening]:
    """Return the most frequent decisions at one point."""
    return sorted(found.values(), key=lambda one: (-len(one.shares), one.move))[:WIDTH]


def openings(matches: Iterable[MatchResult], bot: BotVersion | None = None) -> tuple[list[Opening], int]:
    """Return how matches began, and how many of them could be read; of a bot, only its own decisions count."""
    root: dict[Move, Opening] = {}
    count = 0
    for match in matches:
        for moves in _lines(match, bot):
            count += 1
            here = root
            for move, decisions in moves[:DEPTH]:
                node = here.setdefault(move, Opening(move, match.identity, decisions))
                node.shares.append(_beaten(match, move.seat))
                here = node.following
    return most_frequent(root), count


def _lines(match: MatchResult, bot: BotVersion | None) -> list[Sequence[tuple[Move, int]]]:
    """Return the first decisions of a match, numbered; with a bot, of each of its seats, which then does not matter."""
    moves = _moves(match.record, match.checksum)
    if bot is None or not moves:
        return [moves] if moves else []
    own = [number for number, seat in enumerate(match.seats) if seat.entrant == bot]
    return [[(move, number) for move, number in moves if move.seat == seat] for seat in own]


@lru_cache(maxsize=4096)
def _moves(file: str, checksum: str) -> tuple[tuple[Move, int], ...]:
    """Return the first decisions that were not forced, numbered, enough of each seat; none if they are illegal."""
    del checksum  # ties what is kept to the content of the record
    try:
        record = read_record(Path(file))
        chosen = zip(decision_summaries(record), executed(record, View(*opening(record), None)), strict=False)
        moves = (
            (Move(step.seat, choice["label"]), number)
            for number, (step, (choice, _)) in enumerate(chosen, 1)
            if step.by != "rules"
        )
        return tuple(islice(moves, DEPTH * len(record.entrants)))
    except RecordError:
        return ()


def _beaten(match: MatchResult, seat: int) -> float:
    places = [*(one.placement for one in match.seats), *(rival.placement for rival in match.rivals)]
    own = places[seat]
    level = sum(other == own for other in places) - 1
    return (sum(other > own for other in places) + level / 2) / max(1, len(places) - 1)
