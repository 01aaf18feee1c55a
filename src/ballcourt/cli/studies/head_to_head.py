"""`ballcourt study head-to-head`: shows who is placed above whom."""

from typing import Annotated

import typer

from ballcourt.arena.printable import printable
from ballcourt.cli.declaring import argument
from ballcourt.cli.flags import Filters, Form, Place
from ballcourt.cli.output import console, say
from ballcourt.cli.results import Ladders, entrants_of, ladders_at, printed
from ballcourt.leaderboard.model.filters import named, one_named
from ballcourt.leaderboard.studies import head_to_head as study


def head_to_head(
    place: Place,
    filters: Filters,
    form: Form,
    bots: Annotated[list[str] | None, argument("[BOT [BOT]]", "No bot, one or two: 'NAME' or 'NAME VERSION'.")] = None,
) -> None:
    """Show how often each bot was placed above each other one, and what their ratings predict.

    Without a bot this is a matrix; with one bot, its results by opponent; with two, the first against the second by
    seat and match by match. The 95% intervals treat a block of matches as the unit, as `ballcourt docs ratings` says.

    \b
    Examples:
      ballcourt study head-to-head runs/demo
      ballcourt study head-to-head runs/demo greedy
      ballcourt study head-to-head sqlite:///all.sqlite greedy random --game maya --csv
    """
    words = bots or []
    if len(words) > 2:
        raise typer.BadParameter(f"{len(words)} bots are named; name two at most", param_hint="BOT")
    ladders = ladders_at(place, filters, form)
    if not (ladders or form.as_json or form.as_csv):
        say(["no match has been played yet"])
    elif len(words) == 2:
        _duels(ladders, words, form)
    else:
        _meetings(ladders, words, form)


def _meetings(ladders: Ladders, words: list[str], form: Form) -> None:
    for word in words:
        named(word, entrants_of(ladders))
    found = {ladder: study.head_to_head(played, words) for ladder, played in ladders.items()}
    found = {ladder: board for ladder, board in found.items() if board.rows}
    if not printed(form, lambda: study.to_json(found), lambda: study.to_csv(found)):
        terminal = console()
        for ladder, board in found.items():
            if words:
                for bot in board.rows:
                    terminal.print(study.row_table(ladder, board, bot))
                continue
            table, about = study.matrix(ladder, board, terminal.width)
            terminal.print(table)
            for paragraph in about:
                terminal.print(paragraph, style="dim", highlight=False)


def _duels(ladders: Ladders, words: list[str], form: Form) -> None:
    entrants = entrants_of(ladders)
    one, other = (one_named(word, entrants) for word in words)
    if one == other:
        raise typer.BadParameter(f"'{words[0]}' and '{words[1]}' are the same bot; name two", param_hint="BOT")
    found = {ladder: study.duel(played, one, other) for ladder, played in study.ladders_of(ladders, one, other).items()}
    if not printed(form, lambda: study.duel_json(found), lambda: study.duels_csv(found)):
        for ladder, details in found.items():
            for table in study.duel_tables(ladder, details):
                console().print(table)
            if (more := len(details.encounters) - study.MOST_ENCOUNTERS) > 0:
                say([f"{more} older results are in --csv and --json"])
        if not found:
            say([printable(f"{words[0]} and {words[1]} have not played in the same ladder")])
