"""Every misbehaving bot gets the expected termination, and harms no other."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from ballcourt.arena.bots.parameters import Parameter
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.sandbox.tiers import Limits, Sandbox
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import LOWEST, RANDOM, Traces, fixture_bot
from tests.arena.matches import match_of

CLOCK = Clock(match_start_ms=2000, bank_ms=20_000, cap_ms=1500, grace_ms=200)
CLOCKS = {
    "never connects": replace(CLOCK, startup_ms=12_000),
    "dawdles": replace(CLOCK, bank_ms=800, increment_ms=0, grace_ms=100),
}

DESERVED = {
    # way: termination, exit code, words of the detail, words of the output
    "exits on start": ("FAILED_TO_START", 3, "exit code 3", "no model file"),
    "never connects": ("FAILED_TO_START", 0, "did not say Hello within 12000 ms", ""),
    "stops at once": ("FAILED_TO_START", 0, "Hello; does its program call run(...)? (exit code 0)", ""),
    "exits well": ("CRASH", 0, "stream ended in the middle of the match (exit code 0)", ""),
    "wrong token": ("FAILED_TO_START", 1, "before it sent Hello", "token is unknown or used"),
    "no hello": ("FAILED_TO_START", 1, "before it sent Hello", "first message of a stream must be Hello"),
    "junk on the socket": ("FAILED_TO_START", 5, "exit code 5", ""),
    "other protocol": ("REFUSED", None, "speaks protocol 7 and this arena speaks 1", ""),
    "other game": ("REFUSED", None, "plays chess (rules any) and this match is bluff (rules 1)", ""),
    "never ready": ("TIMEOUT", 0, "did not answer MatchStart with Ready within 2000 ms", ""),
    "crashes": ("CRASH", 4, "exit code 4", "Segmentation fault, or so"),
    "killed": ("CRASH", -9, "killed by SIGKILL", ""),
    "orphan and crash": ("CRASH", 4, "exit code 4", ""),
    "leaves": ("CRASH", 0, "dinner", ""),
    "huge": ("CRASH", None, "stream ended", ""),
    "hangs": ("TIMEOUT", 0, "did not answer within 1500 ms", ""),
    "answers late": ("TIMEOUT", 0, "did not answer within 1500 ms", ""),
    "dawdles": ("TIMEOUT", 0, "did not answer within", ""),
    "illegal": ("ILLEGAL", 0, "action 77 (no action of this game); legal were 1 BID_1, 2 BID_2, 3 BID_3", ""),
    "deaf to SIGTERM": ("ILLEGAL", 0, "action 77", ""),
    "garbage": ("PROTOCOL_ERROR", 0, "bytes that are not a BotMessage", ""),
    "floods": ("PROTOCOL_ERROR", 0, "more than 100 unsolicited messages", ""),
    "unasked answer": ("PROTOCOL_ERROR", 0, "answered decision 2, which was never asked", ""),
    "too large": ("PROTOCOL_ERROR", 0, "at most 65536 are allowed", ""),
    "long thoughts": ("PROTOCOL_ERROR", 0, "thoughts of 5000 bytes", ""),
    "wild evaluation": ("PROTOCOL_ERROR", 0, "with decision 1 has the values 7, 7; they must be one number for", ""),
    "hello twice": ("PROTOCOL_ERROR", 0, "sent Hello twice", ""),
    "answers twice": ("OK", None, "", ""),
    "stale answers": ("OK", None, "", ""),
    "noisy": ("OK", None, "", ""),
    "orphan": ("OK", None, "", ""),
}

FIRST = (
    "exits on start", "other protocol", "hangs", "crashes", "illegal", "garbage", "floods", "answers twice",
    "stale answers",
)  # fmt: skip
"""What is tried on every run: each termination, and each way in which messages are kept."""


def played(ways: list[str]) -> dict[str, MatchRecord]:
    specs = [
        match_of(way, "bluff", {"rounds": "3"}, 5, (fixture_bot("misbehaving.py", way), LOWEST), CLOCKS.get(way, CLOCK))
        for way in ways
    ]
    with Runner(workers=1, matches_per_worker=6) as runner:
        return {record.key: record for record in runner.run(specs)}


def shortcomings(record: MatchRecord) -> list[str]:
    """List how a record differs from the expected end of its misbehaving bot in seat 0."""
    termination, exit_code, detail, output = DESERVED[record.key]
    expected = Termination.Value(f"TERMINATION_{termination}")
    outcome, honest = record.results
    problems = []
    if outcome.termination != expected:
        problems.append(f"ended {Termination.Name(outcome.termination)}, not {termination}")
    if honest.termination != Termination.TERMINATION_OK:
        problems.append(f"cost the other seat {Termination.Name(honest.termination)}")
    if (len(record.faults) == 0) != (termination == "OK"):
        problems.append("has the wrong number of faults")
    for fault in record.faults:
        if (outcome.placement, honest.placement) != (2, 1):
            problems.append("was not placed last")
        if exit_code is not None and fault.exit_code != exit_code:
            problems.append(f"has exit code {fault.exit_code}")
        if detail not in fault.detail or output not in fault.stderr_tail:
            problems.append(f"has the detail '{fault.detail}' and wrote '{fault.stderr_tail[-300:]}'")
    return problems


def spoken(record: MatchRecord) -> list[tuple[str | None, int]]:
    """Return the last exchanges with the bot at fault: kinds of requests and numbers of replies."""
    (fault,) = record.faults
    return [
        (ArenaMessage.FromString(exchange.request).WhichOneof("message"), len(exchange.replies))
        for exchange in fault.last
    ]


def judged(ways: Iterable[str], traces: Traces) -> dict[str, MatchRecord]:
    """Play matches with misbehaving bots; each must end as it should."""
    records = played(list(ways))
    problems = {way: found for way, record in records.items() if (found := shortcomings(record))}
    assert problems == {}
    assert set(records) == set(ways)
    assert all(len(record.decisions.actions) == 6 for record in records.values()), "every match goes to its end"
    assert traces.all_gone()
    return records


@pytest.mark.slow
def test_each_misbehaving_bot_gets_its_termination_and_leaves_nothing_behind(traces: Traces) -> None:
    records = judged([way for way in DESERVED if way not in FIRST], traces)
    assert spoken(records["never ready"]) == [("match_start", 0)]


def test_each_termination_has_its_evidence_and_leaves_nothing_behind(traces: Traces) -> None:
    records = judged(FIRST, traces)
    assert [records[way].dropped[0] for way in ("answers twice", "stale answers")] == [2, 3]
    assert spoken(records["exits on start"]) == []
    assert spoken(records["hangs"]) == [("match_start", 1), ("decide", 0)]
    assert spoken(records["floods"]) == [("match_start", 1), ("decide", 8)]
    assert list(records["garbage"].faults[0].last[1].replies) == [b"\xff\xfe this is no protobuf"]
    assert BotMessage.FromString(records["illegal"].faults[0].last[1].replies[0]).action.action == 77


@pytest.mark.slow
def test_a_bot_that_uses_up_its_cpu_time_has_a_termination_of_its_own(traces: Traces) -> None:
    burning = fixture_bot("misbehaving.py", "burn for ever")
    match = match_of("m", "bluff", {"rounds": "3"}, 5, (burning, RANDOM), Clock(), sandbox=Sandbox(0, Limits(cpu_s=1)))
    with Runner(workers=1) as runner:
        [record] = runner.run([match])
    assert record.results[0].termination == Termination.TERMINATION_OUT_OF_CPU_TIME
    assert record.faults[0].detail == (
        "the bot ran out of CPU time: at most 1 s are allowed, over all its matches (killed by SIGXCPU)"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ((), "there is no parameter 'depth'; bot.toml declares none\n"),
        ((Parameter("depth", 0.5, 0, 2),), "the parameter 'depth' is 0.5; it must be a whole number"),
    ],
)
def test_a_parameter_that_is_missing_or_of_another_type_is_a_sentence_for_the_author(
    declared: tuple[Parameter, ...], sentence: str
) -> None:
    asking = replace(fixture_bot("asking.py"), parameters=declared)
    with Runner(workers=1) as runner:
        (record,) = runner.run([match_of("asking", "bluff", {}, 5, (asking, LOWEST))])
    (fault,) = record.faults
    assert fault.stderr_tail.startswith(sentence)
    assert "Traceback" not in fault.stderr_tail
    assert fault.exit_code == 1
    assert record.results[1].termination == Termination.TERMINATION_OK
