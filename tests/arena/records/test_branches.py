"""Matches that branch off from a recorded one."""

import asyncio

import pytest

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.debug.questions import conversation
from ballcourt.arena.match.referee import Match
from ballcourt.arena.match.scripted_seats import ScriptedSeat
from ballcourt.arena.match.seats import Answer
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.records.branches import branch
from ballcourt.arena.records.decisions import decided_by, think_times
from ballcourt.arena.records.narrative import narrative
from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import RecordError, checksum
from ballcourt.arena.records.summaries import to_json
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord
from tests.arena.recorded import recorded


def played_on(record: MatchRecord, number: int) -> tuple[MatchRecord, list[ScriptedSeat]]:
    """Branch off before a decision; from there on all seats give their highest answer."""
    entrants = tuple(Entrant(BotVersion(f"new{seat}", "1")) for seat in range(len(record.entrants)))
    spec = MatchSpec("branched", record.game, dict(record.options), record.seed, entrants)
    seats = [ScriptedSeat(lambda decide: Answer(decide.legal[-1], 1000)) for _ in entrants]
    match = Match(find_game(record.game), spec, seats)
    match.resume(branch(record, number, spec.key))
    return asyncio.run(match.play()), seats


@pytest.mark.parametrize("number", [0, 4, 8])
def test_a_branched_match_has_the_decisions_before_its_branch_and_verifies(number: int) -> None:
    origin = recorded()
    record, _ = played_on(origin, number)
    assert verify(record).agrees
    assert record.decisions.actions[:number] == origin.decisions.actions[:number]
    assert set(record.decisions.actions[number:]) == {3}
    assert {decided_by(record, at) for at in range(number)} <= {"record", "rules"}
    assert record.opening_hash == origin.opening_hash


def test_its_record_says_what_it_branched_off_from_and_who_had_played() -> None:
    origin = recorded()
    record, _ = played_on(origin, 4)
    branched = record.branched_from
    assert (branched.key, branched.decision, branched.checksum) == (origin.key, 4, checksum(origin))
    assert branched.entrants == origin.entrants
    sentence = "branched off from match match of lowest 1, highest 1, lowest 1 at decision 4"
    assert sentence in list(narrative(record))
    assert to_json(record)["branched_from"] == {"key": "match", "decision": 4}


def test_earlier_players_leave_neither_times_nor_thoughts_nor_faults_behind() -> None:
    origin = recorded()
    origin.faults.add(seat=1, decision=1, termination=Termination.TERMINATION_CRASH)
    for at in range(1, len(origin.decisions.seats)):
        if origin.decisions.seats[at] == 1:
            origin.decisions.decided_by[at] = DecidedBy.DECIDED_BY_NOBODY
    record, seats = played_on(origin, 6)
    assert [len(think_times(record, seat)) for seat in range(3)] == [1, 1, 1]
    assert (dict(record.decisions.thoughts), list(record.faults)) == ({}, [])
    assert record.results[1].termination == Termination.TERMINATION_OK
    first = next(message.decide for message in seats[0].sent if message.HasField("decide"))
    assert first.bank_ms == MatchSpec("k", "bluff", {}, 1, ()).clock.bank_ms


def test_the_questions_of_a_branched_match_can_be_rebuilt() -> None:
    record, seats = played_on(recorded(), 4)
    for seat, line in enumerate(seats):
        sent = [message for message in asyncio.run(conversation(record, seat)) if message.HasField("decide")]
        assert sent == [message for message in line.sent if message.HasField("decide")]


@pytest.mark.parametrize("number", [-1, 9])
def test_a_match_branches_off_only_at_its_decisions(number: int) -> None:
    with pytest.raises(RecordError, match=f"match match has decisions 0 to 8; it cannot branch off at {number}"):
        branch(recorded(), number, "k")


def test_a_decision_that_was_taken_over_is_one_before_the_branch() -> None:
    record, _ = played_on(recorded(), 4)
    record.branched_from.decision = 3
    assert "decided by record, but the match branched off at decision 3" in verify(record).difference
