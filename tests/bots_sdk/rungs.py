"""Measures the rungs of the games: `python -m tests.bots_sdk.rungs FILE [--games ...] [--seats ...] [--into DOCUMENT]`.

One bot of each rung sits among bots of the rung below, and every seed is played in all seat rotations. Every result is
a line of FILE, and the same command continues. The number is the share of duels that the upper rung wins.
"""

import json
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

from ballcourt import Bot, Parameters
from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.bots.parameters import set_to
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.evaluation.rungs.climb import Rungs, find_rungs
from tests.bots_sdk.ladder import LADDERS, SEATS, block, bot_class, interval, replaced

MARK: Final = "<!-- made by python -m tests.bots_sdk.rungs: {} -->"


def bot_of(table: BotTable) -> Bot:
    """Return the bot of a rung, with its arguments and the work that it may do."""
    bot = bot_class(table.path.replace("-", "_"))()
    given = set_to(resolve_bot(table.path).parameters, table.args)
    values = {one.name: one.default if one.given is None else one.given for one in given}
    bot.parameters = Parameters({**bot.parameters, **values})
    started = bot.match_started

    def starting() -> None:
        bot.match.clock.work = table.clock.work or 0
        started()

    bot.match_started = starting  # type: ignore[method-assign]
    return bot


def measure(rungs: Rungs, rung: int, seed: int) -> dict[str, Any]:
    """Play one seed in all seat rotations; return the share of duels that a rung won from the one below, its lead."""
    upper, lower = f"rung {rung}", f"rung {rung - 1}"
    tables = {upper: rungs.tables[rung - 1], lower: rungs.tables[rung - 2]}
    sitting = [upper, *[lower] * (rungs.seats - 1)]
    shown = block(rungs.file.game, sitting, seed, lambda name: bot_of(tables[name]))
    names = {"upper": rungs.called(rung), "lower": rungs.called(rung - 1)}
    won, lead = shown[upper].above, shown[upper].points - shown[lower].points
    return {
        "game": rungs.file.game,
        "seats": rungs.seats,
        "rung": rung,
        "seed": seed,
        **names,
        "won": won,
        "lead": lead,
    }


def rows(rungs: Mapping[int, Rungs], results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the table of a game: its rungs at each table size, and how each does against the one below."""
    found = defaultdict(list)
    for one in results:
        found[one["seats"], one["upper"], one["lower"]].append(one["won"])
    yield "| rung | " + " | ".join(f"{seats} seats" for seats in rungs) + " |"
    yield "| --- " * (1 + len(rungs)) + "|"
    for rung in range(max(len(of.tables) for of in rungs.values()), 0, -1):
        yield f"| {rung} | {' | '.join(_cell(of, rung, found) for of in rungs.values())} |"


def _cell(rungs: Rungs, rung: int, found: Mapping[tuple[int, str, str], Sequence[float]]) -> str:
    if rung > len(rungs.tables):
        return ""
    name = rungs.called(rung)
    won = found.get((rungs.seats, name, rungs.called(rung - 1))) if rung > 1 else None
    if not won:
        return name
    mean, half = interval(won)
    return f"{name}: {100 * mean:.0f} % ± {100 * half:.0f}"


def main() -> None:
    """Play what is not in the file yet, then print the tables, and put them into a document."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", nargs="+", default=[*LADDERS])
    parser.add_argument("--seats", type=int, nargs="+", default=SEATS)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--into", type=Path, help="the document, such as docs/pages/reference/bots.md")
    given = parser.parse_args()
    given.file.touch()
    results = [json.loads(line) for line in given.file.read_text().splitlines()]
    played = {(one["game"], one["seats"], one["upper"], one["lower"], one["seed"]) for one in results}
    ladders = {game: {seats: find_rungs(game, seats) for seats in given.seats} for game in given.games}
    for seed, game, seats in product(range(given.seeds), given.games, given.seats):
        rungs = ladders[game][seats]
        for rung in range(2, len(rungs.tables) + 1):
            if (game, seats, rungs.called(rung), rungs.called(rung - 1), seed) not in played:
                results.append(measure(rungs, rung, seed))
                with given.file.open("a") as file:
                    file.write(json.dumps(results[-1]) + "\n")
    for game, of in ladders.items():
        made = [*rows(of, [one for one in results if one["game"] == game])]
        print("\n".join([f"{game}:", *made]), flush=True)  # noqa: T201
        if given.into:
            given.into.write_text(replaced(given.into.read_text(), MARK.format(game), made))


if __name__ == "__main__":
    main()
