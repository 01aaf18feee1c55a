"""The decisions of a match so far, with the hashes of the positions that they led to."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from ballcourt.arena.match.seats import Answer
from ballcourt.arena.records.decisions import ANSWERED
from ballcourt.engine.core import Rows, digest_rows
from ballcourt.v1.protocol_pb2 import Evaluation
from ballcourt.v1.record_pb2 import DecidedBy, Decisions

MOST_THOUGHTS: Final = 2 * 1024 * 1024
"""Bytes of thoughts and evaluations that the record of a match keeps; later ones are left out, so that every record can
be read."""
HASHED_AT_ONCE: Final = 8


class Log:
    """The decisions of a match so far.

    Positions are hashed while a bot thinks, several at a time: one after another they take half as long each.
    """

    def __init__(self, opening: Rows) -> None:
        self.opening_hash = digest_rows(opening)
        self.actions: list[int] = []
        self.overheads_us: list[float] = []
        self._seats: list[int] = []
        self._think_us: list[int] = []
        self._decided_by: list[DecidedBy] = []
        self.answered: Counter[int] = Counter()
        """Decisions by seat that its bot answered."""
        self.fallbacks: Counter[int] = Counter()
        """Those of them that it did not choose itself."""
        self._hashes = [self.opening_hash]
        self._unhashed: list[Rows] = []
        self._thoughts: dict[int, str] = {}
        self._evaluations: dict[int, Evaluation] = {}
        self._thought_bytes_left = MOST_THOUGHTS

    def add(self, position: Rows, seat: int, answer: Answer) -> None:
        """Add an applied action and the position it led to."""
        if answer.thoughts and (size := len(answer.thoughts.encode())) <= self._thought_bytes_left:
            self._thought_bytes_left -= size
            self._thoughts[len(self.actions)] = answer.thoughts
        if answer.evaluation and (size := answer.evaluation.ByteSize()) <= self._thought_bytes_left:
            self._thought_bytes_left -= size
            self._evaluations[len(self.actions)] = answer.evaluation
        self._seats.append(seat)
        self.actions.append(answer.action)
        self._think_us.append(answer.think_us)
        self._decided_by.append(answer.decided_by)
        self.answered[seat] += answer.decided_by in ANSWERED
        self.fallbacks[seat] += answer.decided_by == DecidedBy.DECIDED_BY_FALLBACK
        self._unhashed.append(position)

    def times(self) -> Iterator[tuple[int, int]]:
        """Yield the decisions of bots as seats and microseconds."""
        for seat, think_us, by in zip(self._seats, self._think_us, self._decided_by, strict=True):
            if by in ANSWERED:
                yield seat, think_us

    def bot_thinks(self) -> None:
        """Use the time, some 50 microseconds at most, to hash positions if enough wait for it."""
        if len(self._unhashed) >= HASHED_AT_ONCE:
            self._hash()

    def _hash(self) -> None:
        for position in self._unhashed:
            self._hashes.append(digest_rows(position, self._hashes[-1]))
        self._unhashed.clear()

    def decisions(self) -> Decisions:
        """Return all decisions as a message of the record."""
        self._hash()
        return Decisions(
            seats=self._seats,
            actions=self.actions,
            think_us=self._think_us,
            decided_by=self._decided_by,
            hashes=b"".join(self._hashes[1:]),
            thoughts=self._thoughts,
            evaluations=self._evaluations,
        )

    def overhead_us(self, percent: int) -> float:
        """Return a percentile of the arena's own time per round, in microseconds; 0 if no seat was asked."""
        ordered = sorted(self.overheads_us)
        return ordered[len(ordered) * percent // 100] if ordered else 0.0
