"""The OpenSpiel games, by OpenSpiel's own tests and algorithms."""

import numpy as np
import pytest

from ballcourt.engine.core import InvalidOption
from ballcourt.engine.registry import find_game
from tests.env.seen_bluff import SeenBluff
from tests.needs import library

pyspiel = library("pyspiel")

from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts  # noqa: E402

from ballcourt.env.openspiel import BallcourtState, load_game, resample  # noqa: E402


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        ("ahau", 1),
        pytest.param("maya", 2, marks=pytest.mark.slow),
        pytest.param("tzolkin", 2, marks=pytest.mark.slow),
    ],
)
def test_random_sim_test_passes_with_serialisation(name: str, seats: int) -> None:
    pyspiel.random_sim_test(load_game(name, seats), num_sims=1, serialize=True, verbose=False)


def test_a_playthrough_names_the_actions_and_prints_the_tensors() -> None:
    game = load_game(SeenBluff(), 2)
    text = generate_playthrough.playthrough("ballcourt_bluff_2", [5], seed=1)
    assert "game: ballcourt_bluff_2" in text
    assert 'StringLegalActions() = ["BID_1", "BID_2", "BID_3"]' in text
    size = game.observation_tensor_size()
    assert f"InformationStateTensorShape() = observation: [{size}], actors: [1024], actions: [1024]" in text
    assert f"InformationStateTensorSize() = {game.information_state_tensor_size()}" in text
    assert "PublicObservationString" not in text


def test_its_mcts_and_information_set_mcts_play() -> None:
    game = load_game("maya", 2)
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    searcher = ismcts.ISMCTSBot(game, evaluator, 1.4, 4, random_state=rng, allow_inconsistent_action_sets=True)
    searcher.set_resampler(resample)
    state = dealt(game)
    state.apply_action(searcher.step(state))
    assert mcts.MCTSBot(game, 1.4, 4, evaluator, random_state=rng).step(state) in state.legal_actions()


def test_players_that_saw_the_same_have_the_same_information_state() -> None:
    state = dealt(load_game("tzolkin", 2))
    first, second = state.legal_actions()[:2]
    one, other = state.child(first), state.child(second)  # seat 0 keeps other tiles, which is secret yet
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.information_state_string(1) == other.information_state_string(1)
    assert one.observation_string(1) == other.observation_string(1)
    assert one.observation_tensor(1) == other.observation_tensor(1)


def test_the_information_state_tensor_has_the_observation_and_the_decisions_as_the_player_knows_them() -> None:
    state = dealt(load_game("tzolkin", 2))
    size = len(state.env.features)
    assert state.information_state_tensor(0) == [*state.observation_tensor(0), *[0] * 2048]
    first = state.legal_actions()[1]
    state.apply_action(first)  # both seats keep tiles that the other does not know yet
    second = state.legal_actions()[2]
    state.apply_action(second)
    for player, actors, actions in ((0, [2, 1], [0, first]), (1, [1, 2], [second, 0])):
        tensor = state.information_state_tensor(player)
        assert tensor[:size] == state.observation_tensor(player)
        assert tensor[size : size + 1024] == [*actors, *[0] * 1022]
        assert tensor[size + 1024 :] == [*actions, *[0] * 1022]
    assert state.get_game().information_state_tensor_size() == size + 2048


def test_players_that_did_something_else_have_another_information_state_tensor() -> None:
    """Later they may see the same again."""
    state = dealt(load_game(SeenBluff(), 2))
    one, other = [played(state, bids) for bids in ([1, 2], [2, 2])]
    assert one.information_state_tensor(0) != other.information_state_tensor(0)
    one, other = [played(state, bids) for bids in ([1, 3], [2, 3])]
    assert one.information_state_tensor(1)[-2048:] == other.information_state_tensor(1)[-2048:]


def test_a_state_with_other_secrets_looks_the_same_to_the_player() -> None:
    state = dealt(load_game("maya", 2))
    for _ in range(6):
        state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    other = resample(state, player)
    assert other.information_state_string(player) == state.information_state_string(player)
    assert other.observation_tensor(player) == state.observation_tensor(player)
    assert other.information_state_tensor(player) == state.information_state_tensor(player)
    assert other.env.state.to_rows() != state.env.state.to_rows()


@pytest.mark.parametrize(("name", "decisions"), [("tzolkin", 1), ("tzolkin", 9), ("maya", 40), ("ahau", 3)])
def test_what_others_remember_agrees_with_the_secrets_that_were_drawn_again(name: str, decisions: int) -> None:
    """Else an evaluator at the nodes of opponents would see what they really hold."""
    rng = np.random.RandomState(decisions)
    np.random.seed(decisions)  # OpenSpiel's resamplers take their chance from there
    state = dealt(load_game(name, 2))
    for _ in range(decisions):
        state.apply_action(int(rng.choice(state.legal_actions())))
    player = state.current_player()
    drawn = [resample(state, player) for _ in range(12)]
    for other in drawn:
        rules, seat = other.env.state, 1 - player
        assert other.information_state_tensor(player) == state.information_state_tensor(player)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert rules.pending_seats() == state.env.state.pending_seats()
        own = [action for actor, action in other.decisions(seat)[::-1].tolist() if actor == 1]
        assert rules.recalled(seat, own) == own
        assert other.information_state_string(seat) != state.information_state_string(seat)
    strings = {other.information_state_string(1 - player) for other in drawn}
    assert 1 < len(strings) == len({str(other.env.state.private_rows(1 - player)) for other in drawn})


def test_the_seed_is_in_no_observation_before_or_after_the_deal() -> None:
    game = load_game("maya", 2)
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert state.observation_string(0) == "before the deal"
    assert not any(state.observation_tensor(0))
    assert not any(state.information_state_tensor(0))
    one, other = dealt(game, 5), dealt(game, 5)
    assert one.observation_string(0) == other.observation_string(0)


def test_options_are_part_of_the_name_and_decide_who_wins_what_others_lose() -> None:
    assert str(load_game("ahau", 2, {"board": "night"})) == "ballcourt_ahau_2_board_night()"
    utility = pyspiel.GameType.Utility
    assert load_game("ahau", 2).get_type().utility == utility.ZERO_SUM
    assert load_game("ahau", 1).get_type().utility == utility.GENERAL_SUM
    assert load_game("maya").num_distinct_actions() == len(find_game("maya").action_names)
    with pytest.raises(InvalidOption, match="ahau has no option 'bord'"):
        load_game("ahau", 2, {"bord": "night"})


def dealt(game: object, seed: int = 3) -> BallcourtState:
    state: BallcourtState = game.new_initial_state()  # type: ignore[attr-defined]
    state.apply_action(seed)
    return state


def played(state: BallcourtState, actions: list[int]) -> BallcourtState:
    copy: BallcourtState = state.clone()
    for action in actions:
        copy.apply_action(action)
    return copy
