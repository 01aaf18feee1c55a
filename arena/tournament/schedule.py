"""The vocabulary of a schedule: blocks of one table in all its seat rotations, and their matches.

A block is a table of entrants that plays one seed in every seat rotation, so that neither the seat nor the luck of
the deal favours anybody in it.

Where a match has one seat, a block is one seed that every entrant plays alone, as in duplicate bridge: only results of
the same deal can be compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ballcourt.engine.core import WrongInput


class ScheduleError(WrongInput):
    """No schedule exists for these entrants and seats."""


@dataclass(frozen=True, slots=True)
class Block:
    """One table: `order` lists entrants, by index, in the order in which they sit around it.

    With a single seat it lists all entrants, in the order in which they sit down.
    """

    index: int
    order: tuple[int, ...]
    seats: int
    seed: int


Seating = tuple[str, tuple[int, ...]]
"""A match of a block: its key, and who sits at seat 0, 1, ..."""


def seatings(block: Block) -> Iterator[tuple[int, ...]]:
    """Yield the block's seat rotations: who sits at seat 0, 1, ..."""
    for rotation in range(len(block.order)):
        yield (block.order[rotation:] + block.order[:rotation])[: block.seats]


def keyed_seatings(block: Block) -> list[Seating]:
    """List the matches of a block: its seat rotations, each under its key, which tells nothing of the seed."""
    return [(f"b{block.index:06d}-r{rotation}", table) for rotation, table in enumerate(seatings(block))]


def block_size(entrants: int, seats: int) -> int:
    """Count the entrants of a block, which has as many matches."""
    return entrants if seats == 1 else seats
