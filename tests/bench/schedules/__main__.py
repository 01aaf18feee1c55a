"""How even least-met groups are, and what choosing them takes: `python -m tests.bench.schedules`.

A factor says how much more rating differences vary than if every pair met equally often.
"""

from time import process_time

from ballcourt.arena.tournament.schedules.balance import balances
from ballcourt.arena.tournament.schedules.formats import schedule_of
from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Design,
    Field,
    FormatOptions,
    Length,
    PlayedBlock,
    Schedule,
)
from tests.bench.leagues.simulated import League

FIELDS = ((12, 4, 1.15, 1.05), (50, 4, 1.15, 1.05), (100, 4, 1.15, 1.05), (300, 4, 1.15, 1.05), (100, 2, None, 1.25))
"""Entrants and seats, and the largest factors after n and 3n blocks."""
ENTRANTS, SEATS, BLOCKS, BUDGET_S = 1_000, 4, 100_000, 15


def main() -> None:
    """Measure and print."""
    print(f"{'entrants':>8} {'seats':>5} {'factor after n blocks':>22} {'after 3n':>9}")
    for entrants, seats, first, second in FIELDS:
        once, thrice = (factor(entrants, seats, rounds * entrants) for rounds in (1, 3))
        allowed = f"{first} and {second}" if first else f"{second} after 3n"
        print(f"{entrants:8} {seats:5} {once:22.3f} {thrice:9.3f}   at most {allowed}", flush=True)
    for format in ("balanced", "adaptive"):
        print(f"{format}: {ENTRANTS:,} entrants, {BLOCKS:,} blocks in {seconds(format):.1f} s, at most {BUDGET_S} s")


def factor(entrants: int, seats: int, blocks: int) -> float:
    """Return the factor of the balanced format after this number of blocks."""
    (counted,) = balances(entrants, 1, schedule("balanced", entrants, seats, blocks).stage(()))
    return counted.variance_factor()


def seconds(format: str) -> float:
    """Return the CPU time in which a format chooses all blocks of a large tournament, without that of the matches."""
    chooser, league = schedule(format, ENTRANTS, SEATS, BLOCKS), League(ENTRANTS, 1)
    results: list[PlayedBlock] = []
    spent = 0.0
    while True:
        began = process_time()
        stage: list[Block] = list(chooser.stage(results))
        spent += process_time() - began
        if not stage:
            return spent
        results += league.results(stage)


def schedule(format: str, entrants: int, seats: int, blocks: int) -> Schedule:
    """Return the schedule of a format."""
    return schedule_of(Design(format, Length("blocks", blocks), FormatOptions()), Field(entrants, seats))


if __name__ == "__main__":
    main()
