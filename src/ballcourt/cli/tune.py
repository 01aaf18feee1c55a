"""`ballcourt tune`: searches for better values of a bot's parameters."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.bots.bot import BOT_FILE, Bot, BotError
from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.bots.parameters import Parameter, parameter_called, words
from ballcourt.arena.tournament.event.reading import event_from
from ballcourt.arena.tournament.folder.output import hold, make_output
from ballcourt.arena.tournament.playing.play import start_for
from ballcourt.arena.workers.runner import BlockRunner
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import DuelFlags, PrintFlags, Treatment, Workers
from ballcourt.cli.given import duel_table
from ballcourt.cli.output import dump, note, same_command, say
from ballcourt.cli.setting_up import demand_walls
from ballcourt.engine.registry import find_game
from ballcourt.evaluation.comparison import default_seats, plan_comparison
from ballcourt.evaluation.evidence import mean_of
from ballcourt.evaluation.ledger import Ledger
from ballcourt.evaluation.spsa import Spsa
from ballcourt.evaluation.tuning import FILE, SearchLength, SearchProgress, Tuning

SHOWN = 20
"""How many lines of progress there are."""


@dataclass(frozen=True, slots=True)
class SearchFlags:
    """Which parameters are searched, and for how long."""

    parameter: Annotated[list[str] | None, option("A parameter to search; may be repeated; default: all.", "NAME")] = (
        None
    )
    steps: Annotated[int, option("How many steps to make.", "N", min=1)] = 200
    deals: Annotated[int, option("How many deals are played in each step.", "N", min=1)] = 4
    checks: Annotated[int, option("How many other deals show whether the result is better.", "N", min=1)] = 100
    seed: Annotated[int, option("The seed of all chance.", "N", min=0)] = 1


def tune(
    bot: Annotated[str, argument("BOT", "A bot that declares parameters: a name or folder.")],
    duel: DuelFlags,
    treatment: Treatment,
    searched: SearchFlags,
    printed: PrintFlags,
    workers: Workers = None,
) -> None:
    """Search for better values of the parameters that a bot declares in its bot.toml.

    Each step changes all parameters a little. The bot with these changes plays the bot with the opposite ones, and the
    parameters follow the winner (SPSA). Then the values found play those of bot.toml on other deals; the interval of
    the share of duels that they win holds the truth with a probability of 95 %, however often you look. After an
    interruption, the same command continues.

    \b
    Examples:
      ballcourt tune ismcts --game maya --seats 2 --clock work=40
      ballcourt tune ./mine --game tzolkin --parameter depth --steps 500
    """
    found = _bot(bot)
    parameters = _chosen(found, searched.parameter or ())
    given = duel_table(duel, treatment, seed=searched.seed, workers=workers)
    demand_walls(given, strict=treatment.strict)
    settings = event_from(None, given, "the command line")
    seats = duel.seats or default_seats(find_game(duel.game))
    folder = printed.output or Path("runs") / f"tune-{found.name}-{duel.game}-{seats}"
    planned = plan_comparison(folder, bot, bot, settings)
    about = {
        "bot": found.content_hash,
        "game": duel.game,
        "seats": seats,
        "options": dict(planned.setups[0].options),
        "clock": list(treatment.clock or ()),
        "seed": searched.seed,
        "parameters": [one.name for one in parameters],
        "steps": searched.steps,
        "deals": searched.deals,
    }
    start = start_for(settings, planned)
    make_output(folder)
    with ExitStack() as stack:
        stack.enter_context(hold(folder))
        length = SearchLength(searched.steps, searched.deals, searched.checks)
        ledger = stack.enter_context(closing(Ledger(folder / FILE)))
        tuning = Tuning(ledger, planned, Spsa(parameters, searched.seed, length.steps), length, about)
        _play(tuning, stack.enter_context(start(planned.schedule.matches_in(length.deals))), length)
    _report(tuning, found, as_json=printed.as_json)
    if treatment.strict and tuning.lost:
        raise typer.Exit(CHECK_FAILED)


def _play(tuning: Tuning, runner: BlockRunner, length: SearchLength) -> None:
    """Play what is left, and show how it goes."""
    try:
        for progress in tuning.play(runner):
            _show(progress, length.checks if progress.is_check else length.steps)
    except BaseException:
        done = f"{tuning.steps} of {length.steps} steps and {len(tuning.checks)} of {length.checks} checks"
        note(f"stopped after {done}")
        note(f"to continue: {same_command()}")
        raise


def _bot(written: str) -> Bot:
    """Return the bot to be tuned. Raises BotError."""
    bot = resolve_bot(written)
    if not bot.parameters:
        raise BotError(f"{bot.name} declares no parameters; add tables such as [parameters.depth] to its {BOT_FILE}")
    return bot


def _chosen(bot: Bot, names: Sequence[str]) -> list[Parameter]:
    try:
        return [parameter_called(name, bot.parameters) for name in dict.fromkeys(names)] or [*bot.parameters]
    except ValueError as error:
        raise typer.BadParameter(f"bot {bot.name}: {error}", param_hint="--parameter") from error


def _show(progress: SearchProgress, whole: int) -> None:
    """Print some of the steps."""
    if progress.number % -(-whole // SHOWN) and progress.number != whole:
        return
    kind, values = ("check", "") if progress.is_check else ("step", f": {_written(progress.values)}")
    note(f"{kind} {progress.number} of {whole}{values}")


def _report(tuning: Tuning, bot: Bot, *, as_json: bool) -> None:
    found = mean_of(tuning.checks)
    if as_json:
        dump(
            {
                "values": dict(tuning.values),
                "share": found.value,
                "low": found.low,
                "high": found.high,
                "checks": found.blocks,
            }
        )
        return
    before = {parameter.name: parameter.default for parameter in bot.parameters if parameter.name in tuning.values}
    args = ", ".join(f'"{word}"' for word in words(tuning.values))
    say(
        [
            f"found {_written(tuning.values)}; bot.toml says {_written(before)}",
            f"with the former it wins {found.value:.1%} of the duels ({found.low:.1%} to {found.high:.1%}; "
            f"{found.blocks} deals)",
            f"to play with them: args = [{args}] in a [[bot]] table of a tournament file, or new defaults in bot.toml",
        ]
    )


def _written(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {value:g}" for name, value in values.items())
