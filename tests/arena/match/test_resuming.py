"""Matches that are broken off and continued later."""

import asyncio
from dataclasses import replace

import pytest

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.policy import parse_policy
from ballcourt.arena.match.referee import Match
from ballcourt.arena.match.scripted_seats import ScriptedSeat
from ballcourt.arena.match.seats import Answer
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.records.remedy import Remedy
from ballcourt.arena.records.replay import verify
from ballcourt.engine.core import IllegalAction
from ballcourt.v1.protocol_pb2 import Decide, Evaluation, Termination
from ballcourt.v1.record_pb2 import MatchRecord, ToleratedFault
from tests.bluff import Bluff

BLUFF = Bluff()
SPEC = MatchSpec("k", "bluff", {}, 5, (Entrant(BotVersion("a", "1")), Entrant(BotVersion("b", "1"))))


class BrokenOff(Exception):
    """The match ends here."""


def highest(decide: Decide) -> Answer:
    sides = Evaluation(values=[0.5, -0.5])
    return Answer(decide.legal[-1], think_us=2000, thoughts="higher is better", evaluation=sides)


def broken_off(spec: MatchSpec, after: int, *, at_fault: bool = False) -> MatchRecord:
    """Play until seat 0 has answered this many questions; return the unfinished record."""
    kept: list[MatchRecord] = []

    def first(decide: Decide) -> Answer:
        if decide.decision_id > after:
            kept.append(MatchRecord.FromString(match.so_far().SerializeToString()))
        return highest(decide)

    def second(decide: Decide) -> Answer:
        if at_fault:
            raise BotFault(Termination.TERMINATION_CRASH, "it crashed")
        return highest(decide)

    match = Match(BLUFF, spec, [ScriptedSeat(first), ScriptedSeat(second)])
    asyncio.run(match.play())
    return kept[0]


def continued(spec: MatchSpec, begun: MatchRecord) -> tuple[MatchRecord, list[ScriptedSeat]]:
    seats = [ScriptedSeat(highest), ScriptedSeat(highest)]
    match = Match(BLUFF, spec, seats)
    match.resume(begun)
    return asyncio.run(match.play()), seats


def test_a_continued_match_is_the_match_that_was_not_broken_off() -> None:
    begun = broken_off(SPEC, 2)
    assert len(begun.decisions.actions) == 4
    assert not begun.results
    record, _ = continued(SPEC, begun)
    whole = asyncio.run(Match(BLUFF, SPEC, [ScriptedSeat(highest), ScriptedSeat(highest)]).play())
    assert verify(record).agrees
    assert record.decisions == whole.decisions
    assert record.started == begun.started


def test_the_first_question_comes_with_all_events_and_with_what_is_left_of_the_bank() -> None:
    spec = replace(SPEC, clock=Clock(bank_ms=1000, increment_ms=0))
    _, seats = continued(spec, broken_off(spec, 2))
    first = next(message.decide for message in seats[0].sent if message.HasField("decide"))
    assert [event.seat for event in first.events] == [0, 1, 0, 1]
    assert first.bank_ms == 1000 - 2 * 2


def test_a_seat_that_was_lost_stays_lost() -> None:
    record, seats = continued(SPEC, broken_off(SPEC, 1, at_fault=True))
    assert [fault.seat for fault in record.faults] == [1]
    assert record.results[1].termination == Termination.TERMINATION_CRASH
    assert seats[1].sent == []
    assert verify(record).agrees


@pytest.mark.parametrize("before", [1, 2])
def test_faults_that_were_tolerated_still_count(before: int) -> None:
    spec = replace(SPEC, policy=parse_policy({"illegal": "substitute 2"}))
    begun = broken_off(spec, 1)
    begun.tolerated.extend(
        ToleratedFault(seat=0, termination=Termination.TERMINATION_ILLEGAL, remedy=Remedy.SUBSTITUTE)
        for _ in range(before)
    )
    match = Match(BLUFF, spec, [ScriptedSeat(lambda _: Answer(999)), ScriptedSeat(highest)])
    match.resume(begun)
    record = asyncio.run(match.play())
    assert len(record.tolerated) == 2
    assert [fault.seat for fault in record.faults] == [0]


def test_a_match_is_not_continued_with_the_decisions_of_another() -> None:
    begun = broken_off(SPEC, 1)
    begun.decisions.actions[0] = 9
    with pytest.raises(IllegalAction):
        continued(SPEC, begun)
