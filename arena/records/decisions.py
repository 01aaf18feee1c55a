"""Who decided the decisions of a recorded match, how long bots thought, and how they ended."""

from typing import cast

from ballcourt.arena.faults import short_name
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord


def decided_by(record: MatchRecord, number: int) -> str:
    """Return who made a decision: "bot", "rules", "substitute", "nobody", or "record" if it was taken over."""
    return DecidedBy.Name(record.decisions.decided_by[number]).removeprefix("DECIDED_BY_").lower()


def own_decisions(record: MatchRecord, seat: int) -> list[int]:
    """List the decisions that the bot of a seat made, by index."""
    rows = zip(record.decisions.seats, record.decisions.decided_by, strict=True)
    return [number for number, (owner, by) in enumerate(rows) if owner == seat and by == DecidedBy.DECIDED_BY_BOT]


def think_times(record: MatchRecord, seat: int) -> list[int]:
    """List how long the bot of a seat thought for each decision it made, in microseconds."""
    return [record.decisions.think_us[number] for number in own_decisions(record, seat)]


def termination(record: MatchRecord, seat: int) -> str:
    """Return how a seat ended: "OK", or the kind of fault that vacated it, such as "OUT_OF_MEMORY"."""
    return short_name(record.results[seat].termination)


def termination_name(number: int) -> str:
    """Return the name of a termination from its number in the protocol, such as "OK"."""
    return short_name(cast(Termination, number))


def termination_number(name: str) -> int:
    """Return the number of a termination in the protocol from its name. Raises ValueError if there is none."""
    unnamed = name.removeprefix("TERMINATION ")  # of an arena that is newer than this one
    return int(unnamed) if unnamed.isdecimal() else int(Termination.Value(f"TERMINATION_{name}"))
