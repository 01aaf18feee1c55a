"""`ballcourt check bot`: checks whether a bot is ready for a tournament."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.checks import BotCheck, CheckResult, percentile
from ballcourt.arena.checks.check import Item
from ballcourt.arena.tournament.event.reading import parse_event
from ballcourt.arena.tournament.event.setups import setups_of
from ballcourt.arena.tournament.event.tables import SetUpTable
from ballcourt.arena.workers.speed import speed
from ballcourt.cli.declaring import option
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import BotPath, Json, Treatment
from ballcourt.cli.given import OF_BOTS, settings_table
from ballcourt.cli.output import dump, say, working
from ballcourt.cli.setting_up import demand_walls

MARKS = {"pass": "ok", "fail": "FAILED", "skip": "skip"}


def bot(
    bot: BotPath,
    treatment: Treatment,
    game: Annotated[str, option("The game to play; by default all that the bot plays.", "NAME")] = "",
    seats: Annotated[
        list[int] | None,
        option("For --game: check tables of N seats alone; by default all that it takes. May be repeated.", "N"),
    ] = None,
    decisions: Annotated[
        int | None, option("The number of recorded decisions; by default 1000, or fewer for a slow bot.", "N", min=1)
    ] = None,
    as_json: Json = False,
) -> None:
    """Check whether a bot is ready for a tournament.

    The bot is started as in a tournament; it plays matches and gets unusual input. Failed checks say what to fix.

    \b
    Checks: 1 bot.toml, 2 start and Hello, 3 name and version, 4 games and rules versions, 5 a match at every table
    size, 6 recorded decisions, 7 unusual input, 8 memory, 9 a second match on the same stream, 10 two processes at
    once, 11 same seed, same actions, 12 exit after Goodbye, 13 exit on SIGTERM, 14 nothing left behind.

    \b
    Exit codes: 0 every check passed or was skipped; 1 a check failed.
    Examples:
      ballcourt check bot greedy --game maya
      ballcourt check bot ./mine
      ballcourt check bot ./mine --game tzolkin --decisions 5000 --json
      ballcourt check bot ./mine --sandbox 1 --set sandbox.memory_mb=512 --clock cap_ms=1000
    """
    given = settings_table(treatment, OF_BOTS)
    demand_walls(given, strict=treatment.strict)
    settings = parse_event(given, "the command line", Path())
    if seats and not game:
        raise typer.BadParameter("it needs --game, as each game takes other numbers of seats", param_hint="--seats")
    setups = setups_of([SetUpTable(game=(game,), seats=tuple(seats))]) if seats else ()
    clock, sandbox = settings.clock.clock().on(speed()), settings.sandbox.sandbox()
    run = BotCheck(_folder(bot), [game] if game else (), clock, sandbox, decisions, setups)
    checks: list[CheckResult] = []
    with working("checking ...") as now:
        for check in run.run():
            if not as_json:
                say(_lines(check))
            checks.append(check)
            now(f"after item {check.number} of {len(Item)} ...")
    failures = [check for check in checks if check.outcome == "fail"]
    if as_json:
        times = run.think_us
        shares = {f"p{share}": percentile(times, share) for share in (50, 95, 99, 100)} if times else None
        dump({"passed": not failures, "checks": checks, "think_us": shares})
    else:
        numbers = ", ".join(map(str, sorted({check.number for check in failures})))
        say([f"the bot is not ready to play; failed checks: {numbers}" if failures else "the bot is ready to play"])
    raise typer.Exit(CHECK_FAILED if failures else 0)


def _folder(bot: str) -> Path:
    """Return the folder of a bot that is given by its path or, if there is no such path, by its name."""
    path = Path(bot)
    return path if os.sep in bot or path.exists() else resolve_bot(bot).folder


def _lines(check: CheckResult) -> Iterator[str]:
    first, *more = check.detail.splitlines()
    yield f"{check.number:2}. {MARKS[check.outcome]:6}  {check.title:34} {first}"
    yield from (f"            {line}" for line in more)
    if check.advice:
        yield f"            -> {check.advice}"
