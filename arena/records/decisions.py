"""Who decided the decisions of a recorded match, how long bots thought, and how they ended."""

from typing import Final, cast

from ballcourt.arena.faults import short_name
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord

ANSWERED: Final = DecidedBy.DECIDED_BY_BOT, DecidedBy.DECIDED_BY_FALLBACK
"""Who decided where a bot was asked and its answer was played."""


def decided_by(record: MatchRecord, number: int) -> str:
    """Return who made a decision.

    "bot", "fallback" if the bot answered without choosing itself, "rules", "substitute", "nobody", or "record" if it
    was taken over.
    """
    return DecidedBy.Name(record.decisions.decided_by[number]).removeprefix("DECIDED_BY_").lower()


def answered(record: MatchRecord, seat: int) -> list[int]:
    """List the decisions that the bot of a seat answered, by index."""
    rows = zip(record.decisions.seats, record.decisions.decided_by, strict=True)
    return [number for number, (owner, by) in enumerate(rows) if owner == seat and by in ANSWERED]


def own_share(record: MatchRecord, seat: int) -> float:
    """Return the share of the answers of a seat's bot that it chose itself, from 0 to 1; 1 without any answer."""
    by = [record.decisions.decided_by[number] for number in answered(record, seat)]
    return by.count(DecidedBy.DECIDED_BY_BOT) / len(by) if by else 1.0


def think_times(record: MatchRecord, seat: int) -> list[int]:
    """List how long the bot of a seat thought for each decision it answered, in microseconds."""
    return [record.decisions.think_us[number] for number in answered(record, seat)]


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
