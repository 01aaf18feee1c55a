"""`ballcourt tune`: searches for better values of a bot's parameters."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
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
from ballcourt.evaluation.differences import mean_of, seated
from ballcourt.evaluation.duels import duels, share_won
from ballcourt.evaluation.spsa import Spsa
from ballcourt.evaluation.tuning import SearchLength, SearchProgress, Tuning
from ballcourt.evaluation.versions import default_seats, is_new, plan_comparison
from ballcourt.v1.record_pb2 import MatchRecord

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
    with hold(folder):
        length = SearchLength(searched.steps, searched.deals, searched.checks)
        tuning = Tuning(folder, planned, Spsa(parameters, searched.seed, length.steps), length, about)
        lost = _play(tuning, start(planned.schedule.matches_in(length.deals)), length.steps, length.checks)
    _report(tuning, found, as_json=printed.as_json)
    if treatment.strict and lost:
        raise typer.Exit(CHECK_FAILED)


def _play(tuning: Tuning, runner: AbstractContextManager[BlockRunner], steps: int, checks: int) -> int:
    """Play what is left, and show how it goes; return how many seats bots have lost."""
    lost = 0

    def judge(block: Sequence[MatchRecord]) -> float:
        nonlocal lost
        lost += sum(len(record.faults) for record in block)
        return _judge(block)

    with runner as started:
        try:
            for progress in tuning.play(started, judge):
                _show(progress, steps, checks)
        except BaseException:
            note(f"stopped after {tuning.steps} of {steps} steps and {len(tuning.checks)} of {checks} checks")
            note(f"to continue: {same_command()}")
            raise
    return lost


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


def _judge(block: Sequence[MatchRecord]) -> float:
    """Return the share of duels that the new version won in a block."""
    return share_won(duels([seated(record, is_new) for record in block]))


def _show(progress: SearchProgress, steps: int, checks: int) -> None:
    """Print some of the steps."""
    whole = checks if progress.is_check else steps
    if progress.number % -(-whole // SHOWN) and progress.number != whole:
        return
    if progress.is_check:
        note(f"check {progress.number} of {checks}")
    else:
        note(f"step {progress.number} of {steps}: {_written(progress.values)}")


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
