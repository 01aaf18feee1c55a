"""Print every ratio with its budget: `python -m tests.bench [--json] [--only PART] [--rounds N]`."""

import argparse
import json
from collections.abc import Callable

from tests.bench import environments, farm, playouts, ratings, roundtrip
from tests.bench.measure import COMPILED, Line

PARTS: dict[str, Callable[[int], list[Line]]] = {
    "playouts": playouts.lines,
    "farm": farm.lines,
    "environments": environments.lines,
    "ratings": ratings.lines,
    "roundtrip": roundtrip.lines,
}


def main() -> None:
    """Measure and print. A missed budget does not fail: it also depends on the machine."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="Speed compared with peers in the same run."
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.add_argument("--only", choices=PARTS, help="measure this part only")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of measurements of each pair (default 9)")
    arguments = parser.parse_args()
    parts = [arguments.only] if arguments.only else list(PARTS)
    build = "compiled" if COMPILED else "interpreted"
    if not arguments.json:
        print(f"the engine is {build}; ours, theirs, and the ratio of ours to theirs")
    lines = []
    for part in parts:
        found = PARTS[part](arguments.rounds)
        lines += found
        if not arguments.json:
            print("\n".join(line.text() for line in found), flush=True)
    if arguments.json:
        print(json.dumps({"build": build, "lines": [line.values() for line in lines]}, indent=2))


if __name__ == "__main__":
    main()
