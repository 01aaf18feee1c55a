from ballcourt.arena.records.placements import rival_results, seat_results
from ballcourt.v1.protocol_pb2 import Termination
from tests.bluff import HOUSE, BluffState, at_table

OK, CRASH, TIMEOUT = Termination.TERMINATION_OK, Termination.TERMINATION_CRASH, Termination.TERMINATION_TIMEOUT


def finished(*points: int) -> BluffState:
    state = at_table([1] * len(points), [])
    state.points = list(points)
    return state


def places(state: BluffState, vacated: dict[int, tuple[int, Termination]]) -> list[int]:
    return [result.placement for result in seat_results(state, vacated)]


def test_tied_seats_share_a_place_and_the_next_place_is_skipped() -> None:
    assert places(finished(7, 9, 7, 1), {}) == [2, 1, 2, 4]


def test_a_vacated_seat_is_last_whatever_its_points() -> None:
    assert places(finished(9, 5, 5), {0: (3, CRASH)}) == [3, 1, 1]


def test_of_two_vacated_seats_the_earlier_one_ranks_lower() -> None:
    assert places(finished(1, 2, 3), {1: (8, CRASH), 2: (4, TIMEOUT)}) == [1, 2, 3]


def test_seats_vacated_at_the_same_moment_share_the_last_place() -> None:
    assert places(finished(1, 2, 3), {1: (4, CRASH), 2: (4, TIMEOUT)}) == [1, 2, 2]


def test_results_keep_points_and_say_how_each_seat_ended() -> None:
    results = seat_results(finished(4, 6), {1: (0, TIMEOUT)})
    assert [(result.score, result.termination) for result in results] == [(4, OK), (6, TIMEOUT)]


def test_a_rival_is_placed_among_the_seats() -> None:
    for points, place, its_place in ((4, 1, 2), (3, 1, 1), (2, 2, 1)):
        assert places(finished(points), {}) == [place]
        (rival,) = rival_results(finished(points), {})
        assert (rival.name, rival.placement, rival.score) == (HOUSE.name, its_place, HOUSE.score)


def test_a_vacated_seat_ranks_behind_the_rival_whatever_its_points() -> None:
    assert places(finished(9), {0: (3, CRASH)}) == [2]
    assert [rival.placement for rival in rival_results(finished(9), {0: (3, CRASH)})] == [1]


def test_without_rivals_there_are_no_rival_results() -> None:
    assert rival_results(finished(4, 6), {}) == []
