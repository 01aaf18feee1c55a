"""Sampled positions can be reached by play, so that every seat asked in one has an answer."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.games.ahau import GAME
from ballcourt.engine.games.ahau.actions import BUILD, CAPTAIN_STAY, CARD_PAIRS, ROLE_PICK, SELECT
from ballcourt.engine.games.ahau.columns import DANCER, DISCARD, REGION_CARDS, ROLE, ROLE_ORDER, ROLE_SEEN
from ballcourt.engine.games.ahau.rewards import PickRole
from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.playing import at_table, select

DRAWS = 200

MODES: tuple[tuple[int, dict[str, str]], ...] = (
    *((seats, {}) for seats in (2, 3, 4, 5)),
    *((seats, {"shadow": "yes"}) for seats in (2, 3, 4)),
    *((seats, {"mode": "family"}) for seats in (2, 3, 4, 5)),
    (3, {"personal": "yes", "board": "night"}),
    (1, {"difficulty": "easy"}),
    (1, {"difficulty": "hard", "solo_board": "night"}),
)


def with_unseen_role(role: str, discard: list[int], deck: list[str]) -> AhauState:
    """Build a position in which seat 1 holds a Role card that no other seat has seen."""
    hidden: dict[str, Any] = {"role": role, "discard": discard}
    return at_table(seat={1: hidden}, role_deck=deck)


def sampled_roles(state: AhauState, seat: int) -> Counter[int]:
    """Count the Role cards of seat 1 in positions sampled from what another seat knows."""
    chance = Stream(1)
    seen = observe(state, seat)
    return Counter(cast(AhauState, GAME.sample(seen, chance)).roles[1] for _ in range(DRAWS))


def test_a_seat_that_kept_the_card_6_and_a_role_does_not_hold_the_dancer() -> None:
    """§5.6, §4.1: with the Dancer, also numbered 6, it would have taken the discard pile back."""
    state = with_unseen_role("queen", [1, 2, 3, 4, 5], ["dancer", "merchant"])
    roles = sampled_roles(state, 0)
    assert DANCER not in roles
    assert min(roles.values()) > DRAWS / 10
    assert len(roles) == 5


def test_the_dancer_is_possible_until_the_cards_of_the_turn_are_discarded() -> None:
    """§5.6"""
    state = with_unseen_role("queen", [1, 2, 3], ["dancer", "merchant"])
    select(state, {0: (1, 2), 1: (5, 4)})
    assert DANCER in sampled_roles(state, 0)


def test_the_dancer_is_possible_on_side_b() -> None:
    """§4.1: on side b the card 6 names a region."""
    hidden: dict[str, Any] = {"role": "queen", "discard": [1, 2, 3, 4, 5]}
    state = at_table(4, seat={1: hidden}, role_deck=["dancer", "merchant", "war_captain", "high_priestess"])
    assert DANCER in sampled_roles(state, 0)


def test_who_took_a_role_before_a_seat_searched_the_deck_holds_none_of_those_it_left() -> None:
    """§8.5: the order of taking is public; seat 1 took first, then seat 0, then seat 2."""
    state = GAME.initial_state(3, 1)
    assert isinstance(state, AhauState)
    for seat in (1, 0, 2):
        PickRole(seat).own_answer(state, seat, ROLE_PICK + state.role_deck[0] - 1)
    assert [row[ROLE_ORDER] for row in state.actors] == [2, 1, 3]
    chance, left = Stream(2), [ROLE + role for role in members(state.known[0])]
    for _ in range(DRAWS):
        sampled = cast(AhauState, GAME.sample(observe(state, 0), chance))
        assert (sampled.roles[1] in left, sampled.roles[2] in left) == (False, True)
        assert GAME.violations(sampled) == []
    for observer in (-1, 1, 2):
        assert GAME.violations(GAME.sample(observe(state, observer), chance)) == []


def test_what_a_seat_did_in_secret_follows_from_the_position() -> None:
    """The Role card taken, and the cards selected this round; earlier selections are public."""
    state = with_unseen_role("queen", [1], ["dancer", "merchant"])
    earlier, now = SELECT, SELECT + 3
    state.answers = [0, now]
    role = ROLE_PICK + state.roles[1] - ROLE - 1
    assert state.recalled(1, [earlier, ROLE_PICK, BUILD, SELECT + 1]) == [earlier, role, BUILD, now]
    state.answers = [0, 0]
    assert state.recalled(1, [earlier, SELECT + 1]) == [earlier, SELECT + 1]


def play(state: AhauState, seed: int, choose: Callable[[list[int], Stream], int]) -> Iterator[AhauState]:
    """Play a match to its end and yield its positions."""
    chance = Stream(seed)
    while pending := state.pending_seats():
        yield state
        state.apply(pending[0], choose(state.legal_actions(pending[0]), chance))


def at_random(legal: list[int], chance: Stream) -> int:
    """Choose any action."""
    return chance.choice(legal)


def hoarding(legal: list[int], chance: Stream) -> int:
    """Choose to build for Roles, and to keep them and the card 6 in hand."""
    if BUILD in legal:
        return BUILD
    if legal[0] >= SELECT and legal[-1] < CAPTAIN_STAY:
        return chance.choice([action for action in legal if max(CARD_PAIRS[action - SELECT]) < ROLE] or legal)
    return chance.choice(legal)


def check_samples(state: AhauState, chance: Stream) -> None:
    """Sample for every seat and a spectator; check that every pending seat of the sample has a legal action."""
    for observer in range(-1, state.seats):
        sampled = GAME.sample(observe(state, observer), chance)
        assert GAME.violations(sampled) == []
        assert all(sampled.legal_actions(seat) for seat in sampled.pending_seats())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("seats", "options"), MODES)
def test_every_pending_seat_of_a_sample_has_a_legal_action(seats: int, options: dict[str, str], seed: int) -> None:
    """§4.1, §1.3"""
    state, chance = GAME.initial_state(seats, seed, options), Stream(seed)
    assert isinstance(state, AhauState)
    for number, reached in enumerate(play(state, seed, at_random)):
        if number % 20 == 0 or len(reached.pending_seats()) == seats:
            check_samples(reached, chance)


def keeps_a_role_and_the_six(state: AhauState) -> bool:
    """Return whether the hand of a seat with an unseen Role is that card and the 6."""
    people = state.actors[: state.seats]
    return any(row[ROLE_ORDER] and not row[ROLE_SEEN] and REGION_CARDS & ~row[DISCARD] == 1 << ROLE for row in people)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
def test_every_pending_seat_has_a_legal_action_while_roles_are_unseen(seats: int) -> None:
    """§5.6"""
    found = 0
    for seed in range(100):
        state, chance = GAME.initial_state(seats, seed), Stream(seed)
        assert isinstance(state, AhauState)
        for reached in play(state, seed, hoarding):
            if len(reached.pending_seats()) == seats and keeps_a_role_and_the_six(reached):
                found += 1
                for _ in range(20):
                    check_samples(reached, chance)
    assert found
