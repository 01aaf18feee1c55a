"""How greedy and planner value positions of Ahau, and that they can play every mode."""

from random import Random
from typing import cast

import pytest

from ballcourt.bots.greedy.bot import GreedyBot
from ballcourt.bots.planner import ahau as planner
from ballcourt.engine.core import State, Stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.playout import playout
from ballcourt.engine.games.ahau import GAME
from ballcourt.engine.games.ahau.columns import FAME, RESOURCES
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.v1.protocol_pb2 import MatchStart
from tests.bots_sdk.test_prices import richer
from tests.engine.games.ahau.playing import at_table

MODES: tuple[tuple[int, dict[str, str]], ...] = (
    (1, {"difficulty": "easy"}),
    (1, {"difficulty": "hard", "solo_board": "night", "board": "night"}),
    (2, {}),
    (2, {"shadow": "yes"}),
    (3, {"mode": "family"}),
    (3, {"personal": "yes"}),
    (4, {"board": "night"}),
    (5, {}),
)


def test_planner_treats_king_pakal_like_another_seat() -> None:
    state = cast(AhauState, GAME.initial_state(1, 1))
    appraise = planner.appraiser(state, 0)
    assert appraise(richer(state, 1, FAME, 4)) == pytest.approx(appraise(state) - 4)


@pytest.mark.parametrize("seats", [1, 3])
def test_planner_values_a_finished_match_by_the_lead_and_the_places(seats: int) -> None:
    state = cast(AhauState, GAME.initial_state(seats, 1))
    appraisers = [planner.appraiser(state, seat) for seat in range(seats)]
    playout(state, min)
    fame = [*state.scores(), *[rival.score for rival in state.rivals()]]
    for seat, appraise in enumerate(appraisers):
        others = (sum(fame) - fame[seat]) / (len(fame) - 1)
        assert appraise(state) == pytest.approx(fame[seat] - others + planner.WIN * state.returns()[seat])


def test_a_city_is_worth_more_alone_than_tied() -> None:
    worths = []
    for mine, theirs in ((1, 2), (2, 2), (3, 2)):
        workers = {seat: {"workers": {"tikal": [count, 0]}} for seat, count in ((0, mine), (1, theirs))}
        worths.append(planner.Appraiser(at_table(seat=workers), 0).majorities(at_table(seat=workers)))
    assert worths == [-2, 0, 2]


def test_things_are_worthless_after_the_last_round() -> None:
    state = at_table(seat={1: {"pool": 0, "workers": {"tikal": [12, 0]}}})
    appraise = planner.appraiser(state, 0)
    assert appraise(richer(state, 0, RESOURCES)) == pytest.approx(appraise(state))


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "options"), MODES)
def test_planner_and_greedy_have_an_answer_in_every_mode(seats: int, options: dict[str, str]) -> None:
    state, random = cast(AhauState, GAME.initial_state(seats, 5, options)), Random(5)
    number = 0
    while pending := state.pending_seats():
        seat = random.choice(pending)
        legal = state.legal_actions(seat)
        if number % 9 == 0 and len(legal) > 1:
            sampled = GAME.sample(observe(state, seat), Stream(number))
            assert legal == sampled.legal_actions(seat)
            assert planned(cast(AhauState, sampled), seat) in legal
            assert best_for_greedy(sampled, seat) in legal
        state.apply(seat, random.choice(legal))
        number += 1


def planned(state: AhauState, seat: int) -> int:
    """Return planner's action when it has little time."""
    looking = planner.Search(seat, planner, planner.appraiser(state, seat), width=2, budget=20)
    looking.prepare(state)
    return looking.best(state).steps[0].action


def best_for_greedy(state: State, seat: int) -> int:
    """Return greedy's action."""
    bot = GreedyBot()
    bot.match = MatchStart(game="ahau", seat=seat)
    bot.match_started()
    return bot.best(state)
