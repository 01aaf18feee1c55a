"""Check the claims of ratings and comparisons by simulation: `python -m tests.calibrate [--only PART]`."""

import argparse
from pathlib import Path

import numpy as np

from ballcourt.engine.registry import games
from ballcourt.evaluation.evidence import Method
from ballcourt.evaluation.points import in_points
from ballcourt.evaluation.question import Question
from tests.calibrate.betas import SPREADS as BETAS
from tests.calibrate.betas import foreseen
from tests.calibrate.coverage import coverage, looked_at
from tests.calibrate.races import SPREADS, even_split, fields, nulls, put_out, raced
from tests.calibrate.spreads import spread
from tests.calibrate.together import wrong_share
from tests.calibrate.versions import BY_POINTS, SKEWED, fate, fixed_blocks
from tests.calibrate.versions import WORLDS as VERSIONS
from tests.calibrate.worlds import LOOKED_AT, WORLDS

PARTS = ("ratings", "looks", "comparisons", "points", "together", "evaluations", "races", "spreads")
NULLS = 1000
FIELDS = 600
"""Of 200 fields, 88.5 to 92.5 % had the right winner with budgets that differed by 4 %."""
TRUTHS = (0.5, 0.55, 0.6)
"""Shares of duels that are really won, where 55 % is the effect asked for."""
SEEDS = 10
"""How many deals show how far apart points are, at each table size."""


