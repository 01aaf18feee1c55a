"""How long a candidate may take to start in its first block."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import pytest

from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.evaluation.court import LEARNT_FROM, Court, Due
from ballcourt.evaluation.terms import CANDIDATE, Place
from ballcourt.v1.protocol_pb2 import SeatResult, Termination
from ballcourt.v1.record_pb2 import DecidedBy, Decisions, Entrant, MatchRecord, SeatFault
from tests.arena.conftest import LOWEST, RANDOM

BOT = DecidedBy.DECIDED_BY_BOT
RIVAL = Clock(startup_ms=7000)


class OneMatch:
    """Terms of blocks of one match, in which a candidate may take 5 s to start."""

    clock = Clock(startup_ms=5000)

    def block(self, *_: object) -> list[PlayableMatch]:
        entrants = LOWEST.entrant.labelled(f"{CANDIDATE}a"), RANDOM.entrant
        clocks = self.clock, RIVAL
        return [PlayableMatch(MatchSpec("m-0", "bluff", {}, 1, entrants, self.clock, seat_clocks=clocks), {})]

    def share(self, _: object) -> float:
        return 0.0

    def points(self, _: object) -> None:
        return None


class Ending:
    """A runner whose candidates all end alike; it notes how long they might take to start."""

    def __init__(self, end: str, cpu_us: int, decided: int = 0) -> None:
        self._end = f"TERMINATION_{end}"
        self._cpu_us = cpu_us
        self._decided = decided
        self.allowed: list[int] = []

    def run_blocks(self, blocks: Iterable[Sequence[PlayableMatch]]) -> Iterator[MatchRecord]:
        for (match,) in blocks:
            own, other = match.spec.seat_clocks or (match.spec.clock,) * 2
            self.allowed.append(startup_ms := own.startup_ms)
            assert other == RIVAL, "opponents have all their time, and their own clock"
            yield MatchRecord(
                key="m-0",
                entrants=[Entrant(name=one.bot.name) for one in match.spec.entrants],
                results=[SeatResult(termination=self._end), SeatResult(termination=Termination.TERMINATION_OK)],
                faults=[SeatFault(seat=0, detail=f"the bot did not say Hello within {startup_ms} ms")],
                cpu_us=[self._cpu_us, 0],
                decisions=Decisions(seats=[0, 1] * self._decided, decided_by=[BOT, BOT] * self._decided),
            )


@pytest.mark.parametrize(
    ("is_first", "start_ms", "allowed"), [(True, 500, 500), (True, 9000, 5000), (False, 500, 5000)]
)
def test_a_candidate_has_little_time_to_start_in_its_first_block_alone(
    is_first: bool, start_ms: int, allowed: int
) -> None:
    runner = Ending("FAILED_TO_START", 0)
    untyped: Any = OneMatch(), nullcontext(runner)
    court = Court(untyped[0], 1, lambda: untyped[1], start_ms)
    ((_, block),) = court.play(iter([Due(LOWEST, Place("000000", 0), is_first)]))
    assert (runner.allowed, block.lost) == ([allowed], 1)


@pytest.mark.parametrize(
    ("end", "decided", "number", "counted"),
    [
        ("CRASH", 0, 0, (1, 1, True)),
        ("CRASH", 2, 0, (1, 0, True)),
        ("CRASH", 2, LEARNT_FROM, (1, 0, True)),
        ("OK", 2, LEARNT_FROM - 1, (0, 0, True)),
        ("OK", 2, LEARNT_FROM, (0, 0, False)),
    ],
)
def test_a_block_counts_lost_seats_and_keeps_records_of_these_and_of_the_first_blocks(
    end: str, decided: int, number: int, counted: tuple[int, int, bool]
) -> None:
    untyped: Any = OneMatch(), nullcontext(Ending(end, 0, decided))
    court = Court(untyped[0], 1, lambda: untyped[1], 500)
    ((_, block),) = court.play(iter([Due(LOWEST, Place("shared-000000", number), is_first=True)]))
    assert (block.lost, block.mute, bool(block.records)) == counted
