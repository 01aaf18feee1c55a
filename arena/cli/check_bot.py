"""`ballcourt check-bot`: whether a bot is fit for a tournament."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import CHECK_FAILED
from arena.cli.flags import Json
from arena.cli.output import dump, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.check_bot import BotCheck, Check


def check_bot(
    directory: Annotated[Path, typer.Argument(help="The bot's folder, with its bot.toml.", show_default=False)],
    game: Annotated[str, typer.Option(help="The game to play; by default the first one the bot plays.")] = "",
    as_json: Json = False,
) -> None:
    """Start a bot as a tournament would, play matches with it, and say what to repair.

    \b
    Exit codes: 0 all checks passed; 1 a check failed.
    Examples:
      ballcourt check-bot ./mine
      ballcourt check-bot ./mine --game tzolkin --json
    """
    from arena.check_bot import BotCheck

    run = BotCheck(directory, game)
    checks = []
    for number, check in enumerate(run.run(), start=1):
        checks.append(check)
        if not as_json:
            say(_lines(number, check))
    passed = all(check.passed for check in checks)
    if as_json:
        dump(_values(run, checks, passed))
    else:
        say(["the bot is fit to play" if passed else "the bot is not fit to play yet"])
    raise typer.Exit(0 if passed else CHECK_FAILED)


def _lines(number: int, check: Check) -> Iterator[str]:
    first, *more = check.detail.splitlines()
    yield f"{number:2}. {'ok    ' if check.passed else 'FAILED'}  {check.title:41} {first}"
    yield from (f"            {line}" for line in more)
    if check.advice:
        yield f"            -> {check.advice}"


def _values(run: BotCheck, checks: list[Check], passed: bool) -> dict[str, object]:
    from arena.check_bot import percentile

    times = run.think_us
    return {
        "passed": passed,
        "checks": [{"number": number, **asdict(check)} for number, check in enumerate(checks, start=1)],
        "think_us": {f"p{share}": percentile(times, share) for share in (50, 99)} if times else None,
    }
