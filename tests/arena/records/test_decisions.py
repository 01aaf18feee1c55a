"""Who decided, and how long bots thought."""

import pytest

from ballcourt.arena.records.decisions import answered, decided_by, own_share, termination, think_times
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy
from tests.arena.recorded import recorded


def test_only_decisions_made_by_a_bot_count_as_its_thinking() -> None:
    record = recorded()
    record.decisions.think_us[:] = range(10, 19)
    record.decisions.decided_by[3] = DecidedBy.DECIDED_BY_RULES
    assert decided_by(record, 3) == "rules"
    assert answered(record, 0) == [0, 6]
    assert think_times(record, 0) == [10, 16]
    assert think_times(record, 1) == [11, 14, 17]


def test_a_decision_that_took_no_measurable_time_is_still_made_by_the_bot() -> None:
    record = recorded()
    record.decisions.think_us[:] = [0] * 9
    assert answered(record, 2) == [2, 5, 8]


def test_an_answer_that_a_bot_did_not_choose_itself_is_a_decision_but_not_its_own() -> None:
    record = recorded()
    record.decisions.decided_by[5] = DecidedBy.DECIDED_BY_FALLBACK
    assert decided_by(record, 5) == "fallback"
    assert answered(record, 2) == [2, 5, 8]
    assert own_share(record, 2) == pytest.approx(2 / 3)
    assert own_share(record, 1) == 1


def test_a_bot_that_was_never_asked_decided_nothing_for_others() -> None:
    record = recorded()
    record.decisions.decided_by[:] = [DecidedBy.DECIDED_BY_NOBODY] * 9
    assert own_share(record, 0) == 1


def test_a_seat_ends_normally_or_with_a_fault() -> None:
    record = recorded()
    record.results[1].termination = Termination.TERMINATION_OUT_OF_MEMORY
    assert [termination(record, seat) for seat in range(3)] == ["OK", "OUT_OF_MEMORY", "OK"]
