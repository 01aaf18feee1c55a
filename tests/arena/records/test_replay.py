"""Records executed again: what verifies, what is detected, what cannot be executed here."""

import re
from collections.abc import Callable

import pytest

from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import RecordError
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord, Package, SeatFault
from tests.arena.recorded import recorded, recorded_alone

Change = Callable[[MatchRecord], object]


def test_a_genuine_record_verifies_in_every_decision() -> None:
    record = recorded()
    verdict = verify(record)
    assert verdict.agrees
    assert verdict.decisions == len(record.decisions.seats) == 9


def other_bid(record: MatchRecord) -> None:
    record.decisions.actions[4] = 2


def illegal_bid(record: MatchRecord) -> None:
    record.decisions.actions[4] = 7


def other_seat(record: MatchRecord) -> None:
    record.decisions.seats[4] = 0


def other_seed(record: MatchRecord) -> None:
    record.seed += 1


def other_score(record: MatchRecord) -> None:
    record.results[1].score += 1


def other_placement(record: MatchRecord) -> None:
    record.results[0].placement = 3


def unfounded_fault(record: MatchRecord) -> None:
    record.faults.append(SeatFault(seat=1, decision=3, termination=Termination.TERMINATION_CRASH))


def missing_decision(record: MatchRecord) -> None:
    del record.decisions.seats[-1], record.decisions.actions[-1]
    record.decisions.hashes = record.decisions.hashes[:-8]


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (other_bid, r"decision 4 \(seat 1, BID_2\) differs: its position hashes to"),
        (illegal_bid, r"decision 4 differs: action 7 of seat 1 is not legal"),
        (other_seat, r"decision 4 differs: seat 0 is not asked"),
        (other_seed, r"the opening position differs"),
        (other_score, r"the result of seat 1 differs: place . with -?\d+ \(OK\) executed again"),
        (other_placement, r"the result of seat 0 differs"),
        (unfounded_fault, r"the result of seat . differs: .*CRASH"),
        (missing_decision, r"the match is not over after the last decision; it waits for seats \[2\]"),
    ],
)
def test_a_changed_record_is_detected_at_the_first_difference(change: Change, difference: str) -> None:
    record = recorded()
    change(record)
    verdict = verify(record)
    assert not verdict.agrees
    assert re.search(difference, verdict.difference)


def test_a_changed_rival_is_detected() -> None:
    record = recorded_alone()
    assert verify(record).agrees
    record.rivals[0].score += 1
    assert verify(record).difference == (
        "the rivals differ: the house at place 1 with 3 executed again, the house at place 1 with 4 recorded"
    )
    del record.rivals[:]
    assert verify(record).difference.endswith("none recorded")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("game", "chess", "there is no game 'chess'"),
        ("rules_version", "7", "was played by rules version 7 of bluff; installed is 1"),
    ],
)
def test_a_record_whose_rules_are_not_installed_cannot_be_executed(field: str, value: str, sentence: str) -> None:
    record = recorded()
    setattr(record, field, value)
    with pytest.raises(RecordError, match=sentence):
        verify(record)


def test_the_error_for_other_rules_names_the_package_that_has_them() -> None:
    record = recorded()
    record.rules_version = "7"
    record.rules_package.CopyFrom(Package(name="bluff-rules", version="0.7"))
    with pytest.raises(RecordError, match=r"its rules come with bluff-rules 0\.7: install that version$"):
        verify(record)


@pytest.mark.parametrize(
    ("by", "words"),
    [(DecidedBy.DECIDED_BY_RULES, "decided by rules, but there was more than one"), (DecidedBy.DECIDED_BY_NOBODY, "")],
)
def test_a_decision_with_a_single_option_is_attributed_to_the_rules(by: DecidedBy, words: str) -> None:
    record = recorded()
    record.decisions.decided_by[4] = by
    assert words in verify(record).difference
    assert verify(record).agrees != bool(words)
