"""Which matches a tournament consists of: blocks of one seed and all seat rotations."""

from arena.schedule.balance import Balance, balance
from arena.schedule.blocks import Block, ScheduleError, blocks_for, round_robin, seatings

__all__ = ["Balance", "Block", "ScheduleError", "balance", "blocks_for", "round_robin", "seatings"]
