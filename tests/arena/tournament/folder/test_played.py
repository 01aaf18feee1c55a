"""What schedules learn of a match."""

from ballcourt.arena.tournament.folder.played import outcomes_of
from ballcourt.arena.tournament.schedules.schedule import SeatOutcome
from ballcourt.v1.protocol_pb2 import SeatResult, Termination
from ballcourt.v1.record_pb2 import MatchRecord, SeatFault, ToleratedFault


def test_a_seat_that_was_lost_is_vacated_and_one_whose_fault_was_tolerated_is_not() -> None:
    ok, crash = Termination.TERMINATION_OK, Termination.TERMINATION_CRASH
    results = [SeatResult(placement=place, score=place, termination=end) for place, end in enumerate((ok, ok, crash))]
    record = MatchRecord(results=results, tolerated=[ToleratedFault(seat=1)], faults=[SeatFault(seat=2)])
    assert outcomes_of(record) == (
        SeatOutcome(0, 0.0, fault=False, vacated=False),
        SeatOutcome(1, 1.0, fault=True, vacated=False),
        SeatOutcome(2, 2.0, fault=True, vacated=True),
    )
