"""The standings of a ladder, as a table, as JSON and as CSV."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from ballcourt.leaderboard.model.results import RivalResult, from_record
from ballcourt.leaderboard.model.standings import by_ladder
from ballcourt.leaderboard.show.explanation import explanation, own_decisions
from ballcourt.leaderboard.show.terminal import columns, title, to_csv, to_json, to_table
from ballcourt.v1.record_pb2 import DecidedBy
from tests.leaderboard.made import alone, board, match, random_tables, turned
from tests.leaderboard.recorded import record

MATCHES = [
    match("m1", "ann", "bob", "faulty"),
    match("m2", "ann bob", "faulty"),
    match("m3", "bob", "ann", "faulty"),
    match("m4", "ann", "bob", "faulty"),
]


def test_a_row_summarises_the_matches_of_an_entrant() -> None:
    ann, bob, faulty = board(MATCHES).rows
    assert [row.entrant.name for row in (ann, bob, faulty)] == ["ann", "bob", "faulty"]
    assert [row.rank for row in (ann, bob, faulty)] == [1, 2, 3]
    assert ann.matches == 4
    assert ann.wins == pytest.approx((1 + 0.5 + 0 + 1) / 4)
    assert ann.beaten == pytest.approx((1 + 0.75 + 0.5 + 1) / 4)
    assert ann.score == pytest.approx((10 + 10 + 9 + 10) / 4)
    assert (ann.faults, faulty.faults) == (0, 4)
    assert ann.low < ann.rating < ann.high
    assert ann.high - ann.low == pytest.approx(2 * 1.96 * ann.sigma, rel=1e-4)


def test_the_points_of_a_substitute_are_not_a_score() -> None:
    kept, lost = (alone(f"d{number}", name, 8.0) for number, name in enumerate(("ann", "faulty")))
    once = replace(
        kept, key="later", identity="later", seats=(replace(kept.seats[0], score=90.0, termination="CRASH"),)
    )
    boards = {kept.ladder: board([kept, lost, once])}
    assert {row.entrant.name: row.score for row in boards[kept.ladder].rows} == {"ann": 8.0, "faulty": None}
    cells = dict(zip(*csv.reader(io.StringIO(to_csv(boards)).readlines()[0::2]), strict=True))
    assert (cells["bot"], cells["score"]) == ("faulty", "")


def test_one_seat_matches_have_a_score_but_no_opponents() -> None:
    (row,) = board([match("m", "ann")]).rows
    assert (row.beaten, row.wins, row.score) == (None, 1.0, 10.0)


def test_ladders_are_never_mixed() -> None:
    other_options = match("m5", "ann", "bob", options=(("rounds", "1"),))
    ladders = by_ladder([*MATCHES, match("m6", "ann", "bob"), other_options])
    assert sorted(len(matches) for matches in ladders.values()) == [1, 1, 4]


def test_the_json_contains_every_number_and_does_not_depend_on_the_order_of_matches() -> None:
    forms = [
        to_json({ladder: board(played) for ladder, played in by_ladder(order).items()})
        for order in (MATCHES, MATCHES[::-1])
    ]
    assert forms[0] == forms[1]
    (ladder,) = forms[0].ladders
    assert (ladder.game, ladder.seats) == ("bluff", 3)
    assert ladder.standings[0].bot == "ann"
    assert ladder.standings[0].matches == 4


def test_the_csv_has_a_header_and_a_line_per_row() -> None:
    text = to_csv({ladder: board(played) for ladder, played in by_ladder(MATCHES).items()})
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["bot"] for row in rows] == ["ann", "bob", "faulty"]
    assert float(rows[0]["rating"]) > float(rows[2]["rating"])


def test_the_table_shows_rating_and_uncertainty_and_distinguishes_namesakes() -> None:
    ladder = MATCHES[0].ladder
    console = Console(width=120, file=io.StringIO())
    with console.capture() as captured:
        console.print(to_table(ladder, board(MATCHES).rows))
    text = captured.get()
    assert title(ladder) == "bluff, rules 1, 3 seats"
    assert "95% interval" in text
    assert "ann" in text


@pytest.mark.parametrize("width", [60, 40, 10])
def test_a_table_in_a_narrow_terminal_keeps_rank_bot_and_rating(width: int) -> None:
    (ladder,) = by_ladder(MATCHES)
    table = to_table(ladder, board(MATCHES).rows, width)
    assert [column.header for column in table.columns][:2] == ["#", "bot"]
    assert "rating" in [column.header for column in table.columns]
    assert Console().measure(table).maximum <= max(width, 30)


def test_a_tolerated_fault_counts_as_a_fault() -> None:
    forgiven = record()
    forgiven.tolerated.add(seat=0, termination=forgiven.results[1].termination)
    assert [seat.fault for seat in from_record(forgiven).seats] == [True, True]
    assert [seat.vacated for seat in from_record(forgiven).seats] == [False, True]


def test_the_share_of_own_decisions_is_shown_where_a_bot_fell_back() -> None:
    fallen_back = record()
    fallen_back.decisions.decided_by[2] = DecidedBy.DECIDED_BY_FALLBACK
    (ladder, whole), (_, shown) = (
        (ladder, board(matches))
        for played in (record(), fallen_back)
        for ladder, matches in by_ladder([from_record(played)]).items()
    )
    assert "own decisions" not in columns(whole.rows)
    assert columns(shown.rows)["own decisions"] == ["50%", "100%"]
    (written,) = to_json({ladder: shown}).ladders
    assert [row.own_decisions for row in written.standings] == [0.5, 1]
    assert [line["own_decisions"] for line in csv.DictReader(io.StringIO(to_csv({ladder: shown})))] == ["0.5", "1.0"]
    told = "DECISIONS THAT BOTS CHOSE THEMSELVES, as they fell back in others: ann 1 50%."
    assert [told in explanation(one, width=200) for one in (whole, shown)] == [False, True]


def test_of_many_bots_that_fell_back_those_that_chose_least_are_named() -> None:
    shares = {f"bot{number} 1": number / 10 for number in range(1, 8)} | {"nearly 1": 0.999, "whole 1": 1.0}
    (told,) = own_decisions(shares)
    assert told.endswith(": bot1 1 10%, bot2 1 20%, bot3 1 30%, bot4 1 40%, bot5 1 50%, 3 more.")
    (told,) = own_decisions({"nearly 1": 0.999})
    assert told.endswith(": nearly 1 99%.")
    assert [*own_decisions({"whole 1": 1.0})] == []


def test_a_rival_has_its_own_column() -> None:
    played = [alone("d", "ann", 6), alone("d", "bob", 2)]
    boards = {ladder: board(matches) for ladder, matches in by_ladder(played).items()}
    console = Console(width=120, file=io.StringIO())
    (ladder,) = boards
    with console.capture() as captured:
        console.print(to_table(ladder, boards[ladder].rows))
    heading = next(line for line in captured.get().splitlines() if "rating" in line)
    assert heading.index("score") < heading.index("the house") < heading.index("faults")
    assert captured.get().count(" 3.0 ") == 2
    (written,) = to_json(boards).ladders
    assert [row.rivals for row in written.standings] == [{"the house": 3.0}] * 2
    assert next(csv.DictReader(io.StringIO(to_csv(boards))))["rivals"] == "the house=3.0000"


def test_a_record_becomes_a_result_with_its_own_identity() -> None:
    result, same, other = (from_record(record(seed=seed)) for seed in (1, 1, 2))
    assert result == same
    assert result.key == other.key
    assert result.identity != other.identity
    assert result.deal != other.deal
    assert [seat.fault for seat in result.seats] == [False, True]
    assert result.ladder.options == (("rounds", "3"),)


def test_a_result_has_date_think_times_and_terminations(tmp_path: Path) -> None:
    result = from_record(record(), tmp_path / "k.match")
    assert (result.started, result.record) == ("2026-11-22T18:30:05Z", str(tmp_path / "k.match"))
    assert [seat.termination for seat in result.seats] == ["OK", "CRASH"]
    assert [(seat.think_us, seat.longest_think_us) for seat in result.seats] == [(12, 7), (0, 0)]


def test_a_result_says_who_entered_each_bot() -> None:
    played = record()
    played.entrants[1].owner = "zoe"
    assert [seat.owner for seat in from_record(played).seats] == ["", "zoe"]


def test_different_bots_with_the_same_seed_have_the_same_deal() -> None:
    mine, theirs = record(), record(key="another")
    theirs.entrants[0].name = "cid"
    mine.rivals.add(name="the house", placement=2, score=1.5)
    assert from_record(mine).deal == from_record(theirs).deal
    assert from_record(mine).rivals == (RivalResult("the house", 2, 1.5),)


def test_a_row_that_is_not_separated_from_the_one_above_is_marked_as_tied() -> None:
    close = [match("m1", "ann", "bob", "cid"), match("m2", "bob", "ann", "cid")]
    often = [turned(match(f"n{number}", "ann bob", "cid"), number) for number in range(40)]
    (ladder,) = by_ladder(often)
    rows = board([*close, *often]).rows
    ranks, ranges = to_table(ladder, rows).columns[0], to_table(ladder, rows).columns[5]
    assert list(ranks.cells) == ["1", "2=", "3"]
    assert list(ranges.cells) == ["1-2", "1-2", "3"]


def test_groups_that_never_met_are_told_to_the_reader() -> None:
    """Between them, only the prior compares; a bot that met both joins them."""
    apart = [match(f"m{n}", *two) for n in range(20) for two in (("ann", "bob"), ("cid", "dan"))]
    told = "These bots are in 2 groups, and no match connects them: between groups, ranks are guesses."
    assert told in list(explanation(board(apart), width=200))
    assert to_json({apart[0].ladder: board(apart)}).ladders[0].groups == 2
    joined = board([*apart, match("j", "ann", "eve"), match("k", "eve", "dan")])
    assert joined.groups == 1
    assert not any("groups" in line for line in explanation(joined, width=200))


def test_the_explanation_names_the_columns_omitted_in_a_narrow_terminal_and_mentions_cycles() -> None:
    beats = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
    played = [match(f"m{n}", *beats[n % 3]) for n in range(300)]
    seated = [replace(one, seats=one.seats[::-1]) if n % 2 else one for n, one in enumerate(played)]
    lines = list(explanation(board(seated), width=60))
    assert lines[0].startswith("A bot 4.0 points ahead is placed above in 75%")
    assert lines[4].startswith("This window is too narrow for: 95% interval, above next")
    assert "fit no ranking: they are like rock, paper, scissors" in lines[5]
    assert "rock 1 33%" in lines[5]
    reversed_at_times = [match(f"m{n}", *(["ann", "bob", "cid"][:: 1 if n % 5 else -1])) for n in range(300)]
    last = list(explanation(board(reversed_at_times), width=200))[-1]
    assert last.endswith("Still, ann 1 is placed above each of the others in most tables.")
    in_model = random_tables(np.random.default_rng(2), bots=6, seats=2, blocks=300)
    assert list(explanation(board(in_model), width=200))[-1].startswith("No sign of cycles")
