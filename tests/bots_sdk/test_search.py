"""Planner's search of whole turns, in every game it knows."""

from random import Random
from types import ModuleType
from typing import cast

import pytest

from ballcourt import Decision
from ballcourt.bots.planner import ahau, maya, tzolkin
from ballcourt.bots.planner.bot import PlannerBot
from ballcourt.bots.planner.search import Step, TurnRules, TurnSearch
from ballcourt.engine.core import State
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import Decide, MatchStart
from tests.bots_sdk.positions import position

WHOLLY_SEARCHED = [pytest.param(module, id=module.__name__.rpartition(".")[2]) for module in (tzolkin, maya)]
KNOWN = [*WHOLLY_SEARCHED, pytest.param(ahau, id="ahau")]


def name_of(game: ModuleType) -> str:
    """Return the name of the game of a module."""
    return game.__name__.rpartition(".")[2]


def search(game: ModuleType, state: State, seat: int, **limits: int) -> TurnSearch[State]:
    """A search of the turn that begins in a position."""
    looking: type[TurnSearch[State]] = getattr(game, "Search", TurnSearch)
    return looking(seat, cast(TurnRules[State], game), game.appraiser(state, seat), **limits)


def random_turn(game: ModuleType, state: State, seat: int, random: Random) -> State:
    """Play the seat's turn to its end at random."""
    state = state.clone()
    action = 0
    while state.pending_seats() == [seat] and not (action and game.ends_turn(action)):
        action = random.choice(state.legal_actions(seat))
        state.apply(seat, action)
    return state


@pytest.mark.parametrize("game", KNOWN)
@pytest.mark.parametrize("seed", range(5))
def test_a_plan_reaches_its_predicted_position(game: ModuleType, seed: int) -> None:
    state, seat = position(name_of(game), seed, 40 * seed)
    looking = search(game, state, seat)
    looking.prepare(state)
    plan = looking.best(state)
    for step in plan.steps:
        while len(state.legal_actions(seat)) == 1:
            state.apply(seat, state.legal_actions(seat)[0])
            looking.settle(state)
        assert state.public_rows() == step.state.public_rows()
        state.apply(seat, step.action)
        looking.settle(state)
    while state.public_rows() != plan.state.public_rows():
        (forced,) = state.legal_actions(seat)
        state.apply(seat, forced)
        looking.settle(state)


@pytest.mark.parametrize("game", WHOLLY_SEARCHED)
@pytest.mark.parametrize("seed", range(5))
def test_a_wide_search_is_no_worse_than_random_turns(game: ModuleType, seed: int) -> None:
    state, seat = position(name_of(game), seed, 10 + 8 * seed)
    plan = search(game, state, seat, width=1000, budget=20_000).best(state)
    random, appraise = Random(seed), game.appraiser(state, seat)
    others = [appraise(random_turn(game, state, seat, random)) for _ in range(50)]
    assert plan.worth >= max(others)


@pytest.mark.slow
@pytest.mark.parametrize("game", KNOWN)
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("budget", [0, 10, 100])
def test_a_search_with_a_small_budget_still_finds_a_turn(game: ModuleType, seed: int, budget: int) -> None:
    state, seat = position(name_of(game), seed, 25 * seed)
    looking = search(game, state, seat, budget=budget)
    looking.prepare(state)
    plan = looking.best(state)
    assert plan.complete
    assert plan.steps


@pytest.mark.parametrize("game", KNOWN)
def test_planner_replans_when_the_position_is_not_as_predicted(game: ModuleType) -> None:
    elsewhere, _ = position(name_of(game), 4, 60)
    assert_goes_on_without(Step(elsewhere, 0), game)


@pytest.mark.parametrize("game", KNOWN)
def test_planner_drops_a_plan_whose_next_action_is_not_offered(game: ModuleType) -> None:
    """Hidden parts of a position may be sampled differently the next time, though the public rows are as predicted."""
    state, _ = position(name_of(game), 3, 60)
    assert_goes_on_without(Step(state, len(find_game(name_of(game)).action_names)), game)


def assert_goes_on_without(planned: "Step[State]", game: ModuleType) -> None:
    """Give the bot a plan that cannot be carried out; it finds another answer."""
    name = name_of(game)
    state, seat = position(name, 3, 60)
    bot = PlannerBot()
    bot.match, bot.random = MatchStart(game=name, seat=seat, seats=3), Random(1)
    bot.match_started()
    bot.plan = (planned,)
    legal = state.legal_actions(seat)
    decide = Decide(observation=Encoder(find_game(name).wire()).encode(state, seat), legal=legal)
    assert bot.choose(Decision(bot.match, decide)) in legal


@pytest.mark.parametrize("game", KNOWN)
@pytest.mark.parametrize("seed", range(5))
def test_a_search_that_has_seen_every_position_still_finds_a_turn(game: ModuleType, seed: int) -> None:
    state, seat = position(name_of(game), seed, 30 * seed)
    looking = search(game, state, seat)
    looking.prepare(state)
    looking.best(state)
    plan = looking.best(state)
    assert plan.complete
    assert plan.steps
