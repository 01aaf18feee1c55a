"""The standing of entrants, for formats whose next blocks depend on results; ratings are the leaderboard's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from ballcourt.arena.tournament.schedules.placing import AtTable, Round, RoundTable
from ballcourt.arena.tournament.schedules.schedule import PlayedBlock, PlayedMatch

DIGITS: Final = 9
"""How precisely totals are compared: three thirds of a point are a point."""

Standing = tuple[float, float, int]
"""Points, score, and matches with a fault as a negative number: more is better, the first before the others."""


def points(match: PlayedMatch) -> list[float]:
    """Return for each seat the share of its opponents that it placed above, a tie counting half; from 0 to 1."""
    places = [outcome.placement for outcome in match.outcomes]
    opponents = max(1, len(places) - 1)
    return [(sum(place < other for other in places) + (places.count(place) - 1) / 2) / opponents for place in places]


def standings(entrants: Iterable[int], played: Sequence[PlayedBlock]) -> dict[int, Standing]:
    """Return the total of each of these entrants in these blocks."""
    total = dict.fromkeys(entrants, (0.0, 0.0, 0))
    for match in (match for block in played for match in block.matches):
        for entrant, won, outcome in zip(match.table, points(match), match.outcomes, strict=True):
            if entrant in total:
                before = total[entrant]
                total[entrant] = (before[0] + won, before[1] + outcome.score, before[2] - outcome.fault)
    return {entrant: (round(own[0], DIGITS), round(own[1], DIGITS), own[2]) for entrant, own in total.items()}


def achieved(entrants: Iterable[int], played: Sequence[PlayedBlock]) -> dict[int, tuple[float, float, int]]:
    """Return the points, the score and the number of faults of each of these entrants in these blocks."""
    return {entrant: (won, score, -faults) for entrant, (won, score, faults) in standings(entrants, played).items()}


def ranked(entrants: Iterable[int], played: Sequence[PlayedBlock], before: Sequence[PlayedBlock] = ()) -> list[int]:
    """Return the entrants from first to last by what they achieved in these blocks.

    Those with equal points, scores and faults stand by their faults in the blocks before, then as in the list.
    """
    total = standings(entrants, played)
    earlier = standings(total, before)
    return sorted(total, key=lambda entrant: (*(-part for part in total[entrant]), -earlier[entrant][2], entrant))


def ranked_at(block: PlayedBlock, before: Sequence[PlayedBlock] = ()) -> list[int]:
    """Return the entrants of a block from first to last; those who sat out are the last."""
    return sorted(ranked(block.block.tables[0], [block], before), key=block.absent.__contains__)


def round_of(
    name: str,
    played: Sequence[PlayedBlock],
    entrants: Iterable[int],
    before: Sequence[PlayedBlock] = (),
    lives: Mapping[int, int] | None = None,
) -> Round:
    """Return what these blocks were for the entrants that were in, who have these lives left in an elimination."""
    tables = []
    for block in played:
        order = ranked_at(block, before)
        found = achieved(order, [block])
        rows = (
            AtTable(entrant, *found[entrant], entrant in block.absent, None if lives is None else lives.get(entrant, 0))
            for entrant in order
        )
        tables.append(RoundTable(block.block.index, block.block.setup, tuple(rows)))
    seated = {row.entrant for table in tables for row in table.entrants}
    return Round(name, tuple(tables), tuple(entrant for entrant in entrants if entrant not in seated))


def rounds_of(prefix: str, played: Iterable[PlayedBlock], entrants: Sequence[int]) -> Iterator[Round]:
    """Yield the rounds of these blocks, named "round 1" and so on after a prefix; these entrants were in."""
    by_round = groupby(played, key=lambda result: result.block.round)
    return (
        round_of(f"{prefix}round {number}", list(blocks), entrants)
        for number, (_, blocks) in enumerate(by_round, start=1)
    )


def dealt(entrants: Sequence[int], groups: int) -> list[list[int]]:
    """Deal entrants into groups back and forth, so that a list by strength gives equal groups: 0 3 4 7 and 1 2 5 6."""
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for number, entrant in enumerate(entrants):
        turn, place = divmod(number, groups)
        dealt[place if turn % 2 == 0 else groups - 1 - place].append(entrant)
    return dealt
