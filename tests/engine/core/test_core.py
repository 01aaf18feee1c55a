"""The engine core, tested with the smallest game."""

import pytest

from ballcourt.engine.core import IllegalAction, InvalidOption, MalformedRows, digest
from ballcourt.engine.core.chance import MOST, Stream, stream
from ballcourt.engine.core.observation import observe
from tests.bluff import GAME


def test_the_same_arguments_give_the_same_position() -> None:
    assert GAME.initial_state(3, 7).to_rows() == GAME.initial_state(3, 7).to_rows()


def test_a_position_can_be_saved_and_loaded() -> None:
    state = GAME.initial_state(2, 1)
    state.apply(1, 2)
    assert GAME.from_rows(state.to_rows()).to_rows() == state.to_rows()


def test_simultaneous_answers_commute() -> None:
    one, other = GAME.initial_state(2, 1), GAME.initial_state(2, 1)
    for seat, bid in ((0, 1), (1, 3)):
        one.apply(seat, bid)
    for seat, bid in ((1, 3), (0, 1)):
        other.apply(seat, bid)
    assert digest(one) == digest(other)


def test_an_illegal_action_changes_nothing_and_names_the_legal_ones() -> None:
    state = GAME.initial_state(2, 1)
    before = state.to_rows()
    with pytest.raises(IllegalAction, match=r"action 9 of seat 0 is not legal; the legal actions are \[1, 2, 3\]"):
        state.apply(0, 9)
    assert state.to_rows() == before


def test_the_error_for_a_seat_that_is_not_asked_names_those_that_are() -> None:
    state = GAME.initial_state(2, 1)
    state.apply(0, 1)
    with pytest.raises(IllegalAction, match=r"seat 0 is not asked .* waits for \[1\]"):
        state.legal_actions(0)


def test_a_sampled_position_has_the_same_observation_for_its_seat() -> None:
    state = GAME.initial_state(4, 5)
    state.apply(2, 3)
    seen = observe(state, 2)
    assert observe(GAME.sample(seen, Stream(1)), 2) == seen


def test_returns_sum_to_zero_and_follow_the_placements() -> None:
    state = GAME.initial_state(3, 2)
    while state.pending_seats():
        seat = state.pending_seats()[0]
        state.apply(seat, state.legal_actions(seat)[seat])
    assert sum(state.returns()) == pytest.approx(0)
    assert max(state.returns()) == state.returns()[state.placements()[0][0]]


def test_a_rival_is_an_opponent() -> None:
    for bid, placements, returns in ((1, [[0, 1]], 0.0), (3, [[0], [1]], 1.0)):
        state = GAME.initial_state(1, 2)
        while state.pending_seats():
            state.apply(0, bid)
        assert [rival.name for rival in state.rivals()] == ["the house"]
        assert state.placements() == placements
        assert state.returns() == [returns]


@pytest.mark.parametrize("rows", [[], [[2]], [[2, 1, 1]], [[2, 1, 0], ["x"]]])
def test_rows_that_are_not_a_position_are_refused(rows: list[list[int]]) -> None:
    with pytest.raises(MalformedRows):
        GAME.from_rows(rows)


@pytest.mark.parametrize(
    ("seats", "seed", "options", "sentence"),
    [
        (9, 1, {}, "bluff is not played by 9; it takes 1, 2, 3, 4 seats"),
        (2, -1, {}, "seed -1 is out of range"),
        (2, 1, {"colour": "red"}, "bluff has no option 'colour'; it has rounds"),
        (2, 1, {"rounds": "7"}, "option rounds of bluff is '7'; it must be one of 1, 3, 100"),
    ],
)
def test_a_wrong_setup_is_refused_in_one_sentence(
    seats: int, seed: int, options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(InvalidOption, match=sentence):
        GAME.initial_state(seats, seed, options)


def test_streams_with_different_names_are_independent_and_reproducible() -> None:
    draws = [stream(1, "deck").shuffled(list(range(50))) for _ in range(2)]
    assert draws[0] == draws[1] != stream(1, "bag").shuffled(list(range(50)))
    assert sorted(draws[0]) == list(range(50))


@pytest.mark.parametrize("size", [0, 1, 2, 3, MOST, MOST + 1, MOST + 2, 3 * MOST])
def test_a_shuffle_draws_one_number_after_another(size: int) -> None:
    key = (1 << 64) - 1
    at_once, one_by_one = Stream(key, 5), Stream(key, 5)
    deck = list(range(size))
    for last in range(size - 1, 0, -1):
        other = one_by_one.below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    assert at_once.shuffled(list(range(size))) == deck
    assert at_once.count == one_by_one.count


def test_numbers_drawn_at_once_are_those_drawn_one_by_one() -> None:
    at_once, one_by_one = Stream(1 << 63, 7), Stream(1 << 63, 7)
    assert at_once.several(MOST) == tuple(one_by_one.next64() for _ in range(MOST))
    assert at_once.next64() == one_by_one.next64()


def test_choosing_from_nothing_is_an_error_and_not_an_endless_search() -> None:
    with pytest.raises(ZeroDivisionError):
        stream(1, "nothing").choice([])
