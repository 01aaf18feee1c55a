"""Vectors of observations: named, complete, and free of what a seat does not know."""

from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.engine.core import Features, Game, Observation, Stream
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.observation import SPECTATOR, observe
from ballcourt.engine.registry import find_game
from ballcourt.env import BatchEnv, EnvError, FeatureEncoder
from ballcourt.env.tensors import DTYPES, Dtype, Vectors
from tests.bluff import Bid, at_table
from tests.env.declared import declared
from tests.env.positions import ENDS, TABLES, positions
from tests.env.seen_bluff import SeenBluff

EVERY = 23
"""Decisions between the positions that are looked at."""


def features_of(game: Game) -> Features:
    features = game.features()
    assert features is not None
    return features


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_positions_that_look_the_same_to_a_seat_have_the_same_vector(name: str, seats: int) -> None:
    game = find_game(name)
    encoder = FeatureEncoder(features_of(game), seats)
    for number, state in enumerate(positions(game, seats, seed=seats, every=EVERY)):
        for seat in range(seats):
            seen = observe(state, seat)
            other = game.sample(seen, Stream(number))
            np.testing.assert_array_equal(encoder.encode(seen), encoder.encode(observe(other, seat)))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_element_is_what_the_declaration_says(name: str, seats: int) -> None:
    game = find_game(name)
    encoder = FeatureEncoder(features_of(game), seats)
    for number, state in enumerate(positions(game, seats, seed=2 * seats, every=EVERY)):
        seen = observe(state, number % seats)
        vector = dict(zip(encoder.names, encoder.encode(seen).tolist(), strict=True))
        assert vector == declared(encoder.features, seen)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_bytes_hold_the_numbers_that_floats_have_divided_by_their_limits(name: str, seats: int) -> None:
    features = features_of(find_game(name))
    floats, whole = FeatureEncoder(features, seats), FeatureEncoder(features, seats, "uint8")
    assert whole.names == floats.names
    for number, state in enumerate(positions(find_game(name), seats, seed=3 * seats, every=EVERY)):
        seen = observe(state, number % seats)
        numbers = np.rint(floats.encode(seen) * floats.limits)
        np.testing.assert_array_equal(whole.encode(seen), numbers.clip(0, 255).astype(np.uint8))


def test_a_number_that_a_byte_does_not_have_becomes_the_nearest_one() -> None:
    encoder = FeatureEncoder(features_of(find_game("tzolkin")), 2, "uint8")
    seen = observe(find_game("tzolkin").initial_state(2, 1), 0)
    found = []
    for corn in (-1, 255, 256, 100_000):
        seen.public[5][0] = corn  # the observer's
        found.append(element(encoder, encoder.encode(seen), "players[self].corn"))
    assert found == [0, 255, 255, 255]


def test_another_dtype_is_refused() -> None:
    with pytest.raises(EnvError, match="the dtype is 'int8'; it must be one of float32, uint8"):
        FeatureEncoder(features_of(find_game("maya")), 2, "int8")  # type: ignore[arg-type]
    with pytest.raises(EnvError, match="the dtype is 'float64'"):
        BatchEnv("maya", 2, dtype="float64")  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("name", "seats"), ENDS)
@given(data=st.data())
def test_a_vector_written_over_any_others_is_that_of_a_new_one(
    name: str, seats: int, dtype: Dtype, data: st.DataObject
) -> None:
    encoder, seen = FeatureEncoder(features_of(find_game(name)), seats, dtype), _seen(name, seats)
    buffer = bytearray(b"front" + b"\0" * encoder.size + b"back")
    look = encoder.look(memoryview(buffer), 5)
    for observation in data.draw(st.lists(st.sampled_from(seen), min_size=2, max_size=5)):
        encoder.write(observation, look)
        assert buffer == b"front" + encoder.encode(observation).tobytes() + b"back"


@cache
def _seen(name: str, seats: int) -> list[Observation]:
    """Return what each seat sees in some positions of one match."""
    states = positions(find_game(name), seats, seed=5, every=EVERY)
    return [observe(state, seat) for state in states for seat in range(seats)]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_bot_gets_the_same_vector_from_the_bytes_of_the_wire(name: str, seats: int) -> None:
    game = find_game(name)
    encoder, sent = FeatureEncoder(features_of(game), seats), Encoder(game.wire())
    for state in positions(game, seats, seed=7, every=EVERY):
        seen = encoder.encode(observe(state, seats - 1))
        received = encoder.encode(game.wire().decode(sent.encode(state, seats - 1)))
        np.testing.assert_array_equal(seen, received)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_elements_have_different_names_and_stay_small(name: str, seats: int) -> None:
    game = find_game(name)
    encoder = FeatureEncoder(features_of(game), seats)
    assert len(set(encoder.names)) == len(encoder.names)
    for state in positions(game, seats, seed=11 + seats, every=EVERY):
        vector = encoder.encode(observe(state, 0))
        assert vector.dtype == np.float32
        assert vector.shape == (len(encoder.names),)
        wild = np.flatnonzero(~((vector >= -4) & (vector <= 8)))
        assert [encoder.names[index] for index in wild] == []


@pytest.mark.parametrize("name", ["ahau", "maya", "tzolkin"])
def test_all_seat_counts_have_the_same_layout_and_absent_seats_are_zeros(name: str) -> None:
    game = find_game(name)
    encoders = [FeatureEncoder(features_of(game), seats) for seats in game.seat_counts]
    assert len({encoder.names for encoder in encoders}) == 1
    few = encoders[0]
    *_, state = positions(game, few.seats, seed=1, every=EVERY)
    vector = few.encode(observe(state, 0))
    absent = [index for index, label in enumerate(few.names) if label.startswith(f"players[next{few.seats}]")]
    assert absent
    assert not vector[absent].any()


