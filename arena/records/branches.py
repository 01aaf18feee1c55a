"""Matches that branch off from a recorded one: its decisions up to a point, and other players from there on."""

from itertools import islice

from ballcourt.arena.records.replay import opening, positions
from ballcourt.arena.records.store import RecordError, checksum
from ballcourt.v1.record_pb2 import DecidedBy, Decisions, MatchRecord, Origin


def branch(record: MatchRecord, number: int, key: str) -> MatchRecord:
    """Return a match that is to be continued from before decision `number` of a record, under a key of its own.

    It has the position of the record with all that is hidden in it, and the same luck to come. It has no players yet,
    and neither clocks nor faults of the earlier ones. Raises RecordError if there is no such decision, or if the record
    cannot be executed here.
    """
    opening(record)
    last = len(record.decisions.seats) - 1
    if not 0 <= number <= last:
        raise RecordError(f"match {record.key} has decisions 0 to {last}; it cannot branch off at {number}")
    for _ in islice(positions(record), number + 1):
        pass
    origin = Origin(key=record.key, checksum=checksum(record), decision=number, entrants=record.entrants)
    before = decisions_before(record, number)
    return MatchRecord(
        key=key, game=record.game, options=record.options, seed=record.seed, decisions=before, branched_from=origin
    )


def decisions_before(record: MatchRecord, number: int) -> Decisions:
    """Return the decisions before `number` as a match has them that takes them over: without times and thoughts."""
    decisions = record.decisions
    return Decisions(
        seats=decisions.seats[:number],
        actions=decisions.actions[:number],
        think_us=[0] * number,
        decided_by=[
            by if by == DecidedBy.DECIDED_BY_RULES else DecidedBy.DECIDED_BY_RECORD
            for by in decisions.decided_by[:number]
        ],
    )
