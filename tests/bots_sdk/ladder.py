"""Makes the tables of the reference bots: `python -m tests.bots_sdk.ladder [SEEDS [GAME ...]] [--into DOCUMENT]`.

Every two neighbours meet at every table size, alternating around the table, and every seed is played in all seat
rotations. The number is how often the one is placed above the other, ties counting half, with the 95 % interval of the
mean over seeds. Where a game can be played alone, every bot plays the same seeds against its rival, and the numbers are
how often it wins, a tie counting half, and the points of both. Everything happens in this process, by the same referee
as over gRPC.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import pairwise
from math import isnan
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Final, NamedTuple

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

SOLO = {"ahau": ("easy", "moderate", "hard")}
"""For each game with solo matches, the difficulties of its ladders."""
SEEDS: Final = 20
"""How many are played unless the table says so."""
MARK: Final = "<!-- made by python -m tests.bots_sdk.ladder: {} -->"


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


def rows(game: str, seeds: int) -> Iterator[str]:
    """Yield the table of a game: how often each bot of its ladder is placed above the one below it."""
    yield from ("| | " + " | ".join(f"{seats} seats" for seats in SEATS) + " |", "| --- " * (1 + len(SEATS)) + "|")
    for weaker, stronger in reversed([*pairwise(LADDERS[game])]):
        played = [
            [block(game, table(stronger, weaker, seats), seed)[stronger].above for seed in range(seeds)]
            for seats in SEATS
        ]
        cells = [_shown(*interval(values), seeds) for values in played]
        yield f"| {called(stronger)} above {called(weaker)} | {' | '.join(cells)} |"


def rows_alone(game: str, seeds: int) -> Iterator[str]:
    """Yield the table of solo matches: how often each bot wins, a tie counting half, and the points of both."""
    yield from (f"| | {' | '.join(SOLO[game])} |", "| --- " * (1 + len(SOLO[game])) + "|")
    for name in reversed(LADDERS[game]):
        cells = []
        for difficulty in SOLO[game]:
            played = [alone(game, name, {"difficulty": difficulty}, seed) for seed in range(seeds)]
            wins, points, rivals = zip(*played, strict=True)
            cells.append(f"{_shown(*interval(wins), seeds)}, {fmean(points):.0f} to {fmean(rivals):.0f}")
        yield f"| {called(name)} | {' | '.join(cells)} |"


def called(folder: str) -> str:
    """Return the name of the bot in a folder."""
    return folder.replace("_", "-")


def tables(games: Sequence[str], seeds: int) -> Iterator[tuple[str, list[str]]]:
    """Yield each table with its name in the document."""
    for game in games:
        yield game, [*rows(game, seeds)]
        if game in SOLO:
            yield f"{game} alone", [*rows_alone(game, seeds)]


def replaced(document: str, mark: str, made: Sequence[str]) -> str:
    """Return a document with another table: it comes after its mark, a comment."""
    before, found, after = document.partition(mark)
    if not found:
        raise SystemExit(f"the document has no line {mark}")
    return before + mark + "\n".join(["", "", *made]) + after[after.index("\n\n", 2) :]


def _shown(mean: float, half: float, seeds: int) -> str:
    spread = "" if isnan(half) else f" ± {100 * half:.0f}"
    return f"{100 * mean:.0f} %{spread}" + ("" if seeds == SEEDS else f" ({seeds} seeds)")


def main() -> None:
    """Play the ladders, print their tables, and put them into a document."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("seeds", nargs="?", type=int, default=SEEDS)
    parser.add_argument("games", nargs="*", default=[*LADDERS])
    parser.add_argument("--into", type=Path, help="the document, such as docs/pages/reference/bots.md")
    given = parser.parse_args()
    for name, made in tables(given.games, given.seeds):
        print("\n".join([f"{name}:", *made]), flush=True)  # noqa: T201
        if given.into:
            given.into.write_text(replaced(given.into.read_text(), MARK.format(name), made))


if __name__ == "__main__":
    main()