def test_the_observer_comes_first_and_the_others_follow_in_turn_order() -> None:
    game = find_game("tzolkin")
    encoder = FeatureEncoder(features_of(game), 3)
    state = game.initial_state(3, 1)
    rows = observe(state, 0).public
    for seat in range(3):
        rows[5 + seat][0] = 10 * (1 + seat)  # its corn
    for seat in range(3):
        vector = encoder.encode(Observation(seat, 3, rows, observe(state, seat).private))
        corn = [element(encoder, vector, f"players[{place}].corn") for place in ("self", "next1", "next2", "next3")]
        assert corn == [(1 + (seat + turn) % 3) / 2 for turn in range(3)] + [0]


def test_slots_name_the_owner_as_the_observer_sees_it() -> None:
    game = find_game("tzolkin")
    encoder = FeatureEncoder(features_of(game), 4)
    seen = observe(game.initial_state(4, 1), 2)
    seen.public[1][:3] = [2, 1, 4]  # a worker of the observer, one of the seat before it, a dummy
    vector = encoder.encode(seen)
    assert element(encoder, vector, "slots[palenque 0][self]") == 1
    assert element(encoder, vector, "slots[palenque 1][next3]") == 1
    assert element(encoder, vector, "slots[palenque 2][dummy]") == 1
    assert sum(vector[index] for index, name in enumerate(encoder.names) if name.startswith("slots[palenque 3]")) == 0


def test_sets_and_lists_become_one_element_per_member() -> None:
    game = find_game("tzolkin")
    encoder = FeatureEncoder(features_of(game), 2)
    seen = observe(game.initial_state(2, 1), 0)
    seen.public[5][20] = 1 << 4 | 1 << 32  # the observer's buildings
    seen.private[0][:] = [3, 8, 15, 21]
    vector = encoder.encode(seen)
    assert members(encoder, vector, "players[self].buildings") == ["4", "32"]
    assert members(encoder, vector, "self.wealth.offered") == ["3", "8", "15", "21"]


def test_cells_of_maya_say_whose_plantation_of_what_crop() -> None:
    game = find_game("maya")
    encoder = FeatureEncoder(features_of(game), 2)
    seen = observe(game.initial_state(2, 1), 1)
    seen.public[1][0] = 16 + 8 * 0 + 3  # seat 0, squash, value 2
    vector = encoder.encode(seen)
    assert members(encoder, vector, "cells[A1]") == ["next1", "in_play", "squash", "two"]


def test_questions_have_their_kind_and_their_numbers() -> None:
    game = find_game("maya")
    encoder = FeatureEncoder(features_of(game), 2)
    state = game.initial_state(2, 1)
    act = state.legal_actions(0)[0]
    state.apply(0, act)
    tile = state.legal_actions(0)[0]
    state.apply(0, tile)
    vector = encoder.encode(observe(state, 0))
    assert members(encoder, vector, "question.kind") == ["PlantCell"]
    assert members(encoder, vector, "question.seat") == ["self"]
    assert len(members(encoder, vector, "question.tile")) == 1
    assert members(encoder, vector, "waiting") == ["TurnEnd"]


def test_the_vectors_of_games_have_different_fingerprints() -> None:
    games = [features_of(find_game(name)) for name in ("ahau", "maya", "tzolkin")]
    assert len({FeatureEncoder(features, 2, dtype).fingerprint for features in games for dtype in DTYPES}) == 6


def test_a_spectator_and_another_table_are_refused() -> None:
    game = find_game("maya")
    encoder = FeatureEncoder(features_of(game), 2)
    with pytest.raises(ValueError, match="takes what a seat at a table of 2 sees, not seat -1 at a table of 2"):
        encoder.encode(observe(game.initial_state(2, 1), SPECTATOR))
    with pytest.raises(ValueError, match="not seat 0 at a table of 3"):
        encoder.encode(observe(game.initial_state(3, 1), 0))


@pytest.mark.parametrize("name", ["ahau", "maya", "tzolkin"])
def test_different_observations_seldom_have_the_same_vector(name: str) -> None:
    game = find_game(name)
    seats = game.seat_counts[-1]
    encoder = FeatureEncoder(features_of(game), seats)
    draw = Random(1)
    vectors = [encoder.encode(observe(state, draw.randrange(seats))) for state in positions(game, seats, 3, EVERY)]
    assert len({vector.tobytes() for vector in vectors}) == len(vectors)


def test_a_game_without_sets_has_a_vector() -> None:
    encoder = FeatureEncoder(features_of(SeenBluff()), 2)
    vector = encoder.encode(observe(at_table([3, 1], [Bid(0)]), 0))
    assert element(encoder, vector, "self.own.secret") == 1
    assert element(encoder, vector, "self.own.bid") == 0


def element(encoder: FeatureEncoder, vector: Vectors, name: str) -> float:
    return float(vector[encoder.names.index(name)])


def members(encoder: FeatureEncoder, vector: Vectors, prefix: str) -> list[str]:
    """Return the labels of the elements that are 1 and called `prefix[label]`."""
    names = [name for name, number in zip(encoder.names, vector, strict=True) if number == 1]
    return [name[len(prefix) + 1 : -1] for name in names if name.startswith(f"{prefix}[")]
