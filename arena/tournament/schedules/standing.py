"""The standing of entrants, for formats whose next blocks depend on results; ratings are the leaderboard's."""

from collections.abc import Iterable, Sequence

from ballcourt.arena.tournament.schedules.schedule import PlayedBlock, PlayedMatch

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
    return total


def ranked(entrants: Iterable[int], played: Sequence[PlayedBlock], before: Sequence[PlayedBlock] = ()) -> list[int]:
    """Return the entrants from first to last by what they achieved in these blocks.

    Those with equal points, scores and faults stand by their faults in the blocks before, then as in the list.
    """
    total = standings(entrants, played)
    earlier = standings(total, before)
    return sorted(total, key=lambda entrant: (*(-part for part in total[entrant]), -earlier[entrant][2], entrant))


def dealt(entrants: Sequence[int], groups: int) -> list[list[int]]:
    """Deal entrants into groups back and forth, so that a list by strength gives equal groups: 0 3 4 7 and 1 2 5 6."""
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for number, entrant in enumerate(entrants):
        turn, place = divmod(number, groups)
        dealt[place if turn % 2 == 0 else groups - 1 - place].append(entrant)
    return dealt
