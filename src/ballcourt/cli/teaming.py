"""`ballcourt teaming`: looks for bots that help each other."""

from __future__ import annotations

from ballcourt.cli.flags import Csv, GameFilter, Json, Place, SeatsFilter, SinceFilter
from ballcourt.cli.output import console, document, dump, give_one, say
from ballcourt.cli.results import read


def teaming(
    place: Place,
    game: GameFilter = None,
    table_size: SeatsFilter = None,
    since: SinceFilter = None,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Look for bots that do better against the others when a certain bot sits at their table than chance allows.

    For each pair of bots, the results of the first against everybody but the second are compared between the blocks
    with the second and those without it, allowing for the ratings of the others. The test is corrected for the number
    of pairs. A suspicious pair is a reason to look at its matches, not a proof: styles can fit each other.

    \b
    Example:
      ballcourt teaming runs/cup
    """
    from ballcourt.leaderboard.model.filters import Filter
    from ballcourt.leaderboard.model.standings import by_ladder
    from ballcourt.leaderboard.studies import teaming as pages

    give_one({"--json": as_json, "--csv": as_csv})
    ladders = by_ladder(Filter(game or "", table_size, since or "").matches(read(place)))
    found = {ladder: pages.pairs_tested(played) for ladder, played in ladders.items()}
    if as_json:
        dump(pages.to_json(found))
    elif as_csv:
        document(pages.to_csv(found))
    else:
        terminal = console()
        for ladder, pairs in found.items():
            if pairs:
                terminal.print(pages.to_table(ladder, pairs))
            terminal.print(pages.explanation(pairs), style="dim", highlight=False)
        if not found:
            say(["no match has been played"])
