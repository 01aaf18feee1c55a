"""How entrants stand by points, scores and faults."""

import pytest

from ballcourt.arena.tournament.schedules.schedule import Block, PlayedBlock, PlayedMatch, SeatOutcome
from ballcourt.arena.tournament.schedules.standing import dealt, points, ranked, standings


def match(*outcomes: SeatOutcome) -> PlayedMatch:
    return PlayedMatch("m", tuple(range(len(outcomes))), outcomes)


def block(*matches: PlayedMatch) -> PlayedBlock:
    return PlayedBlock(Block(0, 0, tuple(one.table for one in matches)), matches)


def outcome(place: int, score: float = 0.0, *, fault: bool = False) -> SeatOutcome:
    return SeatOutcome(place, score, fault=fault)


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ((1, 2), [1.0, 0.0]),
        ((1, 1), [0.5, 0.5]),
        ((1, 2, 3), [1.0, 0.5, 0.0]),
        ((1, 1, 3), [0.75, 0.75, 0.0]),
        ((1, 2, 2, 2), [1.0, 1 / 3, 1 / 3, 1 / 3]),
        ((1,), [0.0]),
    ],
)
def test_a_seat_has_the_share_of_its_opponents_that_it_beat_a_tie_counting_half(
    places: tuple[int, ...], expected: list[float]
) -> None:
    assert points(match(*map(outcome, places))) == pytest.approx(expected)


def test_points_scores_and_faults_are_added_up() -> None:
    played = [block(match(outcome(1, 5, fault=True), outcome(2, 3)), match(outcome(1, 2), outcome(1, 4, fault=True)))]
    assert standings([0, 1, 2], played) == {0: (1.5, 7.0, -1), 1: (0.5, 7.0, -1), 2: (0.0, 0.0, 0)}


def test_three_thirds_of_a_point_are_a_point() -> None:
    third = (outcome(3), outcome(1), outcome(2), outcome(4))
    played = [block(match(*third)), block(match(*third)), block(match(*third))]
    assert standings([0], played)[0][0] == 1.0


def test_equals_stand_by_their_earlier_faults_then_as_in_the_list() -> None:
    tied = [block(match(outcome(1), outcome(1), outcome(1)))]
    before = [block(match(outcome(1, fault=True), outcome(2), outcome(3)))]
    assert ranked([0, 1, 2], tied) == [0, 1, 2]
    assert ranked([0, 1, 2], tied, before) == [1, 2, 0]
    assert ranked([0, 1, 2], [block(match(outcome(1), outcome(1), outcome(1, fault=True)))], before) == [1, 0, 2]


def test_groups_are_dealt_back_and_forth() -> None:
    assert dealt(range(8), 2) == [[0, 3, 4, 7], [1, 2, 5, 6]]
    assert dealt(range(5), 3) == [[0], [1, 4], [2, 3]]
