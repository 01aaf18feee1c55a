"""Compare formats by simulation: `python -m tests.bench.leagues [--leagues N] [--entrants N]`."""

import argparse
from statistics import fmean, median

from tests.bench.leagues.simulated import SEATS, League, order_after, until_separated

FORMATS = ("balanced", "swiss", "adaptive")
FIELDS = {10: 3_000, 50: 6_000, 300: 12_000}
"""Numbers of entrants, and after how many matches a league ends at the latest."""


def main() -> None:
    """Simulate and print; it takes about half an hour on an idle processor."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.leagues", description="How long each format takes to find the best bot."
    )
    parser.add_argument("--leagues", type=int, default=12, help="leagues per line (default 12)")
    parser.add_argument("--entrants", type=int, choices=FIELDS, help="only this number of entrants")
    arguments = parser.parse_args()
    print(f"{arguments.leagues} leagues each, {SEATS} seats; the best separated at 95 %, looking after every round")
    print(f"{'entrants':>8} {'format':10} {'median matches':>15} {'separated':>10} {'right':>6} {'tau, 15 a bot':>14}")
    for entrants in [arguments.entrants] if arguments.entrants else FIELDS:
        base = _lines(entrants, arguments.leagues)
        print(f"{'':8} adaptive takes {base['adaptive'] / base['balanced']:.2f} of the matches of balanced", flush=True)


def _lines(entrants: int, leagues: int) -> dict[str, float]:
    """Print a line for each format; return the median numbers of matches."""
    medians = {}
    for format in FORMATS:
        found = [until_separated(format, League(entrants, seed), FIELDS[entrants]) for seed in range(leagues)]
        tau = fmean(order_after(format, League(entrants, seed), 15 * entrants) for seed in range(leagues))
        ended = [one for one in found if one.separated]
        medians[format] = median(one.matches for one in found)
        right = f"{fmean(one.right for one in ended):6.2f}" if ended else f"{'-':>6}"
        bound = "" if len(ended) > leagues / 2 else "more than "
        print(
            f"{entrants:8} {format:10} {bound + f'{medians[format]:,.0f}':>15} {len(ended) / leagues:10.2f} {right} "
            f"{tau:14.3f}",
            flush=True,
        )
    return medians


if __name__ == "__main__":
    main()
