"""The numbers in which a bot says what it makes of a position: what the protocol allows."""

from math import isfinite
from typing import Final

from ballcourt.v1.protocol_pb2 import Evaluation

MAX_BYTES: Final = 4096
MAX_ENTRIES: Final = 64
"""How many actions an evaluation may rank, and how many places it may mark."""


def objection(evaluation: Evaluation, seats: int) -> str:
    """Return what is wrong with an evaluation in a match of this many seats; empty if nothing is."""
    if (size := evaluation.ByteSize()) > MAX_BYTES:
        return f"has {size} bytes; at most {MAX_BYTES} are allowed"
    for name, entries in (("ranked", evaluation.ranked), ("marks", evaluation.marks)):
        if len(entries) > MAX_ENTRIES:
            return f"has {len(entries)} {name}; at most {MAX_ENTRIES} are allowed"
    values = evaluation.values
    if values and not (len(values) == seats and all(-1 <= value <= 1 for value in values)):
        shown = ", ".join(f"{value:g}" for value in values[:MAX_ENTRIES])
        return f"has the values {shown}; they must be one number for each of the {seats} seats, from -1 to 1"
    for entry in evaluation.ranked:
        if not isfinite(entry.value):
            return f"ranks action {entry.action} with the value {entry.value:g}; it must not be infinite"
    return ""
