"""Playouts by reference bots, compared with matches of the bots."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

import pytest

from ballcourt import Bot, Decision, Session
from ballcourt.arena.match.in_process import UNLIMITED, play_in_process
from ballcourt.bots.greedy.bot import GreedyBot
from ballcourt.bots.planner.bot import PlannerBot
from ballcourt.bots.policies import Greedy, Planner
from ballcourt.engine.core import State, UnknownGame
from ballcourt.engine.core.playout import Player, Policy, at_random, playouts
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord

GAMES = ("tzolkin", "maya", "ahau")
SEED = 7
BUDGET = 15
"""Of planner, which is slow."""


class Scripted(Bot):
    """Chooses what it has been given, in order."""

    def __init__(self, actions: list[int]) -> None:
        self.actions = iter(actions)

    def choose(self, decision: Decision) -> int:
        return next(self.actions)


def played_out(game: str, seats: int, policy: Policy) -> tuple[list[float], list[list[int]]]:
    """Play a match by a policy; return scores and placements."""
    (((scores, _, placements),),) = playouts([find_game(game).initial_state(seats, SEED)], policy, [SEED])
    return scores, placements


def refereed(game: str, bots: list[Bot], work: int = 0) -> tuple[list[float], list[list[int]]]:
    """Play the same match under the referee; return scores and placements."""
    clock = replace(UNLIMITED, work=work)
    record: MatchRecord = play_in_process(game, [Session(bot) for bot in bots], seed=SEED, clock=clock)
    places = [result.placement for result in record.results]
    groups = [[seat for seat, place in enumerate(places) if place == group] for group in sorted(set(places))]
    return [result.score for result in record.results], groups


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", GAMES)
def test_a_playout_ends_as_the_match_of_the_same_choices_under_the_referee(game: str, seats: int) -> None:
    chosen: list[list[int]] = [[] for _ in range(seats)]

    def noted(luck: int) -> Player:
        player = at_random(luck)

        def choose(state: State, seat: int) -> int:
            action = player(state, seat)
            if len(state.legal_actions(seat)) > 1:  # the referee asks no seat that has no choice
                chosen[seat].append(action)
            return action

        return choose

    ended = played_out(game, seats, noted)
    assert ended == refereed(game, [Scripted(actions) for actions in chosen])


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("policy", "bot", "work"),
    [(Greedy, GreedyBot, 0), (partial(Planner, budget=BUDGET), PlannerBot, BUDGET)],
    ids=["greedy", "planner"],
)
def test_a_policy_with_the_seed_of_a_match_chooses_as_the_bot(
    policy: Callable[[str, int], Player], bot: type[Bot], work: int, game: str, seats: int
) -> None:
    assert played_out(game, seats, partial(policy, game)) == refereed(game, [bot() for _ in range(seats)], work)


def test_processes_find_the_same_ends_in_the_same_order() -> None:
    positions = [find_game("tzolkin").initial_state(2, seed) for seed in range(3)]
    policy, lucks = partial(Greedy, "tzolkin"), [1, 2]
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        shared = playouts(positions, policy, lucks, known_to=0, run=pool.map)
    assert shared == playouts(positions, policy, lucks, known_to=0)
    assert [len(ends) for ends in shared] == [2, 2, 2]


def test_a_game_without_rules_is_refused() -> None:
    with pytest.raises(UnknownGame, match="no game 'go'"):
        Greedy("go", 1)
