"""Who decided, and how long bots thought."""

from ballcourt.arena.records.decisions import decided_by, own_decisions, termination, think_times
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy
from tests.arena.recorded import recorded


def test_only_decisions_made_by_a_bot_count_as_its_thinking() -> None:
    record = recorded()
    record.decisions.think_us[:] = range(10, 19)
    record.decisions.decided_by[3] = DecidedBy.DECIDED_BY_RULES
    assert decided_by(record, 3) == "rules"
    assert own_decisions(record, 0) == [0, 6]
    assert think_times(record, 0) == [10, 16]
    assert think_times(record, 1) == [11, 14, 17]


def test_a_decision_that_took_no_measurable_time_is_still_made_by_the_bot() -> None:
    record = recorded()
    record.decisions.think_us[:] = [0] * 9
    assert own_decisions(record, 2) == [2, 5, 8]


def test_a_seat_ends_normally_or_with_a_fault() -> None:
    record = recorded()
    record.results[1].termination = Termination.TERMINATION_OUT_OF_MEMORY
    assert [termination(record, seat) for seat in range(3)] == ["OK", "OUT_OF_MEMORY", "OK"]
