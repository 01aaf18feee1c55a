"""One table over several ladders."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from ballcourt.arena.printable import as_json
from ballcourt.leaderboard.model.estimates import MODEL, tables_of
from ballcourt.leaderboard.model.fit.blocks import Blocks
from ballcourt.leaderboard.model.fit.jackknife import covariance, relative_to
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.results import Ladder, LeaderboardError
from ballcourt.leaderboard.model.standings import Board, Standing
from ballcourt.leaderboard.studies.combined import combined, to_csv, to_json, to_table
from tests.leaderboard.made import board as board_of_results
from tests.leaderboard.made import entrant, random_tables
from tests.leaderboard.test_schemas import validator

TWO, FOUR = Ladder("maya", "1", 2, ()), Ladder("maya", "1", 4, (("fast", "yes"),))


def board(**ratings: float) -> Board:
    ranked = sorted(ratings, key=lambda name: -ratings[name])
    return Board(
        [
            Standing(rank, entrant(name), ratings[name], 3.0, 9, 0.5, 0.5, 1.0, 0, {})
            for rank, name in enumerate(ranked, 1)
        ]
    )


def exact(board: Board) -> Board:
    return Board([replace(row, sigma=0.0, estimate=None) for row in board.rows])


BOARDS = {TWO: board(ann=30, bob=20, cid=25, only_here=40), FOUR: board(ann=24, bob=28, cid=20)}


def test_a_rating_is_the_mean_over_tables_relative_to_the_bots_in_all_of_them() -> None:
    rows = combined(BOARDS)
    assert [(row.rank, row.entrant.name) for row in rows] == [(1, "ann"), (2, "bob"), (3, "cid")]
    assert rows[0].ratings == pytest.approx((30, 25))
    assert [row.rating for row in rows] == pytest.approx([27.5, 24.5, 23])
    alone = combined({FOUR: BOARDS[FOUR]})
    assert all(row.sigma == pytest.approx(3) for row in alone)


def test_anchors_of_the_tables_change_nothing() -> None:
    matches = random_tables(np.random.default_rng(2))
    plain, anchored = board_of_results(matches), board_of_results(matches, ["bot01"])
    found, expected = combined({TWO: anchored}), combined({TWO: plain})
    assert [row.entrant for row in found] == [row.entrant for row in expected]
    assert [row.sigma for row in found] == [row.sigma for row in expected]
    assert [row.rating for row in found] == pytest.approx([row.rating for row in expected])


def test_an_error_is_relative_to_the_bots_in_all_tables_however_many_others_played() -> None:
    """A bot that is known well in a large field has the error of its difference to one that is hardly known."""
    chance = np.random.default_rng(1)
    rare = [
        match
        for match in random_tables(chance, bots=20, blocks=200)
        if match.deal < "deal 12" or "bot19" not in {seat.entrant.name for seat in match.seats}
    ]
    tables = tables_of(rare, sorted({seat.entrant for match in rare for seat in match.seats}))
    known = covariance(Blocks(tables), fit_pairs(tables, MODEL), MODEL)
    both = np.array([0, 19])
    wanted = np.sqrt(np.diag(relative_to(known, both))[both])
    field = board_of_results(rare)
    others = {row.entrant for row in field.rows} - {entrant("bot00"), entrant("bot19")}
    elsewhere = Board([row for row in field.rows if row.entrant not in others])
    found = {row.entrant.name: row.sigma for row in combined({TWO: field, FOUR: exact(elsewhere)})}
    assert 2 * found["bot00"] == pytest.approx(wanted[0], rel=0.1)
    assert 2 * found["bot19"] == pytest.approx(wanted[1], rel=0.1)
    assert min(row.sigma for row in field.rows if row.entrant.name == "bot00") < 0.7 * wanted[0]


def test_a_bot_that_only_some_tables_have_changes_no_rating() -> None:
    without = {TWO: board(ann=30, bob=20, cid=25), FOUR: BOARDS[FOUR]}
    assert [row.ratings for row in combined(BOARDS)] == [row.ratings for row in combined(without)]


def test_without_tables_there_are_no_rows() -> None:
    assert combined({}) == []


def test_one_table_combined_keeps_its_order_and_distances() -> None:
    rows = combined({TWO: BOARDS[TWO]})
    assert [row.rating - rows[-1].rating for row in rows] == pytest.approx([20, 10, 5, 0])


@pytest.mark.parametrize("boards", [{TWO: board(ann=25)}, {TWO: board(ann=25, bob=24), FOUR: board(bob=25, cid=24)}])
def test_tables_without_two_bots_in_common_are_refused(boards: dict[Ladder, Board]) -> None:
    with pytest.raises(LeaderboardError, match="a combined table needs two; choose tables with --game and --seats"):
        combined(boards)


def test_every_form_has_the_rating_in_each_table() -> None:
    rows = combined(BOARDS)
    page = json.loads(as_json(to_json([*BOARDS], rows)))
    validator("combined").validate(page)
    assert page["standings"][0]["ratings"] == [30, 25]
    first = next(csv.DictReader(io.StringIO(to_csv([*BOARDS], rows))))
    assert (first["bot"], first["maya 1 x2"], first["maya 1 x4 fast=yes"]) == ("ann", "30.0", "25.0")
    shown = io.StringIO()
    Console(width=100, file=shown).print(to_table([*BOARDS], rows))
    assert "27.5" in shown.getvalue()
