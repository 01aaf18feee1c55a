"""`ballcourt check game`: checks whether a game keeps what the engine promises."""

from collections.abc import Iterator
from typing import Annotated

import typer

from ballcourt.arena.match.policy import counted
from ballcourt.cli.declaring import option
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Game, Json, Options
from ballcourt.cli.given import pairs
from ballcourt.cli.output import dump, say
from ballcourt.engine.conformance import ConformanceReport, check
from ballcourt.engine.registry import find_game


def game(
    name: Game,
    matches: Annotated[int, option("The number of random matches.", "N", min=1)] = 12,
    seed: Annotated[int, option("The seed of the first match.", "N", min=0, max=(1 << 64) - 1)] = 0,
    seats: Annotated[int | None, option("Play with N seats only.", "N", min=1)] = None,
    option: Options = None,
    as_json: Json = False,
) -> None:
    """Run the conformance checks on random matches of a game.

    Every position goes through all checks. Seats and options that are not given are random. A game that is not
    installed is found through BALLCOURT_GAMES=module:GAME in the environment.

    \b
    Exit codes: 0 all checks passed; 1 a check failed.
    Examples:
      ballcourt check game tzolkin
      ballcourt check game tzolkin --matches 200 --seed 7 --json
      ballcourt check game ahau --seats 3 --option shadow=yes
    """
    report = check(find_game(name), matches, seed, seats=seats, options=pairs("--option", option or []))
    if as_json:
        dump(_values(report))
    else:
        say(_lines(report))
    raise typer.Exit(0 if report.passed else CHECK_FAILED)


def _lines(report: ConformanceReport) -> Iterator[str]:
    for result in report.results:
        yield f"{'FAILED' if result.problems else 'ok    '}  {result.check.name:12}  {result.check.promise}"
        yield from (f"          {problem}" for problem in result.problems)
    failed = len(report.failures())
    verdict = (
        f"{failed} of {len(report.results)} checks failed" if failed else f"all {len(report.results)} checks passed"
    )
    yield (
        f"{report.game}, rules {report.rules_version}: {verdict} "
        f"in {counted(report.matches, 'match')} with {counted(report.decisions, 'decision')}"
    )


def _values(report: ConformanceReport) -> dict[str, object]:
    return {
        "game": report.game,
        "rules_version": report.rules_version,
        "passed": report.passed,
        "matches": report.matches,
        "decisions": report.decisions,
        "checks": [
            {"name": result.check.name, "promise": result.check.promise, "problems": list(result.problems)}
            for result in report.results
        ],
    }
