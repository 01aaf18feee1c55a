"""`ballcourt study seats`: shows what each seat is worth."""

from ballcourt.cli.flags import Filters, Form, OnlyBot, Place
from ballcourt.cli.output import console, say
from ballcourt.cli.results import entrants_of, ladders_at, printed
from ballcourt.leaderboard.model.filters import one_named
from ballcourt.leaderboard.studies import seats as pages
from ballcourt.leaderboard.studies.head_to_head import ladders_of


def seats(place: Place, filters: Filters, form: Form, bot: OnlyBot = None) -> None:
    """Show what each seat is worth, in rating points and in the share of opponents placed below.

    The effects are those of the fit that rates the bots; the shares are what was played, of all bots or of one.

    \b
    Examples:
      ballcourt study seats runs/demo
      ballcourt study seats runs/demo greedy --csv
    """
    ladders = ladders_at(place, filters, form)
    one = one_named(bot, entrants_of(ladders)) if bot else None
    bots = (one,) if one else ()
    found = {ladder: pages.seat_results(played, one) for ladder, played in ladders_of(ladders, *bots).items()}
    found = {ladder: rows for ladder, rows in found.items() if rows}
    if not printed(form, lambda: pages.to_json(found), lambda: pages.to_csv(found)):
        terminal = console()
        for ladder, rows in found.items():
            terminal.print(pages.to_table(ladder, rows, str(one) if one else ""))
            terminal.print(pages.explanation(rows), style="dim", highlight=False)
        if not found:
            say(["no match with several seats and different bots has been played"])
