"""`ballcourt head-to-head`: shows who is placed above whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.arena.printable import printable
from ballcourt.cli.flags import Csv, GameFilter, Json, Place, SeatsFilter, SinceFilter
from ballcourt.cli.output import console, document, dump, give_one, say
from ballcourt.cli.results import read

if TYPE_CHECKING:
    from ballcourt.leaderboard.model.results import Ladder, MatchResult

Ladders = dict["Ladder", list["MatchResult"]]


def head_to_head(
    place: Place,
    bots: Annotated[
        list[str] | None,
        typer.Argument(metavar="[BOT [BOT]]", help="No bot, one or two: 'NAME' or 'NAME VERSION'.", show_default=False),
    ] = None,
    game: GameFilter = None,
    seats: SeatsFilter = None,
    since: SinceFilter = None,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Show how often each bot was placed above each other one, and what their ratings predict.

    Without a bot this is a matrix; with one bot, its results by opponent; with two, the first against the second by
    seat and match by match. The 95% intervals treat a block of matches as the unit, as `ballcourt docs ratings` says.

    \b
    Examples:
      ballcourt head-to-head runs/demo
      ballcourt head-to-head runs/demo greedy
      ballcourt head-to-head sqlite:///all.sqlite greedy random --game maya --csv
    """
    from ballcourt.leaderboard.model.filters import Filter
    from ballcourt.leaderboard.model.standings import by_ladder

    words = bots or []
    if len(words) > 2:
        raise typer.BadParameter(f"{len(words)} bots are named; name two at most", param_hint="BOT")
    give_one({"--json": as_json, "--csv": as_csv})
    ladders = by_ladder(Filter(game or "", seats, since or "").matches(read(place)))
    if not (ladders or as_json or as_csv):
        say(["no match has been played yet"])
    elif len(words) == 2:
        _duels(ladders, words, as_json=as_json, as_csv=as_csv)
    else:
        _meetings(ladders, words, as_json=as_json, as_csv=as_csv)


def _meetings(ladders: Ladders, words: list[str], *, as_json: bool, as_csv: bool) -> None:
    from ballcourt.leaderboard.model.filters import named
    from ballcourt.leaderboard.studies import head_to_head as study

    for word in words:
        named(word, {seat.entrant for played in ladders.values() for match in played for seat in match.seats})
    found = {ladder: study.head_to_head(played, words) for ladder, played in ladders.items()}
    found = {ladder: board for ladder, board in found.items() if board.rows}
    if as_json:
        dump(study.to_json(found))
    elif as_csv:
        document(study.to_csv(found))
    else:
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


def _duels(ladders: Ladders, words: list[str], *, as_json: bool, as_csv: bool) -> None:
    from ballcourt.leaderboard.model.filters import one_named
    from ballcourt.leaderboard.studies import head_to_head as study

    entrants = {seat.entrant for played in ladders.values() for match in played for seat in match.seats}
    one, other = (one_named(word, entrants) for word in words)
    if one == other:
        raise typer.BadParameter(f"'{words[0]}' and '{words[1]}' are the same bot; name two", param_hint="BOT")
    found = {ladder: study.duel(played, one, other) for ladder, played in study.ladders_of(ladders, one, other).items()}
    if as_json:
        dump(study.duel_json(found))
    elif as_csv:
        document(study.duels_csv(found))
    else:
        for ladder, details in found.items():
            for table in study.duel_tables(ladder, details):
                console().print(table)
            if (more := len(details.encounters) - study.MOST_ENCOUNTERS) > 0:
                say([f"{more} older results are in --csv and --json"])
        if not found:
            say([printable(f"{words[0]} and {words[1]} have not played in the same ladder")])
