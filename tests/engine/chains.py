"""Prints the ends of random matches, to compare two builds of the engine: `python -m tests.engine.chains 200`.

Matches of all installed games and of the fixture game, whose classes are always interpreted, over all seat counts.
"""

import argparse
import sys

import ballcourt.engine.core.state
from ballcourt.engine.conformance import Walk
from ballcourt.engine.registry import games
from tests.bluff import GAME as BLUFF


def lines(matches: int) -> list[str]:
    """Play matches with seeds from 0; return a line per match with its length and the end of its hash chain."""
    played = []
    for game in (*games().values(), BLUFF):
        for seed in range(matches):
            walk = Walk(game, game.seat_counts[seed % len(game.seat_counts)], seed)
            if walk.trouble:
                raise SystemExit(f"{game.name}, {walk.place()}: {walk.trouble}")
            played.append(f"{game.name} {walk.seats} {seed} {len(walk.decisions)} {walk.digests[-1].hex()}")
    return played


def main() -> None:
    """Check which build this is, then print the matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", type=int)
    parser.add_argument("--build", choices=("compiled", "interpreted"), help="fail unless the engine is this one")
    arguments = parser.parse_args()
    build = "interpreted" if str(ballcourt.engine.core.state.__file__).endswith(".py") else "compiled"
    if arguments.build not in (None, build):
        sys.exit(f"the engine at {ballcourt.engine.core.state.__file__} is {build}, not {arguments.build}")
    print("\n".join(lines(arguments.matches)))  # noqa: T201


if __name__ == "__main__":
    main()
