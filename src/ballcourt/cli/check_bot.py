"""`ballcourt check-bot`: checks whether a bot is ready for a tournament."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import ClockFlags, Json, LimitFlags, ReadableFlags, SandboxFlag, StrictFlag
from ballcourt.cli.output import clock_table, confinement, dump, say, working

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ballcourt.arena.checks import BotCheck, CheckResult

MARKS = {"pass": "ok", "fail": "FAILED", "skip": "skip"}


def check_bot(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A bot: a folder or a name.", show_default=False)],
    game: Annotated[
        str, typer.Option(metavar="NAME", help="The game to play; by default all that the bot plays.")
    ] = "",
    clock: ClockFlags = None,
    sandbox: SandboxFlag = None,
    limit: LimitFlags = None,
    readable: ReadableFlags = None,
    strict: StrictFlag = False,
    decisions: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="The number of recorded decisions; by default 1000, or fewer for a slow bot."
        ),
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
      ballcourt check-bot greedy --game maya
      ballcourt check-bot ./mine
      ballcourt check-bot ./mine --game tzolkin --decisions 5000 --json
      ballcourt check-bot ./mine --sandbox 1 --limit memory_mb=512 --clock cap_ms=1000
    """
    from ballcourt.arena.checks import BotCheck
    from ballcourt.arena.checks.check import Item
    from ballcourt.arena.tournament.event.reading import parse_event
    from ballcourt.arena.workers.speed import speed

    said = {"clock": clock_table(clock or ()), "sandbox": confinement(sandbox, limit, readable, strict=strict)}
    settings = parse_event(said, "the command line", Path())
    run = BotCheck(_folder(bot), game, settings.clock.clock().on(speed()), settings.sandbox.sandbox(), decisions)
    checks: list[CheckResult] = []
    with working("checking ...") as now:
        for check in run.run():
            if not as_json:
                say(_lines(check, checks))
            checks.append(check)
            now(f"after item {check.number} of {len(Item)} ...")
    failures = [check for check in checks if check.outcome == "fail"]
    if as_json:
        dump(_values(run, checks, passed=not failures))
    else:
        say([_verdict(failures)])
    raise typer.Exit(CHECK_FAILED if failures else 0)


def _folder(bot: str) -> Path:
    """Return the folder of a bot that is given by its path or, if there is no such path, by its name."""
    from ballcourt.arena.bots.known import resolve_bot

    path = Path(bot)
    return path if os.sep in bot or path.exists() else resolve_bot(bot).folder


def _lines(check: CheckResult, earlier: Sequence[CheckResult]) -> Iterator[str]:
    first, *more = check.detail.splitlines()
    same = next((other for other in earlier if more and other.detail.splitlines()[1:] == more), None)
    if same:
        more = [f"| (the same output as in check {same.number})"]
    yield f"{check.number:2}. {MARKS[check.outcome]:6}  {check.title:34} {first}"
    yield from (f"            {line}" for line in more)
    if check.advice:
        yield f"            -> {check.advice}"


def _verdict(failures: Sequence[CheckResult]) -> str:
    if not failures:
        return "the bot is ready to play"
    numbers = ", ".join(str(number) for number in sorted({check.number for check in failures}))
    return f"the bot is not ready to play; failed checks: {numbers}"


def _values(run: BotCheck, checks: Sequence[CheckResult], *, passed: bool) -> dict[str, object]:
    from ballcourt.arena.checks import percentile

    times = run.think_us
    return {
        "passed": passed,
        "checks": [asdict(check) for check in checks],
        "think_us": {f"p{share}": percentile(times, share) for share in (50, 95, 99, 100)} if times else None,
    }
