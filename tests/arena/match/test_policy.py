"""The fault policy: its valid entries, and its effect on misbehaving bot processes."""

from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.policy import FaultPolicy, PolicyError, parse_policy
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import LOWEST, Traces, fixture_bot
from tests.arena.matches import match_of

WHOLE = {
    "illegal": "retry 2",
    "timeout": "substitute 1",
    "failed_to_start": "retry 1",
    "fallback": "accept 5",
    "disqualify": "above 10% of 20 matches",
    "probation": "2 rounds after 3 faults in 10 matches",
}


def test_a_policy_is_written_as_it_is_read() -> None:
    assert parse_policy(WHOLE).table() == WHOLE
    last = {"disqualify": "above 50% of the last 20 matches"}
    assert parse_policy(last).table().items() >= last.items()


def test_every_fault_is_a_forfeit_by_default() -> None:
    assert FaultPolicy().table() == {
        "illegal": "forfeit",
        "timeout": "forfeit",
        "failed_to_start": "forfeit",
        "fallback": "accept 50%",
        "disqualify": "never",
        "probation": "never",
    }
    assert parse_policy(FaultPolicy().table()) == FaultPolicy()
    assert not FaultPolicy().judges


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("illegal", "ignore", r"it must be \"retry N\", \"substitute N\" \(N from 1 to 100\) or"),
        ("illegal", "retry 0", r"N from 1 to 100"),
        ("illegal", "retry 101", r"N from 1 to 100"),
        ("timeout", "retry 1", r"it must be \"substitute N\""),
        ("failed_to_start", "substitute 1", r"it must be \"retry N\""),
        (
            "fallback",
            "retry 1",
            r"it must be \"accept N\" \(N from 1 to 100\), \"accept N%\" \(N below 100\), \"forfeit\" or \"never\"",
        ),
        ("fallback", "accept 100%", r"N below 100"),
        ("illegal", "retry 50%", r"N from 1 to 100"),
        ("crash", "retry 1", r"crash is not one of illegal, timeout, failed_to_start, fallback, disqualify, probation"),
        ("disqualify", "10%", r"\"above 10% of 20 matches\""),
        ("disqualify", "above 10% of 0 matches", r"of at least 1 match"),
        ("disqualify", "above 10% of last 5 matches", r"\"above 50% of the last 20 matches\""),
        ("probation", "1 round after 4 faults in 3 matches", r"not more faults than matches"),
        ("probation", "0 rounds after 1 fault in 3 matches", r"at least 1 round"),
    ],
)
def test_the_error_for_a_wrong_entry_says_what_is_allowed(name: str, text: str, sentence: str) -> None:
    with pytest.raises(PolicyError, match=sentence):
        parse_policy({name: text})


def played(bot: Bot, policy: FaultPolicy, clock: Clock | None = None) -> MatchRecord:
    spec = match_of("m", "bluff", {"rounds": "3"}, 5, (bot, LOWEST), clock or Clock(), policy)
    with Runner(workers=1) as runner:
        (record,) = runner.run([spec])
    return record


def test_a_substitute_plays_for_a_late_bot_until_its_next_answer(traces: Traces) -> None:
    record = played(
        fixture_bot("misbehaving.py", "late at first"), parse_policy({"timeout": "substitute 1"}), Clock(cap_ms=700)
    )
    assert [fault.remedy for fault in record.tolerated] == ["substitute"]
    assert not record.faults
    assert list(record.decisions.actions[::2]) == [1, 3, 3]
    assert record.dropped[0] == 1, "its late answer"
    assert traces.all_gone()


@pytest.mark.slow
def test_a_bot_learns_what_was_wrong_and_may_answer_again() -> None:
    record = played(fixture_bot("misbehaving.py", "illegal at first"), parse_policy({"illegal": "retry 3"}))
    assert list(record.decisions.actions[::2]) == [3, 3, 3]
    assert len(record.tolerated) == 3
    assert record.results[0].termination == Termination.TERMINATION_OK


@pytest.mark.slow
def test_a_bot_that_fails_to_start_is_restarted(tmp_path: Path) -> None:
    bot = fixture_bot("misbehaving.py", "fails once", str(tmp_path / "started"))
    record = played(bot, parse_policy({"failed_to_start": "retry 1"}))
    assert [fault.termination for fault in record.tolerated] == [Termination.TERMINATION_FAILED_TO_START]
    assert not record.faults
