"""`ballcourt study scaling`: how strong a bot is with several budgets."""

from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ballcourt.arena.bots.entries import resolve_entry
from ballcourt.arena.extras import needs, needs_linux
from ballcourt.arena.files import in_place_of
from ballcourt.arena.tournament.event.reading import event_from
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.cli.clusters import Machines
from ballcourt.cli.declaring import option
from ballcourt.cli.flags import BotPath, DuelFlags, MachineFlags, PrintFlags, Treatment
from ballcourt.cli.given import OF_COMPARISONS, pairs, settings_table
from ballcourt.cli.output import columns, dump, note, say, writing
from ballcourt.cli.running import play_and_show
from ballcourt.evaluation import scaling as study

WORK, CAP = "work", "cap_ms"


def scaling(
    bot: BotPath,
    duel: DuelFlags,
    treatment: Treatment,
    machines: MachineFlags,
    printed: PrintFlags,
    work: Annotated[str | None, option("Units of work per decision, for bots that count them.", "N,N,...")] = None,
    cap_ms: Annotated[str | None, option("The most milliseconds for a decision.", "N,N,...", "--cap-ms")] = None,
    argument: Annotated[
        str | None, option("Values of a parameter that the bot declares, or of another argument.", "NAME=N,N,...")
    ] = None,
    against: Annotated[list[str] | None, option("Another bot of the field; may be repeated.", "BOT")] = None,
    rounds: Annotated[int, option("How often everybody meets everybody.", "N", min=1)] = 10,
    seed: Annotated[int, option("The seed of all chance.", "N", min=0)] = 1,
    plot: Annotated[Path | None, option("Draw the curve into this file (SVG).", "FILE")] = None,
) -> None:
    """Play a bot with several budgets against itself and others: its curve, and rating points per doubling.

    The bot enters once for each budget. All are rated together, so errors of differences are known; ± is a 95 %
    interval. The same command continues, also with more --rounds.

    \\b
    Examples:
      ballcourt study scaling ismcts --game maya --seats 2 --work 10,40,160 --against greedy
      ballcourt study scaling ./mine --game tzolkin --argument depth=2,4,8 --plot depth.svg
    """
    needs_linux("study scaling needs")
    if plot:
        needs("web", "jinja2")
    kind, budgets = _budgets(work, cap_ms, argument)
    entered = {f"{kind}-{budget:g}": budget for budget in budgets}
    options = pairs("--option", duel.option or ())
    given = settings_table(treatment, OF_COMPARISONS, game=duel.game, seats=duel.seats, options=options, seed=seed)
    given |= {"rounds": rounds, "bots": against or None, "output": printed.folder, "workers": machines.workers}
    given["bot"] = [{"path": bot, "label": label, **_budget(kind, budget)} for label, budget in entered.items()]
    settings = event_from(None, given, "the command line")
    folder = settings.output or Path("runs") / f"scaling-{Path(bot).name}-{duel.game}-{kind}"
    used = Machines.of(machines.cluster, {})
    used.check(machines.workers)
    replan = partial(plan, settings, cache(resolve_entry), folder=folder, build=not used.is_cluster)
    planned = replan()
    if len(planned.setups) > 1:
        raise typer.BadParameter(f"{duel.game} is played by several numbers of seats; give one", param_hint="--seats")
    with used.starting(planned, settings, strict=treatment.strict) as (start, tables):
        played = play_and_show(planned, folder, None, start, tables, replan)
    found = study.scaling(played.results, entered)
    if plot:
        _draw(plot, found, kind)
    if printed.as_json:
        dump({**found.to_json(), "budget": kind})
        return
    say(columns([*found.rows(kind)]))
    others = ", ".join(f"{name} {rating.text}" for name, rating in found.opponents.items())
    time = found.per_doubling_of_time
    of_time = f", {time.text} per doubling of think time" if time else ""
    say([f"{found.per_doubling.text} points per doubling{of_time}" + (f"; others: {others}" if others else "")])


def _draw(plot: Path, found: study.Scaling, kind: str) -> None:
    from ballcourt.leaderboard.pages.charts import as_file, budgets_chart  # which needs an extra

    points = [(one.budget, one.rating.value, one.rating.error) for one in found.curve]
    with writing(plot), in_place_of(plot) as file:
        file.write_text(as_file(budgets_chart(points, kind)))
    note(f"plot: {plot}")


def _budgets(work: str | None, cap_ms: str | None, argument: str | None) -> tuple[str, list[float]]:
    """Return what is varied, and its values. Raises BadParameter."""
    name, equals, values = (argument or "").partition("=")
    asked = [(flag, kind, text) for flag, kind, text in (("--work", WORK, work), ("--cap-ms", CAP, cap_ms)) if text]
    if argument is not None:
        if not (name and equals):
            raise typer.BadParameter(f"'{argument}' is not of the form NAME=N,N,...", param_hint="--argument")
        asked.append(("--argument", name, values))
    if len(asked) != 1:
        raise typer.BadParameter("give one of --work, --cap-ms and --argument", param_hint="--work")
    ((flag, kind, text),) = asked
    return kind, _numbers(flag, text)


def _numbers(flag: str, text: str) -> list[float]:
    words = text.split(",")
    try:
        numbers = sorted({float(word) for word in words})
    except ValueError:
        numbers = []
    if len(numbers) < max(len(words), 2) or not all(0 < number < float("inf") for number in numbers):
        raise typer.BadParameter(
            f"it is '{text}'; it must be two or more different numbers above 0, such as 15,40,100", param_hint=flag
        )
    return numbers


def _budget(kind: str, budget: float) -> dict[str, Any]:
    """Return what the table of an entrant says about its budget."""
    if kind in (WORK, CAP):
        return {"clock": {kind: int(budget)}}
    return {"args": [f"{kind}={budget:g}"]}