def main() -> None:
    """Simulate and print; it takes about half an hour on an idle processor."""
    parser = argparse.ArgumentParser(prog="python -m tests.calibrate", description="Whether what is claimed holds.")
    parser.add_argument("--leagues", type=int, default=400, help="leagues per world (default 400)")
    parser.add_argument("--tests", type=int, default=10_000, help="comparisons per world (default 10000)")
    parser.add_argument("--only", choices=PARTS, help="simulate this part only")
    parser.add_argument("--world", choices=WORLDS, help="of ratings, this world only")
    parser.add_argument(
        "--betas", type=Path, metavar="FOLDER", help="foresee the matches of this tournament instead, by beta"
    )
    arguments = parser.parse_args()
    if arguments.betas:
        betas(arguments.betas)
    chosen = [] if arguments.betas else [arguments.only] if arguments.only else PARTS
    if "ratings" in chosen:
        ratings(arguments.leagues, [arguments.world] if arguments.world else list(WORLDS))
    if "looks" in chosen:
        looks(max(arguments.leagues // 4, 1))
    if "comparisons" in chosen:
        for method in Method:
            comparisons(arguments.tests, method)
    if "points" in chosen:
        points(arguments.tests)
    if "together" in chosen:
        together(max(arguments.tests // 20, 1))
    if "evaluations" in chosen:
        evaluations()
    if "races" in chosen:
        races()
    if "spreads" in chosen:
        spreads()


def betas(folder: Path) -> None:
    """Print how well matches are foreseen from others if performances spread less or more than usual."""
    print("mean log-likelihood of a pair that was left out, in nats, by the spread of a performance in units of beta")
    print(f"{'table':36}{'matches':>9}" + "".join(f"{spread:9}" for spread in BETAS))
    for ladder, matches, likelihood in foreseen(folder):
        print(f"{f'{ladder.game}, {ladder.seats} seats':36}{matches:9}" + "".join(f"{one:9.3f}" for one in likelihood))


def evaluations() -> None:
    """Print how often evaluations of candidates that are not better say "better", with a look after every block."""
    print(f"\n{NULLS} evaluations each of candidates that win half of their duels: better / hopeless / blocks")
    for name, world in VERSIONS.items():
        found = nulls(world.with_share(0.5), NULLS)
        print(f"{name:36}{found.better:9.4f} /{found.hopeless:7.4f} /{found.blocks:8.1f}", flush=True)


def races() -> None:
    """Print how often the winner of a race is about as good as the best, and for how many matches."""
    print(
        f"\n{FIELDS} fields of 32 candidates, by duels, and by points with half of the blocks: right / blocks, as a "
        "share of those of an even split that is right in 90 % by duels"
    )
    for width in SPREADS:
        even, cells = even_split(200, 32, width, 0.9), ""
        for by_points, share in ((False, 0.35), (True, 0.175)):
            run = [raced(field, int(share * even)) for field in fields(FIELDS, 32, width, by_points=by_points)]
            right, played = (sum(column) / len(run) for column in zip(*run, strict=True))
            cells += f"{right:9.3f} /{played / even:5.2f}"
        print(f"{f'strengths spread by {width}':36}{cells}", flush=True)
    print(f"a best one put out by bets, of 8 equals in 400 blocks (goal 0.05 or less){put_out(400, 8, 400):9.3f}")


def ratings(leagues: int, worlds: list[str]) -> None:
    """Print how often intervals hold the truth."""
    print(f"{leagues} leagues per world; 95% intervals of ratings and differences; P(best) said and true")
    print("rmse in units of beta; ep, openskill: the error as a multiple of TrueSkill's fixed point's, of openskill's")
    print(f"{'world':36}{'ratings':>9}{'differ.':>9}{'said':>7}{'true':>7}{'rmse':>8}{'ep':>7}{'openskill':>11}")
    for name in worlds:
        found = coverage(WORLDS[name], leagues, seed=list(WORLDS).index(name))  # else all worlds share their luck
        shares = f"{found.ratings:9.3f}{found.differences:9.3f}"
        best = f"{found.said_best:7.2f}{found.was_best:7.2f}"
        print(f"{name:36}{shares}{best}{found.rmse:8.3f}{found.of_ep:7.3f}{found.of_openskill:11.3f}", flush=True)


def looks(leagues: int) -> None:
    """Print how often ranges of ranks hold at every look, and the interval of a bot that looks best then."""
    print(
        f"\n{leagues} leagues per world: all ranges of ranks held at every look; the interval of a bot whose "
        "friends end the league when it looks best; width of ranges after some blocks"
    )
    for number, (name, world) in enumerate(LOOKED_AT.items()):
        held, favourite, widths = looked_at(world, leagues, seed=number)
        some = "".join(f"{blocks:7}: {width:.1f}" for blocks, width in widths[:: len(widths) // 6])
        print(f"{name:36}{held:9.3f}{favourite:9.3f}{some}", flush=True)


def comparisons(tests: int, method: Method) -> None:
    """Print how often a test says "better", and its mean length as a share of that of a fixed test."""
    print(f"\n{tests} comparisons each, by {method}, for an effect of 55%: better / length, and the least covered")
    heads = "".join(f"{f'truth {truth:.0%}':>16}" for truth in TRUTHS)
    print(f"{'world':36}{heads}{'covered':>10}")
    for name, world in VERSIONS.items():
        fixed = fixed_blocks(world.with_share(TRUTHS[0]), Question())
        fates = [fate(world.with_share(truth), truth, Question(), method, tests) for truth in TRUTHS]
        cells = "".join(f"{found.better:9.4f} /{found.blocks / fixed:5.2f}" for found in fates)
        print(f"{name:36}{cells}{min(found.covered for found in fates):10.3f}", flush=True)
    for name, (draw, effect) in SKEWED.items():
        found = fate(draw, 0.5, Question(effect=effect), method, tests)
        label = f"{name}, effect {effect:.1%}"
        print(f"{label:36}{found.better:9.4f}       {'':32}{found.covered:10.3f}", flush=True)


def points(tests: int) -> None:
    """Print how often the bets on points say "better", and their mean length as a share of others' lengths."""
    print(
        f"\n{tests} comparisons each, by points: better / blocks as a share of those by duels / of those of a test of "
        "fixed length by duels, and the least covered"
    )
    heads = "".join(f"{f'truth {truth:.0%}':>23}" for truth in TRUTHS)
    print(f"{'world':36}{heads}{'covered':>10}")
    for name, world in BY_POINTS.items():
        cells, covered = "", []
        fixed = fixed_blocks(VERSIONS[name].with_share(TRUTHS[0]), Question())
        for truth in TRUTHS:
            draw = world.with_share(truth)
            mean = float(draw(np.random.default_rng(5), (2000, 200)).mean())
            found = fate(draw, mean, in_points(Question()), Method.BETTING, tests)
            duels = fate(VERSIONS[name].with_share(truth), truth, Question(), Method.BETTING, tests)
            cells += f"{found.better:9.4f} /{found.blocks / duels.blocks:5.2f} /{found.blocks / fixed:5.2f}"
            covered.append(found.covered)
        print(f"{name:36}{cells}{min(covered):10.3f}", flush=True)


def together(teams: int) -> None:
    """Print which share of the believed ideas is wrong, in teams of 20 ideas."""
    print(
        f"\n{teams} teams with 20 ideas: wrong of those believed one by one / together, and better ones found together"
    )
    for better in (0, 1, 4, 10):
        alone, both, found = wrong_share(20, better, teams)
        print(f"{f'{better} better':36}{alone:9.4f} /{both:7.4f}{found:10.2f}", flush=True)


def spreads() -> None:
    """Print how far apart points are in every game: what `Game.points_spread` says, and what is played."""
    print("\nspread of points: stated / played, and from how many margins")
    for game in games().values():
        found, margins = spread(game, SEEDS)
        print(f"{game.name:36}{game.points_spread or 0:9.1f} /{found:7.1f}{margins:10}", flush=True)


if __name__ == "__main__":
    main()
