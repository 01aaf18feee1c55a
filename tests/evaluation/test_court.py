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


class OneMatch:
    """Terms of blocks of one match, in which a candidate may take 5 s to start."""

    clock = Clock(startup_ms=5000)

    def block(self, *_: object) -> list[PlayableMatch]:
        entrants = LOWEST.entrant.labelled(f"{CANDIDATE}a"), RANDOM.entrant
        return [PlayableMatch(MatchSpec("m-0", "bluff", {}, 1, entrants, self.clock), {})]

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
            startup_ms = match.spec.seat_clocks[0].startup_ms
            self.allowed.append(startup_ms)
            assert len(self.allowed) < 10, "it ends"
            assert match.spec.seat_clocks[1] == match.spec.clock, "opponents have all their time"
            yield MatchRecord(
                key="m-0",
                entrants=[Entrant(name=one.bot.name) for one in match.spec.entrants],
                results=[SeatResult(termination=self._end), SeatResult(termination=Termination.TERMINATION_OK)],
                faults=[SeatFault(seat=0, detail=f"the bot did not say Hello within {startup_ms} ms")],
                cpu_us=[self._cpu_us, 0],
                decisions=Decisions(seats=[0, 1] * self._decided, decided_by=[BOT, BOT] * self._decided),
            )


@pytest.mark.parametrize(
    ("end", "cpu_us", "allowed"),
    [
        ("FAILED_TO_START", 399_999, [500, 1500, 4500, 5000]),
        ("FAILED_TO_START", 400_000, [500]),
        ("CRASH", 0, [500]),
        ("OK", 0, [500]),
    ],
    ids=["waited", "computed", "crashed", "played"],
)
def test_only_a_candidate_that_waited_before_its_hello_plays_again_with_more_time(
    end: str, cpu_us: int, allowed: list[int]
) -> None:
    runner, terms = Ending(end, cpu_us), OneMatch()
    untyped: Any = terms, nullcontext(runner)
    court = Court(untyped[0], 1, lambda: untyped[1], 500)
    first = Due(LOWEST, Place("000000", 0), attempt=0)
    ((due, block),) = court.play(iter([first]))
    assert runner.allowed == allowed
    assert (due.attempt, block.lost) == (len(allowed) - 1, int(end != "OK"))


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
    ((_, block),) = court.play(iter([Due(LOWEST, Place("shared-000000", number), attempt=0)]))
    assert (block.lost, block.mute, bool(block.records)) == counted
