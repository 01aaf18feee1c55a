"""What a table costs out of a large database: `python -m tests.bench.storage [--matches N] [--bots N] [--keep FILE]`.

The commands run as a reader would run them, each in a process of its own.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.results import Ladder, MatchResult, SeatResult
from ballcourt.leaderboard.store.database import open_database

SEATS = 4


def main() -> None:
    """Fill a database, show its tables three times, refresh them after a new block, and print what each took."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.storage", description="The cost of a large database.")
    parser.add_argument("--matches", type=int, default=100_000, help="matches of four seats (default 100,000)")
    parser.add_argument("--bots", type=int, default=100, help="bots (default 100)")
    parser.add_argument("--keep", type=Path, help="keep the database in this file, and use it if it is there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = arguments.keep or Path(folder, "leaderboard.sqlite")
        if not file.exists():
            print_cost("fill", filling(file, arguments.matches, arguments.bots))
        show = [sys.executable, "-m", "ballcourt", "leaderboard", str(file), "--json"]
        print_cost("fit and keep", show)
        print_cost("show the kept tables as JSON", show)
        print_cost("show the kept tables as text", show[:-1])
        print_cost("add a block", filling(file, SEATS, arguments.bots, arguments.matches))
        print_cost("refresh", [sys.executable, "-c", REFRESH, str(file)])


def filling(file: Path, matches: int, bots: int, first: int = 0) -> list[str]:
    """Return the command that adds matches to a database."""
    return [sys.executable, "-c", FILL, str(file), str(matches), str(bots), str(first)]


def print_cost(what: str, command: list[str]) -> None:
    """Run a command and print its time on the clock and on processors, and the most memory it used."""
    began = perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{what}: exit code {child.returncode}")
    took, cpu = perf_counter() - began, used.ru_utime + used.ru_stime
    sys.stdout.write(f"{what}: {took:.2f} s, {cpu:.2f} s CPU, {used.ru_maxrss / 1024:.0f} MB\n")


FILL = """
import sys
from tests.bench.storage import fill
fill(*sys.argv[1:])
"""


REFRESH = """
import sys
from pathlib import Path
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.snapshot import refresh
with open_database(Path(sys.argv[1])) as database:
    refresh(database)
"""


def fill(file: str, matches: str, bots: str, first: str = "0") -> None:
    """Add made-up matches to a database, which is made if it is not there."""
    with open_database(Path(file), create=True) as database:
        database.add(league(int(matches), int(bots), int(first)))


def league(matches: int, bots: int, first: int = 0) -> Iterator[MatchResult]:
    """Yield matches of bots of known strength in blocks of all rotations; `first` is a multiple of SEATS."""
    strengths = np.random.default_rng(1).normal(0, 1, bots)
    chance = np.random.default_rng([1, first])
    entrants = [BotVersion(f"bot{bot:04}", "1.0", f"{bot:064x}") for bot in range(bots)]
    ladder = Ladder("maya", "1", SEATS, ())
    for number in range(first, first + matches):
        if number % SEATS == 0:
            table = chance.choice(bots, SEATS, replace=False)
        seated = np.roll(table, number % SEATS)
        places = np.argsort(np.argsort(-(strengths[seated] + chance.normal(0, 1, SEATS)))) + 1
        seats = tuple(
            SeatResult(entrants[bot], place, float(100 - place), fault=False, think_us=12_345, longest_think_us=678)
            for bot, place in zip(seated.tolist(), places.tolist(), strict=True)
        )
        key = f"b{number // SEATS:06d}-r{number % SEATS}"
        yield MatchResult(
            key, f"{number:032x}", f"{number // SEATS:032x}", ladder, seats,
            started="2026-11-22T18:30:05Z", record=f"/data/runs/cup/records/{key}.match", checksum=f"{number:064x}",
        )  # fmt: skip


if __name__ == "__main__":
    main()
