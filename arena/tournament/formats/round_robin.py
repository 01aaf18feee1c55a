"""Round robin over blocks, a pure function of the number of entrants, the number of seats and the seed.

A block is a table of entrants that plays one seed in every seat rotation, so that neither the seat nor the luck of
the deal favours anybody in it. A round holds every group of entrants once. Within a round the groups come in
cycles (0 1 3, 1 2 4, 2 3 5 ...), so that a plan that ends inside a round is as balanced as it can be: after every
full cycle all entrants have played the same number of blocks.

Where a match has one seat, a block is one seed that every entrant plays alone, as in duplicate bridge: only results of
the same deal can be compared. A round is one block.
"""

from collections.abc import Iterator
from itertools import combinations, count, permutations
from math import comb

from ballcourt.arena.tournament.schedule import Block, ScheduleError, block_size
from ballcourt.engine.core.chance import stream


def round_robin(entrants: int, seats: int, seed: int) -> Iterator[Block]:
    """Yield the blocks of a tournament, round after round, without end.

    Who sits before whom changes from block to block. Raises ScheduleError when the seats cannot be filled.
    """
    if not 1 <= seats <= entrants:
        raise ScheduleError(f"{seats} seats cannot be filled by {entrants} different bots; name at least {seats}")
    index = count()
    for turn in count():
        for place, group in enumerate(groups(entrants, block_size(entrants, seats))):
            arrangements = list(permutations(group[1:])) if seats > 1 else [group[1:]]
            order = (group[0], *arrangements[(turn + place) % len(arrangements)])
            block = next(index)
            yield Block(block, order, seats, stream(seed, f"block {block}").next64())


def groups(entrants: int, seats: int) -> Iterator[tuple[int, ...]]:
    """Yield every group of `seats` entrants once, in cycles of groups that are shifts of one another."""
    for rest in combinations(range(1, entrants), seats - 1):
        cycle = _shifts((0, *rest), entrants)
        if cycle[0] == min(cycle):
            yield from cycle


def blocks_for(entrants: int, seats: int, *, rounds: int | None = None, matches: int | None = None) -> int:
    """Count the blocks of so many rounds, or the fewest whole blocks that hold so many matches."""
    size = block_size(entrants, seats)
    if rounds is not None:
        return rounds * comb(entrants, size)
    return -(-(matches or 0) // size)


def _shifts(group: tuple[int, ...], entrants: int) -> list[tuple[int, ...]]:
    shifted = [tuple(sorted((member + shift) % entrants for member in group)) for shift in range(entrants)]
    return list(dict.fromkeys(shifted))
