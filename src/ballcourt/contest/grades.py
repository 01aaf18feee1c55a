"""The results of a contest for a grade book: CSV with a line for each table and each person in a team."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Row

from ballcourt.contest.people.accounts import Standing, with_teams
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import ACCOUNTS, TEAMS
from ballcourt.leaderboard.model.results import Ladder
from ballcourt.leaderboard.model.standings import Board
from ballcourt.leaderboard.show.forms import csv_lines, ladder_cells, rounded

PERSON = ("handle", "name", "mail", "team", "standing")
RESULT = ("bot", "version", "rank", "of", "rating", "wins", "matches")


def grades(contest: Contest, boards: Mapping[Ladder, Board]) -> str:
    """Return CSV in which each person has the best row of the team, and none if the team is disqualified."""
    query = with_teams().add_columns(TEAMS.c.state.label("standing")).where(TEAMS.c.id.is_not(None))
    with contest.store.reading() as connection:
        people = connection.execute(query.order_by(TEAMS.c.look, ACCOUNTS.c.look)).all()
    return csv_lines((*PERSON, *RESULT), _lines(people, boards))


def _lines(people: Sequence[Row[Any]], boards: Mapping[Ladder, Board]) -> Iterator[list[object]]:
    for ladder, board in boards.items():
        best = {owner: row for row in sorted(board.rows, key=lambda row: -row.rank) for owner in row.owners}
        for one in people:
            row = best.get(one.team_name) if one.standing == Standing.ACTIVE else None
            played: Sequence[object] = [None] * len(RESULT)
            if row:
                numbers = rounded(row.rating), rounded(row.wins), row.matches
                played = row.entrant.name, row.entrant.version, row.rank, len(board.rows), *numbers
            yield [*ladder_cells(ladder), one.handle, one.shown, one.email, one.team_name, one.standing, *played]
