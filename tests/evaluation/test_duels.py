"""Duels between the copies of two versions."""

from math import inf

from ballcourt.evaluation.duels import Duel, Seated, duels, share_won


def table(*places: str) -> list[Seated]:
    """Seats in order, such as "n1" for a new version in first place; an "x" at the end is a seat that was lost."""
    return [
        Seated(seat, place[0] == "n", int(place[1]), 10.0 - int(place[1]), vacated=place.endswith("x"))
        for seat, place in enumerate(places)
    ]


def test_every_pair_of_a_new_and_an_old_version_at_a_table_is_a_duel() -> None:
    block = [table("n1", "o3", "n2", "o3")]
    assert list(duels(block)) == [
        Duel(0, 1, 1.0, 2.0),
        Duel(0, 3, 1.0, 2.0),
        Duel(2, 1, 1.0, 1.0),
        Duel(2, 3, 1.0, 1.0),
    ]


def test_a_duel_at_a_table_is_decided_by_placement_whatever_the_points_are() -> None:
    """The placement settles ties of points, and points of a seat that was lost are those of the arena."""
    new = Seated(0, is_new=True, placement=1, score=2.0, vacated=False)
    tied = Seated(1, is_new=False, placement=2, score=2.0, vacated=False)
    richer = Seated(2, is_new=False, placement=3, score=9.0, vacated=True)
    assert [duel.won for duel in duels([[new, tied, richer]])] == [1.0, 1.0]


def test_a_tie_counts_half() -> None:
    assert share_won(duels([table("n1", "o1"), table("o1", "n2")])) == 0.25


def test_the_share_mirrors_when_the_versions_are_exchanged() -> None:
    places = [("n1", "o2", "o3"), ("o1", "n1", "n3")]
    swapped = [tuple(place.translate(str.maketrans("no", "on")) for place in match) for match in places]
    assert share_won(duels([table(*match) for match in places])) == 1 - share_won(
        duels([table(*match) for match in swapped])
    )


def test_with_one_seat_the_results_of_the_same_deal_are_compared() -> None:
    """First who kept the seat, then the place among the rivals, then the points."""
    assert share_won(duels([table("n1"), table("o2")])) == 1
    assert share_won(duels([table("n1x"), table("o2")])) == 0
    assert share_won(duels([table("n2"), table("o2")])) == 0.5
    assert share_won(duels([table("n1x"), table("o3x")])) == 0.5
    fewer = [Seated(0, is_new=False, placement=1, score=3.5, vacated=False)]
    assert share_won(duels([table("n1"), fewer])) == 1


def test_a_lost_seat_is_behind_without_limit_as_its_points_are_those_of_the_arena() -> None:
    assert [duel.margin for duel in duels([table("n1x", "o2"), table("o1x", "n2"), table("n1x", "o2x")])] == [
        -inf,
        inf,
        0.0,
    ]
