"""`ballcourt seats`: shows what each seat is worth."""

from __future__ import annotations

from typing import Annotated

import typer

from ballcourt.cli.flags import Csv, GameFilter, Json, Place, SeatsFilter, SinceFilter
from ballcourt.cli.output import console, document, dump, give_one, say
from ballcourt.cli.results import read


def seats(
    place: Place,
    bot: Annotated[
        str | None,
        typer.Argument(metavar="[BOT]", help="Show the shares of this bot: 'NAME' or 'NAME VERSION'."),
    ] = None,
    game: GameFilter = None,
    table_size: SeatsFilter = None,
    since: SinceFilter = None,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Show what each seat is worth, in rating points and in the share of opponents placed below.

    The effects are those of the fit that rates the bots; the shares are what was played, of all bots or of one.

    \b
    Examples:
      ballcourt seats runs/demo
      ballcourt seats runs/demo greedy --csv
    """
    from ballcourt.leaderboard.model.filters import Filter, one_named
    from ballcourt.leaderboard.model.standings import by_ladder
    from ballcourt.leaderboard.studies import seats as pages
    from ballcourt.leaderboard.studies.head_to_head import ladders_of

    give_one({"--json": as_json, "--csv": as_csv})
    ladders = by_ladder(Filter(game or "", table_size, since or "").matches(read(place)))
    entrants = {seat.entrant for played in ladders.values() for match in played for seat in match.seats}
    one = one_named(bot, entrants) if bot else None
    bots = (one,) if one else ()
    found = {ladder: pages.seat_results(played, one) for ladder, played in ladders_of(ladders, *bots).items()}
    found = {ladder: rows for ladder, rows in found.items() if rows}
    if as_json:
        dump(pages.to_json(found))
    elif as_csv:
        document(pages.to_csv(found))
    else:
        terminal = console()
        for ladder, rows in found.items():
            terminal.print(pages.to_table(ladder, rows, one.identity if one else ""))
            terminal.print(pages.explanation(rows), style="dim", highlight=False)
        if not found:
            say(["no match with several seats and different bots has been played"])
