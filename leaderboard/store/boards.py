"""The tables of a tournament or a database, for Python programs."""

from collections.abc import Collection
from pathlib import Path

from ballcourt.leaderboard.model.filters import Filter
from ballcourt.leaderboard.model.results import Ladder
from ballcourt.leaderboard.model.standings import Board, boards, by_ladder, marked
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.folder import field_in, results_in


def leaderboard(
    place: str | Path,
    *,
    game: str = "",
    seats: int | None = None,
    since: str = "",
    anchors: Collection[str] | None = None,
) -> dict[Ladder, Board]:
    """Rate the bots of the output folder of a tournament, or of a database by its URL.

    Return a table for each game, rules version, number of seats and options that was played; `game`, `seats` and
    `since` choose matches. The mean rating of the bots named as anchors is 25: by default that of
    a ladder's residents; with `anchors=()`, and where there are none, that of the field.

        for ladder, board in leaderboard("runs/cup").items():
            for row in board.rows:
                print(ladder.game, row.rank, row.entrant.name, row.rating, row.low, row.high)

    Raises FolderError or LeaderboardError if the place cannot be read, no match is wanted or an anchor has not played.
    """
    if "://" in str(place):
        with open_database(str(place)) as opened:
            matches = opened.results()
    else:
        matches = results_in(Path(place)).matches
    entrants = field_in(Path(place), matches).entrants
    wanted = by_ladder(Filter(game, seats, since).matches(matches))
    return {ladder: marked(board, entrants) for ladder, board in boards(wanted, anchors).items()}
