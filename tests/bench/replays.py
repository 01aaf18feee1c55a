"""How fast pages are in a browser: `python -m tests.bench.replays [--matches N] [--only NAME]...`.

The longest of some random matches of every game and number of seats is opened, and stepped through with one step for
each picture of the browser. What a step costs is CPU time; opening and pictures a second are by the clock, and other
programs on the machine and a browser without a graphics processor make them worse. The home page is opened as a phone
with a slow processor would open it over a slow network.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from ballcourt.arena.replays.document import document, observers
from ballcourt.arena.replays.page import write_page
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.replays.matches import played
from tests.bench.serving import serving
from tests.bench.storage import fill
from tests.bench.traces import ALL_CATEGORIES, work_ms
from tests.browser import chromium

GAMES: Final = ("tzolkin", "maya", "ahau")
DESKTOP: Final = {"width": 1280, "height": 900}
PHONE: Final = {"width": 360, "height": 740}
SLOWER: Final = 4
"""How many times slower than this machine's the processor of the phone is."""
NETWORK: Final = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
"""Of the phone: milliseconds, and bytes a second; 1.6 Mbit/s down."""
HOME_MATCHES: Final = "2000"
HOME_BOTS: Final = "50"
STEP: Final = """() => new Promise((done) => {
  const part = (name) => document.querySelector(`[data-part=${name}]`);
  if (part("forced").checked) part("forced").click();
  const times = [];
  const step = (now) => {
    performance.mark("step");
    times.push(now);
    if (times.length > Number(part("slider").max)) return done(times);
    document.querySelector("[data-do=forward]").click();
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""
"""Goes through a replay; returns when each picture began."""
DRAWN: Final = """() => new Promise((done) => {
  const look = () => requestAnimationFrame(() => {
    if (document.querySelector(".player")) setTimeout(() => done(performance.now()));
    else look();
  });
  look();
})"""
"""Returns the milliseconds from the navigation until the replay has been drawn. What playwright waits for elements with
would itself take a tenth of the main thread's time.
"""
SHOWN: Final = """() => new Promise((done) => new PerformanceObserver((list) => done(list.getEntries()[0].startTime))
  .observe({ type: "paint", buffered: true }))"""
"""Returns the milliseconds from the navigation until the first picture."""


def main() -> None:
    """Write the pages, open them and print what they took."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.replays", description="The speed of pages in a browser."
    )
    parser.add_argument("--matches", type=int, default=10, help="matches of which the longest is shown (default 10)")
    parser.add_argument("--only", action="append", help="a replay such as tzolkin-4, or home; may be repeated")
    arguments = parser.parse_args()
    names = [f"{game}-{seats}" for game in GAMES for seats in find_game(game).seat_counts]
    with tempfile.TemporaryDirectory() as folder:
        # all of this comes first, for the browser's event loop keeps others from running
        pages = dict(
            written(Path(folder), [name for name in names if name in (arguments.only or names)], arguments.matches)
        )
        database = Path(folder, "leaderboard.sqlite")
        fill(str(database), HOME_MATCHES, HOME_BOTS)
        with chromium() as browser:
            for name, page in pages.items():
                print_replay(name, *stepped(browser, page))
            if "home" in (arguments.only or ["home"]):
                with serving(database) as address:
                    print_home(*on_a_slow_phone(browser, address))


def written(folder: Path, names: list[str], matches: int) -> Iterator[tuple[str, Path]]:
    """Write the page of the longest match of each game and number of seats; yield its name and path."""
    for name in names:
        game, seats = name.split("-")
        record = max((played(game, int(seats), seed) for seed in range(5, 5 + matches)), key=decisions)
        path = folder / f"{name}.html"
        write_page(path, [document(record, observer) for observer in observers(record)])
        yield name, path


def decisions(record: MatchRecord) -> int:
    """Return how many decisions a match has."""
    return len(record.decisions.seats)


def stepped(browser: Any, page: Path) -> tuple[tuple[float, float], list[float], bytes]:  # noqa: ANN401
    """Open a replay and step through it; return what opening took, when each picture began, and the trace.

    Opening is given in milliseconds, by the clock and as CPU time of the main thread.
    """
    tab = browser.new_page(viewport=DESKTOP)
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    tab.goto(page.as_uri())
    drawn = tab.evaluate(DRAWN)
    spent = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    opening = (drawn, 1000 * spent["TaskDuration"])
    browser.start_tracing(page=tab, categories=ALL_CATEGORIES)
    times = tab.evaluate(STEP)
    trace = browser.stop_tracing()
    tab.close()
    return opening, times, trace


def on_a_slow_phone(browser: Any, address: str) -> tuple[float, int]:  # noqa: ANN401
    """Open a page with a slow processor and network; return the milliseconds to its first picture, and its bytes."""
    tab = browser.new_page(viewport=PHONE)
    phone = tab.context.new_cdp_session(tab)
    came: list[int] = []
    phone.on("Network.loadingFinished", lambda event: came.append(int(event["encodedDataLength"])))
    phone.send("Network.enable")
    phone.send("Network.emulateNetworkConditions", NETWORK)
    phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    tab.goto(address, wait_until="networkidle")
    shown = tab.evaluate(SHOWN)
    tab.close()
    return shown, sum(came)


def print_replay(name: str, opening: tuple[float, float], times: list[float], trace: bytes) -> None:
    """Print what opening a replay and its steps took."""
    rate = 1000 * (len(times) - 1) / (times[-1] - times[0])
    spent = work_ms(trace, "step")
    costs = "  ".join(f"{kind} {median_and_high(values[:-1])}" for kind, values in spent.items())
    took, cpu = opening
    opened = f"opened in {took:4.0f} ms ({cpu:3.0f} ms CPU)"
    sys.stdout.write(f"{name:10} {len(times) - 1:3} steps  {opened}  {rate:4.1f} pictures/s\n")
    sys.stdout.write(f"{'':10} CPU ms a step, median and p95:  {costs}\n")


def median_and_high(values: Any) -> str:  # noqa: ANN401
    """Return the median and the 95th percentile as words."""
    return "{:.1f} {:.1f}".format(*np.quantile(values, (0.5, 0.95)))


def print_home(shown: float, size: int) -> None:
    """Print what the home page took."""
    sys.stdout.write(f"home page on a slow phone: first picture after {shown:.0f} ms, {size / 1000:.0f} KB in all\n")


if __name__ == "__main__":
    main()
