"""How greedy and planner think: their prices, and planner's search of whole turns."""

from random import Random

import pytest

from ballcourt.v1.protocol_pb2 import Decide, MatchStart
from bots.greedy import tzolkin as greedy
from bots.planner import tzolkin as planner
from bots.planner.bot import PlannerBot, answer_for_others
from bots.planner.search import Step, TurnSearch
from bots.sdk.python import Decision
from engine.core.wire import Encoder
from engine.games.tzolkin import GAME
from engine.games.tzolkin.columns import CORN, GOLD, SKULLS, STONE, VP, WOOD
from engine.games.tzolkin.state import TzolkinState


def position(seed: int, decisions: int, seats: int = 3) -> tuple[TzolkinState, int]:
    """A position of a random match with a choice to make, and the seat that is asked first."""
    state, random = GAME.initial_state(seats, seed), Random(seed)
    assert isinstance(state, TzolkinState)
    for _ in range(decisions):
        seat = state.pending_seats()[0]
        state.apply(seat, random.choice(state.legal_actions(seat)))
    while len(state.legal_actions(state.pending_seats()[0])) == 1:
        seat = state.pending_seats()[0]
        state.apply(seat, state.legal_actions(seat)[0])
    return state, state.pending_seats()[0]


def random_turn(state: TzolkinState, seat: int, random: Random) -> TzolkinState:
    """Play the seat's turn to its end, in any way."""
    state = state.clone()
    action = 0
    while state.pending_seats() == [seat] and not (action and planner.ends_turn(action)):
        action = random.choice(state.legal_actions(seat))
        state.apply(seat, action)
    return state


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("column", [CORN, WOOD, STONE, GOLD, SKULLS, VP])
def test_owning_more_is_never_worth_less(seed: int, column: int) -> None:
    state, seat = position(seed, 30 * (seed + 1))
    richer = state.clone()
    richer.players = [row[:] for row in state.players]
    richer.players[seat][column] += 1
    assert greedy.value(richer, seat) > greedy.value(state, seat)
    appraise = planner.appraiser(state, seat)
    assert appraise(richer) > appraise(state)


def test_planner_values_a_finished_match_by_its_score() -> None:
    state, seat = position(1, 0)
    appraise = planner.appraiser(state, seat)
    while pending := state.pending_seats():
        state.apply(pending[0], state.legal_actions(pending[0])[0])
    assert appraise(state) == state.scores()[seat]


@pytest.mark.parametrize("seed", range(5))
def test_a_plan_leads_where_it_says(seed: int) -> None:
    state, seat = position(seed, 40 * seed)
    answer_for_others(state, seat)
    plan = TurnSearch(seat, planner, planner.appraiser(state, seat)).best(state)
    for step in plan.steps:
        while len(state.legal_actions(seat)) == 1:
            state.apply(seat, state.legal_actions(seat)[0])
        assert state.public_rows() == step.state.public_rows()
        state.apply(seat, step.action)
    while state.public_rows() != plan.state.public_rows():
        (forced,) = state.legal_actions(seat)
        state.apply(seat, forced)


@pytest.mark.parametrize("seed", range(5))
def test_no_turn_is_better_than_what_a_wide_search_finds(seed: int) -> None:
    state, seat = position(seed, 10 + 8 * seed)
    appraise = planner.appraiser(state, seat)
    plan = TurnSearch(seat, planner, appraise, width=1000, budget=20_000).best(state)
    random = Random(seed)
    others = [appraise(random_turn(state, seat, random)) for _ in range(50)]
    assert plan.worth >= max(others)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("budget", [0, 10, 100])
def test_a_search_without_much_budget_still_finds_a_turn(seed: int, budget: int) -> None:
    state, seat = position(seed, 25 * seed)
    answer_for_others(state, seat)
    plan = TurnSearch(seat, planner, planner.appraiser(state, seat), budget=budget).best(state)
    assert plan.complete
    assert plan.steps


def test_planner_plans_anew_when_things_did_not_go_as_foreseen() -> None:
    state, seat = position(3, 60)
    elsewhere, _ = position(4, 60)
    bot = PlannerBot()
    bot.match, bot.random = MatchStart(game="tzolkin", seat=seat, seats=3), Random(1)
    bot.match_started()
    bot.plan = (Step(elsewhere, 0),)
    legal = state.legal_actions(seat)
    decide = Decide(observation=Encoder(GAME.wire()).encode(state, seat), legal=legal)
    assert bot.choose(Decision(bot.match, decide)) in legal
