"""Provisional strengths: exact counts of meetings, and what follows from them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ballcourt.arena.tournament.schedules.schedule import PlayedMatch, SeatOutcome
from ballcourt.arena.tournament.schedules.strengths import Meetings, Strengths


def match(table: tuple[int, ...], places: tuple[int, ...]) -> PlayedMatch:
    return PlayedMatch("m", table, tuple(SeatOutcome(place, 0.0, fault=False) for place in places))


MATCHES = st.lists(
    st.permutations(range(6)).flatmap(
        lambda order: st.integers(2, 4).map(lambda size: match(tuple(order[:size]), tuple(range(1, size + 1))))
    ),
    max_size=12,
)


def wins(meetings: Meetings) -> list[list[float]]:
    return [part.tolist() for part in meetings.pairs]


@settings(max_examples=25)
@given(MATCHES, st.randoms(use_true_random=False))
def test_the_order_of_matches_changes_nothing_at_all(matches: list[PlayedMatch], chance: object) -> None:
    shuffled = matches[:]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    together, one_by_one = Meetings(range(6)), Meetings(range(6))
    together.add(matches)
    for played in shuffled:
        one_by_one.add([played])
    assert wins(together) == wins(one_by_one)
    assert Strengths.of(together).orders(1, 20) == Strengths.of(one_by_one).orders(1, 20)


@pytest.mark.slow
@given(MATCHES, st.permutations(range(8)).map(lambda order: order[:4]))
def test_who_goes_takes_its_meetings_along(matches: list[PlayedMatch], field: list[int]) -> None:
    everybody, few = Meetings(range(6)), Meetings([entrant for entrant in field if entrant < 6])
    everybody.add(matches)
    few.add(matches)
    assert wins(everybody.among(field)) == wins(few.among(field))


def test_a_tie_counts_half_for_each() -> None:
    meetings = Meetings([3, 8])
    meetings.add([match((8, 3), (1, 1)), match((3, 8), (1, 2))])
    assert wins(meetings) == [[0], [1], [1.5], [0.5]]
    assert Strengths.of(meetings).order == [3, 8]
