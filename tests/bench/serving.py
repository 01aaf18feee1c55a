"""How fast pages of a large database are: `python -m tests.bench.serving [--matches N] [--bots N] [--keep FILE]`.

`ballcourt serve` shows the database while another process adds matches to it, as a tournament does. One browser asks
for one page after another, so the time of an answer is that of the server and of the socket.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import perf_counter, sleep
from typing import Final
from urllib.parse import urlsplit
from uuid import uuid4

import httpx2
import numpy as np

from ballcourt.leaderboard.pages.summaries import bot_id, ladder_id
from ballcourt.leaderboard.store.database import open_database
from tests.bench.storage import FILL, league, print_cost

MOST_MS: Final = 50.0
"""What the slowest of a hundred answers may take."""
ADDED: Final = 50
"""Matches that the tournament adds each second."""
START_S: Final = 600.0
ANSWER_S: Final = 30.0


def main() -> None:
    """Fill a database, serve it while it grows, print how long pages took; exit with 1 if one took too long."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.serving", description="The speed of pages.")
    parser.add_argument("--matches", type=int, default=100_000, help="matches of four seats (default 100,000)")
    parser.add_argument("--bots", type=int, default=100, help="bots (default 100)")
    parser.add_argument("--requests", type=int, default=300, help="requests for each kind of page (default 300)")
    parser.add_argument("--keep", type=Path, help="keep the database in this file, and use it if it is there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = arguments.keep or Path(folder, "leaderboard.sqlite")
        if not file.exists():
            print_cost("fill", [sys.executable, "-c", FILL, str(file), str(arguments.matches), str(arguments.bots)])
        first = next(league(1, arguments.bots))
        bots = [f"/bots/{bot_id(seat.entrant)}" for seat in first.seats]
        ladder = f"/ladders/{ladder_id(first.ladder)}"
        pages = {
            "leaderboard": ["/", ladder, f"{ladder}?sort=matches&page=2"],
            "bot page": bots,
            "match list": ["/matches", *(f"/matches?bot={bot.rpartition('/')[2]}" for bot in bots)],
        }
        with serving(file) as address, growing(file, arguments.bots), httpx2.Client(timeout=ANSWER_S) as browser:
            slowest = [
                print_times(name, times_ms(browser, address, paths, arguments.requests))
                for name, paths in pages.items()
            ]
    sys.exit(max(slowest) > MOST_MS)


def times_ms(browser: httpx2.Client, address: str, paths: list[str], requests: int) -> list[float]:
    """Return how long each answer took, in milliseconds."""
    times = []
    for number in range(requests):
        began = perf_counter()
        answer = browser.get(address + paths[number % len(paths)])
        times.append(1000 * (perf_counter() - began))
        answer.raise_for_status()
    return times


def print_times(name: str, times: list[float]) -> float:
    """Print the median and the 99th percentile; return the latter."""
    middle, high = np.quantile(times, (0.5, 0.99))
    verdict = "held" if high <= MOST_MS else "MISSED"
    sys.stdout.write(f"{name:12} median {middle:6.1f} ms, p99 {high:6.1f} ms, at most {MOST_MS:.0f} ms  {verdict}\n")
    return float(high)


@contextmanager
def serving(file: Path) -> Iterator[str]:
    """Run `ballcourt serve`; yield its address once it has its first tables."""
    with started(file) as (address, _):
        give_up = perf_counter() + START_S
        while "being computed" in httpx2.get(address, timeout=ANSWER_S).text:
            if perf_counter() > give_up:
                sys.exit(f"there are no tables after {START_S:.0f} s")
            sleep(1)
        yield address


@contextmanager
def started(file: Path, *more: str) -> Iterator[tuple[str, int]]:
    """Run `ballcourt serve` for a database, with more arguments; yield its address and process id."""
    command = [sys.executable, "-m", "ballcourt", "serve", f"sqlite:///{file.absolute()}", *more, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout
            yield f"http://{urlsplit(process.stdout.readline().split()[1]).netloc}", process.pid
        finally:
            process.terminate()


@contextmanager
def growing(file: Path, bots: int) -> Iterator[None]:
    """Add matches by another process."""
    with subprocess.Popen([sys.executable, "-c", GROW, str(file), str(bots)]) as process:
        try:
            yield
        finally:
            process.kill()


GROW = """
import sys
from tests.bench.serving import grow
grow(*sys.argv[1:])
"""


def grow(file: str, bots: str) -> None:
    """Add matches to a database, some each second, until this process is killed."""
    new = (replace(one, identity=uuid4().hex) for one in league(10**9, int(bots)))  # new to a kept database, too
    with open_database(Path(file)) as database:
        while True:
            database.add(list(islice(new, ADDED)))
            sleep(1)


if __name__ == "__main__":
    main()
