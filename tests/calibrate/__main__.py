"""Check the claims of ratings and comparisons by simulation: `python -m tests.calibrate [--only PART]`."""

import argparse

from ballcourt.leaderboard.studies.compare.evidence import Method
from ballcourt.leaderboard.studies.compare.question import Question
from tests.calibrate.coverage import coverage
from tests.calibrate.races import SPREADS, even_split, fields, nulls, raced
from tests.calibrate.versions import SKEWED, fate, fixed_blocks
from tests.calibrate.versions import WORLDS as VERSIONS
from tests.calibrate.worlds import WORLDS

NULLS = 1000
TRUTHS = (0.5, 0.55, 0.6)
"""Shares of duels that are really won, where 55 % is the effect asked for."""


def main() -> None:
    """Simulate and print; it takes about half an hour on an idle processor."""
    parser = argparse.ArgumentParser(prog="python -m tests.calibrate", description="Whether what is claimed holds.")
    parser.add_argument("--leagues", type=int, default=400, help="leagues per world (default 400)")
    parser.add_argument("--tests", type=int, default=10_000, help="comparisons per world (default 10000)")
    parser.add_argument(
        "--only", choices=["ratings", "comparisons", "evaluations", "races"], help="simulate this part only"
    )
    parser.add_argument("--world", choices=WORLDS, help="of ratings, this world only")
    arguments = parser.parse_args()
    if arguments.only in (None, "ratings"):
        ratings(arguments.leagues, [arguments.world] if arguments.world else list(WORLDS))
    if arguments.only in (None, "comparisons"):
        for method in Method:
            comparisons(arguments.tests, method)
    if arguments.only in (None, "evaluations"):
        evaluations()
    if arguments.only in (None, "races"):
        races()


def evaluations() -> None:
    """Print how often evaluations of candidates that are no better say "better", with a look after every block."""
    print(f"\n{NULLS} evaluations each of candidates that win half of their duels: better / hopeless / blocks")
    for name, world in VERSIONS.items():
        found = nulls(world.with_share(0.5), NULLS)
        print(f"{name:36}{found.better:9.4f} /{found.hopeless:7.4f} /{found.blocks:8.1f}", flush=True)


def races() -> None:
    """Print how often the winner of a race is about as good as the best, and for how many matches."""
    print("\n200 fields of 32 candidates: right / matches, as a share of those of an even split that is right in 90 %")
    for spread in SPREADS:
        even = even_split(200, 32, spread, 0.9)
        run = [raced(field, int(0.35 * even)) for field in fields(200, 32, spread)]
        right, played = (sum(column) / len(run) for column in zip(*run, strict=True))
        print(f"{f'strengths spread by {spread}':36}{right:9.3f} /{played / even:5.2f}", flush=True)


def ratings(leagues: int, worlds: list[str]) -> None:
    """Print how often intervals hold the truth."""
    print(f"{leagues} leagues per world; 95% intervals of ratings, differences and ranks; P(best) said and true")
    print("rmse in units of beta; ep, openskill: the error as a multiple of TrueSkill's fixed point's, of openskill's")
    print(
        f"{'world':36}{'ratings':>9}{'differ.':>9}{'ranks':>9}{'said':>7}{'true':>7}{'rmse':>8}{'ep':>7}{'openskill':>11}"
    )
    for name in worlds:
        found = coverage(WORLDS[name], leagues, seed=list(WORLDS).index(name))  # else all worlds share their luck
        shares = f"{found.ratings:9.3f}{found.differences:9.3f}{found.ranks:9.3f}"
        best = f"{found.said_best:7.2f}{found.was_best:7.2f}"
        print(f"{name:36}{shares}{best}{found.rmse:8.3f}{found.of_ep:7.3f}{found.of_openskill:11.3f}", flush=True)


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


if __name__ == "__main__":
    main()
