"""Properties of every position of a random match (RULES §1)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.playout import decisions
from ballcourt.engine.games.ahau import GAME
from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.decisions import apply, legal
from tests.engine.games.ahau.playing import TABLES
from tests.engine.games.ahau.positions import dump

seeds = st.integers(0, 2**64 - 1)
tables = st.sampled_from(TABLES)


def walk(state: AhauState, seed: int) -> AhauState:
    """Play a random match to its end and check every position."""
    chance = Stream(seed)

    def choose(options: list[int]) -> int:
        assert options == sorted(set(options))
        assert 0 < len(options) <= 150
        assert GAME.violations(state) == []
        return chance.choice(options)

    for _ in decisions(state, choose, chance.choice):
        pass
    return state


@pytest.mark.parametrize(("players", "options"), TABLES)
@given(seed=seeds)
@settings(max_examples=1, deadline=None)
def test_a_match_keeps_every_piece_and_ends(players: int, options: dict[str, str], seed: int) -> None:
    """§1.1, §3.1, §9.4, R-41"""
    state = GAME.initial_state(players, seed, options)
    assert isinstance(state, AhauState)
    end = dump(walk(state, seed))
    assert end["over"]
    assert end["round"] <= 40
    assert 1 <= end["katun"] <= 3


@given(seed=seeds, table=tables)
@settings(max_examples=5, deadline=None)
def test_every_decision_has_a_unique_name(seed: int, table: tuple[int, dict[str, str]]) -> None:
    state, chance = GAME.initial_state(table[0], seed, table[1]), Stream(seed)
    assert isinstance(state, AhauState)
    for _ in range(150):
        if not state.pending_seats():
            return
        decisions = legal(state)
        assert len(decisions) == len({repr(words) for words in decisions})
        apply(state, decisions[chance.below(len(decisions))])


@given(seed=seeds, table=tables)
@settings(max_examples=5, deadline=None)
def test_a_sample_agrees_with_what_the_seat_knows(seed: int, table: tuple[int, dict[str, str]]) -> None:
    """§1.2, §1.3: what the seat cannot know is drawn."""
    state, chance = GAME.initial_state(table[0], seed, table[1]), Stream(seed)
    for _ in range(120):
        if not state.pending_seats():
            return
        seat = state.pending_seats()[0]
        seen = observe(state, seat)
        sampled = GAME.sample(seen, chance)
        again = observe(sampled, seat)
        assert (again.public, again.private) == (seen.public, seen.private)
        assert sampled.legal_actions(seat) == state.legal_actions(seat)
        state.apply(seat, chance.choice(state.legal_actions(seat)))
