"""Which matches a tournament consists of: blocks of one seed and all seat rotations."""

from ballcourt.arena.schedule.balance import Balance, balance
from ballcourt.arena.schedule.blocks import (
    Block,
    ScheduleError,
    Seating,
    block_size,
    blocks_for,
    keyed_seatings,
    round_robin,
    seatings,
)

__all__ = [
    "Balance",
    "Block",
    "ScheduleError",
    "Seating",
    "balance",
    "block_size",
    "blocks_for",
    "keyed_seatings",
    "round_robin",
    "seatings",
]
