"""Matches of reference bots by playouts, compared with the same matches under the referee in one process."""

from collections.abc import Callable
from functools import partial
from itertools import count
from time import process_time
from typing import Final

from ballcourt import Bot, Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.bots.greedy.bot import GreedyBot
from ballcourt.bots.planner.bot import PlannerBot
from ballcourt.bots.policies import Greedy, Planner
from ballcourt.bots.random.bot import RandomBot
from ballcourt.engine.core import Game
from ballcourt.engine.core.playout import Player, Policy, at_random, playouts
from ballcourt.engine.registry import games
from tests.bench.measure import COMPILED, Line, in_turns

BUDGET: Final = 1 / 3
POLICIES: Final[dict[str, tuple[Callable[[str], Policy], type[Bot], float | None]]] = {
    "random": (lambda _: at_random, RandomBot, BUDGET),
    "greedy": (lambda game: partial(Greedy, game), GreedyBot, BUDGET if COMPILED else None),
    "planner": (lambda game: partial(Planner, game), PlannerBot, None),  # nearly all of its time is search
}
OURS, THEIRS = count(), count()


def lines(rounds: int) -> list[Line]:
    """Measure the smallest and the largest table of every game of the bots."""
    return [
        in_turns(
            f"{game.name}, {seats} seats, match of {name}:",
            partial(by_playout, game, seats, policy(game.name)),
            partial(by_referee, game, seats, bot),
            rounds,
            budget,
        )
        for game in games().values()
        for seats in (2, 4)
        for name, (policy, bot, budget) in POLICIES.items()
    ]


def by_playout(game: Game, seats: int, policy: Callable[[int], Player]) -> float:
    """Return the microseconds of processor time of one match by playout."""
    seed = next(OURS)
    began = process_time()
    playouts([game.initial_state(seats, seed)], policy, [seed])
    return (process_time() - began) * 1e6


def by_referee(game: Game, seats: int, bot: type[Bot]) -> float:
    """Return the same of one match under the referee."""
    bots = [Session(bot()) for _ in range(seats)]
    began = process_time()
    play_in_process(game.name, bots, seed=next(THEIRS))
    return (process_time() - began) * 1e6
