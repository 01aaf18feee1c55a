"""`ballcourt study history`: shows how the rating of a bot changed, and why."""

from typing import Annotated

import typer

from ballcourt.arena.bots.version import BotVersion
from ballcourt.cli.declaring import option
from ballcourt.cli.flags import Filters, Form, OneBot, Place
from ballcourt.cli.output import console
from ballcourt.cli.results import entrants_of, ladders_at, printed
from ballcourt.leaderboard.model.filters import one_named
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.studies import history as study
from ballcourt.leaderboard.studies.head_to_head import ladders_of
from ballcourt.leaderboard.studies.history import Change, Checkpoint, Unit, change


def history(
    place: Place,
    bot: OneBot,
    filters: Filters,
    form: Form,
    why: Annotated[str | None, option("Split the change between two checkpoints, such as 3:5.", "FROM:TO")] = None,
    by: Annotated[str | None, option("With --why: block (the default), match or day.", "UNIT")] = None,
) -> None:
    """Show the rating of a bot at up to 20 checkpoints, and with --why what changed it.

    Each checkpoint has an equal share of the bot's matches, in the order in which they began; its rating is that of a
    table made then. The parts of a change add up to it, except what is marked as not explained.

    \b
    Examples:
      ballcourt study history runs/demo greedy
      ballcourt study history runs/demo greedy --why 3:5 --by match
    """
    if why and form.as_csv:
        raise typer.BadParameter("--csv has only the checkpoints; --json has what changed them too", param_hint="--why")
    if by and not why:
        raise typer.BadParameter("it goes with --why", param_hint="--by")
    if by is not None and by not in {*Unit}:
        raise typer.BadParameter(f"'{by}' is not a unit; it must be one of {', '.join(Unit)}", param_hint="--by")
    unit = Unit(by or Unit.BLOCK)
    ladders = ladders_at(place, filters, form)
    one = one_named(bot, entrants_of(ladders))
    ladders = ladders_of(ladders, one)
    found = {ladder: study.history(played, one) for ladder, played in ladders.items()}
    changes = {ladder: _why(why, unit, ladders[ladder], one, rows) for ladder, rows in found.items()}
    if not printed(form, lambda: study.to_json(one, found, changes), lambda: study.to_csv(found)):
        for ladder, rows in found.items():
            console().print(study.to_table(ladder, str(one), rows))
            if split := changes[ladder]:
                console().print(study.change_table(split))


def _why(
    asked: str | None, unit: Unit, played: list[MatchResult], bot: BotVersion, found: list[Checkpoint]
) -> Change | None:
    if asked is None:
        return None
    first, _, last = asked.partition(":")
    numbers = [int(word) if word.isdecimal() else 0 for word in (first, last)]
    if not 1 <= numbers[0] < numbers[1] <= len(found):
        raise typer.BadParameter(
            f"'{asked}' is not two of the checkpoints 1 to {len(found)}, the earlier first, such as 1:{len(found)}",
            param_hint="--why",
        )
    return change(played, bot, found[numbers[0] - 1], found[numbers[1] - 1], unit)
