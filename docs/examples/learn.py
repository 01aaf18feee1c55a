"""Learns the values of the bot `learned` by self-play.

    python docs/examples/learn.py maya.json

Rounds of matches alternate with fits. In a round, the bot plays against itself with the values it has so far; now and
then it acts at random, to meet other positions. A fit is a ridge regression on the features of every position that the
bot left behind. What it predicts is the lead at the end of the match, mixed with the values of the positions on the way
there: TD(lambda), in its forward view (Sutton and Barto, Reinforcement Learning, 2018, section 12.1). After each round
the bot meets greedy, from which it learns nothing.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from multiprocessing import get_context
from os import sched_getaffinity
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ballcourt import Bot, Decision, Session
from ballcourt.arena.files import in_place_of
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.bots.greedy.bot import GreedyBot
from ballcourt.bots.leads import lead
from ballcourt.bots.learned.bot import LearnedBot
from ballcourt.bots.sdk.python.knowledge import knowledge
from ballcourt.engine.core import WrongInput
from ballcourt.engine.registry import find_game
from ballcourt.simulate import sample

Floats = NDArray[np.float64]
Weights = Mapping[str, float]
Map = Callable[[Callable[[int], Any], Iterable[int]], Iterable[Any]]
"""The type of `map`, and of the `map` of a pool of processes."""

EXPLORATION = 0.1
"""How often a learner acts at random."""
LAMBDA = 0.9
"""The weight of the end of the match, against that of the value of the bot's next position."""
REMEMBERED = 3
"""The number of rounds that a fit takes into account, the latest ones."""
RIDGE = 1e-3
"""The penalty on weights, of features scaled to variance 1, per position."""

OPTIONS = {
    "seats": (2, "at the table"),
    "rounds": (1, "of matches, each followed by a fit"),
    "matches": (1, "per round"),
    "evaluated": (2, "seeds against greedy after each round"),
    "seed": (0, "of the first match; the others count on from it"),
}
"""What the command line can change: the smallest value, and its help."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train, and for how long."""

    game: str = "maya"
    seats: int = 2
    rounds: int = 6
    matches: int = 24
    """Per round."""
    evaluated: int = 8
    """How many seeds the bot plays against greedy after each round, with both orders of seats."""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Progress:
    """The bot after a round."""

    round: int
    seconds: float
    """Of learning so far, without the matches against greedy."""
    error: float
    """Of the fit: the root mean square difference from what it should predict, in points."""
    above_greedy: float
    """How often it is placed above greedy, a tie counting half."""
    interval: float
    """Half the 95 % interval of that, over seeds."""


class Player(LearnedBot):
    """A learned bot whose weights are given."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def weights(self) -> Weights:
        """Return the weights given."""
        return self._weights


class Learner(Player):
    """A player that explores, and remembers the positions it leaves behind."""

    def __init__(self, weights: Weights) -> None:
        super().__init__(weights)
        self.positions: list[list[float]] = []

    def choose(self, decision: Decision) -> int:
        """Return the best action, or now and then a random one."""
        state, seat = sample(decision, self.random), decision.match.seat
        explores = self.random.random() < EXPLORATION
        action = self.random.choice(decision.legal) if explores else self.best(state)
        state.apply(seat, action)
        if state.pending_seats() != [seat] or not self.game.is_follow_up(state.legal_actions(seat)):
            self.positions.append(self.game.features(state, seat))
        return action


def train(plan: Plan, run: Map = map) -> Iterator[tuple[Weights, float]]:
    """Yield the weights after each round, and the error of their fit: the root mean square, in points.

    They are the same for the same plan. `run` is `map` or does the same, for example with several processes.
    """
    names = knowledge("ballcourt.bots.learned", plan.game).NAMES
    weights: Weights = {name: float(name == "score") for name in names}
    memory: list[list[tuple[Floats, Floats]]] = []
    for number in range(plan.rounds):
        seeds = range(plan.seed + number * plan.matches, plan.seed + (number + 1) * plan.matches)
        memory = [*memory, [*run(partial(learn_from, plan, weights), seeds)]][-REMEMBERED:]
        positions, leads = (np.concatenate(parts) for parts in zip(*chain(*memory), strict=True))
        fitted, error = fit(positions, leads)
        weights = dict(zip(names, fitted.tolist(), strict=True))
        yield weights, error


def measure(plan: Plan, weights: Weights, run: Map = map) -> tuple[float, float]:
    """Return how often a bot with these weights is placed above greedy, and half the 95 % interval of that."""
    shares = [*run(partial(against_greedy, plan, weights), range(plan.evaluated))]
    return fmean(shares), NormalDist().inv_cdf(0.975) * stdev(shares) / len(shares) ** 0.5


def learn_from(plan: Plan, weights: Weights, seed: int) -> tuple[Floats, Floats]:
    """Play a match of learners; return the features of their positions, and the leads to predict from them."""
    learners = [Learner(weights) for _ in range(plan.seats)]
    scores = scores_of(plan.game, learners, seed)
    positions = [np.array(learner.positions) for learner in learners]
    known = np.array([*weights.values()])
    leads = [lambda_returns(rows @ known, lead(scores, seat)) for seat, rows in enumerate(positions)]
    return np.concatenate(positions), np.concatenate(leads)


def lambda_returns(values: Floats, end: float) -> Floats:
    """Return what each of a seat's positions should have been worth, by their values and the lead at the end."""
    returns = np.empty_like(values)
    for at in range(len(values) - 1, -1, -1):
        returns[at] = end
        end = (1 - LAMBDA) * values[at] + LAMBDA * end
    return returns


