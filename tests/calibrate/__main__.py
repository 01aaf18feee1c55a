"""Print the coverage of intervals for each world: `python -m tests.calibrate [--leagues N] [--only WORLD]`."""

import argparse

from tests.calibrate.coverage import coverage
from tests.calibrate.worlds import WORLDS


def main() -> None:
    """Simulate and print; it takes a few minutes."""
    parser = argparse.ArgumentParser(prog="python -m tests.calibrate", description="Whether intervals hold.")
    parser.add_argument("--leagues", type=int, default=400, help="leagues per world (default 400)")
    parser.add_argument("--only", choices=WORLDS, help="simulate this world only")
    arguments = parser.parse_args()
    print(
        f"{arguments.leagues} leagues per world; 95% intervals of ratings, differences and ranks; P(best) said and true"
    )
    print(f"{'world':36}{'ratings':>9}{'differ.':>9}{'ranks':>9}{'said':>7}{'true':>7}{'rmse/beta':>11}")
    for name in [arguments.only] if arguments.only else WORLDS:
        found = coverage(WORLDS[name], arguments.leagues)
        shares = f"{found.ratings:9.3f}{found.differences:9.3f}{found.ranks:9.3f}"
        print(f"{name:36}{shares}{found.said_best:7.2f}{found.was_best:7.2f}{found.rmse:11.3f}", flush=True)


if __name__ == "__main__":
    main()
