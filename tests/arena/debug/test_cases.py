"""Questions taken from records and fault bundles, and invalid targets."""

import asyncio
from pathlib import Path

import pytest

from ballcourt import Bot, Decision, Session
from ballcourt.arena.debug.cases import Case, find_question
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.bundle import write_bundles
from ballcourt.arena.records.store import RecordError, write_record
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord, ToleratedFault
from tests.arena.recorded import Lowest, recorded


class Cheat(Bot):
    name = "cheat"
    version = "1"

    def choose(self, decision: Decision) -> int:
        return 77 if decision.bank_ms > 10**9 else decision.legal[0]  # from the second attempt on


def case(target: object) -> Case:
    return asyncio.run(find_question(str(target)).case(observes=False))


def kept(tmp_path: Path, record: MatchRecord) -> Path:
    return write_record(tmp_path, record)


def cheated() -> MatchRecord:
    return play_in_process("bluff", [Session(Lowest()), Session(Cheat())], seed=1)


def test_a_decision_of_a_record_has_its_answer_and_all_earlier_messages(tmp_path: Path) -> None:
    found = case(f"{kept(tmp_path, recorded())}@7")
    assert found.title == "match match of bluff, decision 7: seat 1 of 3, highest 1"
    assert (found.start.seat, found.start.seats, found.start.game) == (1, 3, "bluff")
    assert (found.question.decision_id, list(found.question.legal), found.answer) == (3, [1, 2, 3], 3)
    assert [answer for _, answer in found.before] == [3, 3]
    assert found.fault == ""


def test_the_question_at_which_a_seat_was_vacated_has_a_fault_instead_of_an_answer(tmp_path: Path) -> None:
    found = case(f"{kept(tmp_path, cheated())}@3")
    assert found.answer is None
    assert "answered with action 77" in found.fault


def test_a_bundle_has_the_same_question_and_its_answer(tmp_path: Path) -> None:
    record = cheated()
    (folder,) = write_bundles(tmp_path / "faults", record)
    bundled, by_record = case(folder), case(f"{kept(tmp_path, record)}@3")
    assert bundled.question == by_record.question
    assert bundled.start.bot_seed == by_record.start.bot_seed
    assert [answer for _, answer in bundled.before] == [1]
    assert bundled.answer == 77
    assert "answered with action 77" in bundled.fault


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (9, "has decisions 0 to 8, not 9; seat 0 was asked 3 times from 0 to 6, seat 1 was asked 3 times from 1 to 7"),
        ("x", "does not name a decision; give RECORD@DECISION, such as .*@0"),
        ("-1", "does not name a decision"),
    ],
)
def test_a_decision_that_does_not_exist_is_refused(tmp_path: Path, number: object, sentence: str) -> None:
    with pytest.raises(RecordError, match=sentence):
        find_question(f"{kept(tmp_path, recorded())}@{number}")


def test_a_decision_after_the_seat_was_vacated_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"at decision 5 .* seat 1 had lost its seat; the last it was asked for is 3"):
        find_question(f"{kept(tmp_path, cheated())}@5")


def test_a_decision_with_a_single_legal_action_is_refused_and_nearby_ones_are_named(tmp_path: Path) -> None:
    record = play_in_process("tzolkin", [Session(Lowest()), Session(Lowest())], seed=1)
    forced = list(record.decisions.decided_by).index(DecidedBy.DECIDED_BY_RULES)
    with pytest.raises(RecordError, match=r"had a single legal action, .* near it seat . was asked for [0-9, ]+$"):
        find_question(f"{kept(tmp_path, record)}@{forced}")


def test_other_rules_are_refused(tmp_path: Path) -> None:
    record = cheated()
    record.rules_version = "0"
    record.faults[0].last[0].request = record.faults[0].last[0].request.replace(b"\x1a\x011", b"\x1a\x010")
    (folder,) = write_bundles(tmp_path / "faults", record)
    for target in (f"{kept(tmp_path, record)}@1", folder):
        with pytest.raises(RecordError, match="rules version 0 of bluff; installed is 1"):
            find_question(str(target))


def test_a_bundle_without_a_question_is_refused(tmp_path: Path) -> None:
    record = cheated()
    del record.faults[0].last[:]
    (folder,) = write_bundles(tmp_path / "faults", record)
    with pytest.raises(RecordError, match="this bundle contains no question"):
        find_question(str(folder))


def test_a_record_with_a_tolerated_fault_that_its_policy_forbids_is_refused(tmp_path: Path) -> None:
    record = recorded()
    fault = ToleratedFault(seat=0, decision=3, termination=Termination.TERMINATION_TIMEOUT, remedy="substitute")
    record.tolerated.append(fault)
    with pytest.raises(RecordError, match="match match contradicts itself: its replay does not reach decision 6"):
        case(f"{kept(tmp_path, record)}@6")