def fit(positions: Floats, leads: Floats) -> tuple[Floats, float]:
    """Return the weights of the features by ridge regression, and the root mean square error."""
    scale = np.maximum(positions.std(axis=0), 1e-6)
    scale[positions.std(axis=0) == 0] = 1.0
    scaled = positions / scale
    penalty = RIDGE * len(leads) * np.eye(scaled.shape[1])
    weights: Floats = np.linalg.solve(scaled.T @ scaled + penalty, scaled.T @ leads) / scale
    return weights, float(np.sqrt(np.mean((positions @ weights - leads) ** 2)))


def against_greedy(plan: Plan, weights: Weights, seed: int) -> float:
    """Return how often the bot is placed above greedy on a deal, from each seat; the others are greedy too."""
    shares = []
    for seat in range(plan.seats):
        bots: list[Bot] = [GreedyBot() for _ in range(plan.seats)]
        bots[seat] = Player(weights)
        scores = scores_of(plan.game, bots, seed)
        others = [score for other, score in enumerate(scores) if other != seat]
        shares.append(fmean((scores[seat] > score) + (scores[seat] == score) / 2 for score in others))
    return fmean(shares)


def scores_of(game: str, bots: list[Learner] | list[Bot], seed: int) -> list[float]:
    """Play a match; return the scores in seat order."""
    record = play_in_process(game, [Session(bot) for bot in bots], seed=seed)
    return [result.score for result in record.results]


def save(output: Path, plan: Plan, curve: list[Progress], weights: Weights) -> None:
    """Write the weights with how they came about."""
    content = {"plan": asdict(plan), "curve": [asdict(progress) for progress in curve], "weights": weights}
    with in_place_of(output) as file:
        file.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def arguments() -> tuple[Path, Plan]:
    """Read the command line; wrong input ends the program with one sentence and exit code 2."""
    parser = argparse.ArgumentParser(description="Learn by self-play.")
    parser.add_argument("output", type=Path, help="the file of weights, e.g. maya.json")
    for name, (least, text) in OPTIONS.items():
        default = getattr(Plan(), name)
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{text}; at least {least}, default {default}")
    given = vars(parser.parse_args())
    output = given.pop("output")
    for name, (least, _) in OPTIONS.items():
        if given[name] < least:
            parser.error(f"--{name} is {given[name]}; it must be at least {least}")
    if not output.absolute().parent.is_dir():
        parser.error(f"there is no folder {output.parent} to write {output.name} to; make it first")
    plan = Plan(**given)
    try:
        find_game(plan.game).check(plan.seats, {})
    except WrongInput as error:
        parser.error(str(error))
    return output, plan


def main() -> None:
    """Train, print the progress, and save after each round."""
    output, plan = arguments()
    learning, curve = 0.0, list[Progress]()
    with ProcessPoolExecutor(len(sched_getaffinity(0)), get_context("spawn")) as pool:
        began = monotonic()
        for weights, error in train(plan, pool.map):
            learning += monotonic() - began
            above, half = measure(plan, weights, pool.map)
            curve.append(Progress(len(curve) + 1, learning, error, above, half))
            save(output, plan, curve, weights)
            print(  # noqa: T201
                f"round {len(curve)}: {learning:.0f} s of learning, error {error:.1f} points, "
                f"above greedy {above:.1%} ± {half:.1%}",
                flush=True,
            )
            began = monotonic()


if __name__ == "__main__":
    main()
