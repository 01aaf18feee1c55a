"""Measures the ladder of the reference bots: `python -m tests.bots_sdk.ladder [SEEDS [GAME ...]]`.

Every two neighbours meet at every table size, alternating around the table, and every seed is played in all seat
rotations. The number is how often the one is placed above the other, ties counting half, with the 95 % interval of the
mean over seeds. Where a game can be played alone, every bot plays the same seeds against its rival, and the numbers are
how often it wins, a tie counting half, and the points of both. Everything happens in this process, by the same referee
as over gRPC.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from itertools import pairwise
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

from ballcourt import Bot, Session
from ballcourt.arena.match.in_process import UNLIMITED, play_in_process
from ballcourt.arena.match.spec import Clock

SEATS = (2, 3, 4)
LADDERS = {
    "tzolkin": ("first_legal", "random", "greedy", "planner"),
    "maya": ("random", "first_legal", "greedy", "planner"),
    "ahau": ("first_legal", "random", "greedy", "planner"),
}
"""By game, its bots from the weakest. In Maya the lowest legal actions fill one corner with groups, which pays."""

SOLO = {"ahau": tuple({"difficulty": difficulty} for difficulty in ("easy", "moderate", "hard"))}
"""For each game with solo matches, the options of its ladders."""


def bot_class(name: str) -> type[Bot]:
    """Return the bot class of a folder in bots."""
    module = import_module(f"ballcourt.bots.{name}.bot")
    return next(
        found
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, Bot) and found.__module__ == module.__name__
    )


def new_bot(name: str) -> Bot:
    """Return a new bot of a folder in bots."""
    return bot_class(name)()


def table(one: str, other: str, seats: int) -> list[str]:
    """Return the names at a table where two bots alternate."""
    return [(one, other)[seat % 2] for seat in range(seats)]


class Showing(NamedTuple):
    """How a bot did in a block."""

    above: float
    """The share of pairs in which it placed above the other bot, ties counting half."""
    points: float
    """Its mean points."""


def block(
    game: str,
    names: Sequence[str],
    seed: int,
    make: Callable[[str], Bot] = new_bot,
    clock: Clock = UNLIMITED,
    rotations: Iterable[int] | None = None,
) -> dict[str, Showing]:
    """Play one seed in all seat rotations, or in some; return how each bot did."""
    beaten = dict.fromkeys(names, 0.0)
    points: dict[str, list[float]] = {name: [] for name in names}
    meetings = 0
    for shift in range(len(names)) if rotations is None else rotations:
        order = [*names[shift:], *names[:shift]]
        record = play_in_process(game, [Session(make(name)) for name in order], seed=seed, clock=clock)
        places = [result.placement for result in record.results]
        for one, result in zip(order, record.results, strict=True):
            points[one].append(result.score)
        for one, mine in zip(order, places, strict=True):
            for other, theirs in zip(order, places, strict=True):
                if one != other:
                    beaten[one] += (mine < theirs) + (mine == theirs) / 2
        meetings += sum(one != order[0] for one in order) * sum(one == order[0] for one in order)
    return {name: Showing(won / meetings, fmean(points[name])) for name, won in beaten.items()}


def alone(game: str, name: str, options: dict[str, str], seed: int) -> tuple[float, float, float]:
    """Play one seed alone; return whether the bot won (a tie is half), its points, and its rival's."""
    record = play_in_process(game, [Session(new_bot(name))], seed=seed, options=options)
    (mine,), (rival,) = record.results, record.rivals
    won = (mine.placement < rival.placement) + (mine.placement == rival.placement) / 2
    return won, mine.score, rival.score


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of blocks and half its 95 % interval."""
    if len(values) < 2:
        return fmean(values), float("nan")
    return fmean(values), NormalDist().inv_cdf(0.975) * stdev(values) / len(values) ** 0.5


def main(seeds: int, games: Sequence[str]) -> None:
    """Print, by game, how often each bot of the ladder is placed above the one below it."""
    for game in games:
        for weaker, stronger in pairwise(LADDERS[game]):
            for seats in SEATS:
                names = table(stronger, weaker, seats)
                mean, half = interval([block(game, names, seed)[stronger].above for seed in range(seeds)])
                print(  # noqa: T201
                    f"{game}: {stronger:12} above {weaker:12} {seats} seats: {mean:6.1%} ± {half:.1%}", flush=True
                )
        for options in SOLO.get(game, ()):
            for name in LADDERS[game]:
                print(f"{game}: {name:12} alone, {points_alone(game, name, options, seeds)}", flush=True)  # noqa: T201


def points_alone(game: str, name: str, options: dict[str, str], seeds: int) -> str:
    """Measure a bot in solo matches; return one line of results."""
    played = [alone(game, name, options, seed) for seed in range(seeds)]
    (wins, half), (points, spread), (rivals, _) = (interval(values) for values in zip(*played, strict=True))
    chosen = ", ".join(f"{option} = {value}" for option, value in options.items())
    return f"{chosen}: wins {wins:6.1%} ± {half:.1%}, {points:.1f} ± {spread:.1f} points against {rivals:.1f}"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, sys.argv[2:] or list(LADDERS))
