"""`ballcourt study teaming`: looks for bots that help each other."""

from ballcourt.cli.flags import Filters, Form, Place
from ballcourt.cli.output import console, say
from ballcourt.cli.results import ladders_at, printed
from ballcourt.leaderboard.studies import teaming as pages


def teaming(place: Place, filters: Filters, form: Form) -> None:
    """Look for bots that do better against the others when a certain bot sits at their table than chance allows.

    For each pair of bots, the results of the first against all but the second are compared between the blocks
    with the second and those without it, allowing for the ratings of the others. The test is corrected for the number
    of pairs. A suspicious pair is a reason to look at its matches, not a proof: styles can fit each other.

    \b
    Example:
      ballcourt study teaming runs/cup
    """
    ladders = ladders_at(place, filters, form)
    found = {ladder: pages.pairs_tested(played) for ladder, played in ladders.items()}
    if not printed(form, lambda: pages.to_json(found), lambda: pages.to_csv(found)):
        terminal = console()
        for ladder, pairs in found.items():
            if pairs:
                terminal.print(pages.to_table(ladder, pairs))
            terminal.print(pages.explanation(pairs), style="dim", highlight=False)
        if not found:
            say(["no match has been played"])
