"""What a run announces about a match that was played, and what schedules need to know about it."""

from pathlib import Path

from ballcourt.arena.tournament.folder.events import MatchPlayed
from ballcourt.arena.tournament.schedules.schedule import SeatOutcome
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord


def match_played(record: MatchRecord, path: Path, *, is_new: bool) -> MatchPlayed:
    """Return the event of a match that counts; its record is at `path`."""
    return MatchPlayed(
        key=record.key,
        bots=tuple(entrant.name for entrant in record.entrants),
        placements=tuple(result.placement for result in record.results),
        scores=tuple(result.score for result in record.results),
        path=path,
        is_new=is_new,
        record=record,
    )


def outcomes_of(record: MatchRecord) -> tuple[SeatOutcome, ...]:
    """Return how a match ended for each seat; a fault that was tolerated is a fault too."""
    tolerated = {fault.seat for fault in record.tolerated}
    return tuple(
        SeatOutcome(
            result.placement,
            result.score,
            result.termination != Termination.TERMINATION_OK or seat in tolerated,
            result.termination != Termination.TERMINATION_OK,
        )
        for seat, result in enumerate(record.results)
    )
