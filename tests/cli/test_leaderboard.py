"""`ballcourt leaderboard`, and other commands that read its results."""

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from ballcourt.arena.records.store import write_record
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.snapshot import kept_boards
from tests.arena.recorded import recorded
from tests.cli.conftest import CUP, Run
from tests.leaderboard.made import match, owned


@pytest.mark.slow
def test_the_leaderboard_has_four_forms_and_filters_and_can_be_rebuilt(run: Run, succeeds: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    played = succeeds("tournament cup.toml --set database=sqlite:///shared.sqlite --output runs/cup")
    assert run("leaderboard runs/cup").stdout == run("leaderboard").stdout == played.stdout
    as_json = run("leaderboard runs/cup --json")
    assert json.loads(as_json.stdout)["ladders"][0]["game"] == "bluff"
    assert run("leaderboard sqlite:///shared.sqlite --json").stdout == as_json.stdout
    rows = list(csv.DictReader(io.StringIO(run("leaderboard runs/cup --csv").stdout)))
    assert sorted(row["bot"] for row in rows) == ["any", "low"]
    assert "| low | 1 |" in run("leaderboard runs/cup --markdown").stdout
    chosen = run("leaderboard runs/cup --json --game bluff --since 2020-01-01 --bot any")
    all_rows = json.loads(as_json.stdout)["ladders"][0]["standings"]
    assert json.loads(chosen.stdout)["ladders"][0]["standings"] == [row for row in all_rows if row["bot"] == "any"]
    for wrong in (("--game", "maya"), ("--bot", "zoe"), ("--seats", "4"), ("--since", "2999-01-01")):
        refused = run("leaderboard", "runs/cup", *wrong)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert wrong[1] in refused.stderr
    check_head_to_head(run)
    (place / "runs" / "cup" / "leaderboard.sqlite").write_text("overwritten by accident")
    from_records = run("leaderboard runs/cup --json")
    assert (from_records.exit_code, from_records.stdout) == (0, as_json.stdout)
    assert "this table was made from the records: " in from_records.stderr
    assert "to make the database again: ballcourt leaderboard runs/cup --rebuild" in from_records.stderr
    again = run("tournament cup.toml --output runs/cup --json")
    assert (again.exit_code, again.stdout) == (0, as_json.stdout)
    assert "is left as it is, and the results are in the records only" in again.stderr
    assert run("leaderboard runs/cup --rebuild --json").stdout == as_json.stdout
    assert run("leaderboard runs/cup --json").stdout == as_json.stdout


def check_head_to_head(run: Run) -> None:
    """The matrix, the row of a bot and the duel of two agree on the number of meetings."""
    (ladder,) = json.loads(run("study head-to-head runs/cup --json").stdout)["ladders"]
    assert [(row["bot"], row["opponent"]) for row in ladder["meetings"]] in (
        [("any", "low"), ("low", "any")],
        [("low", "any"), ("any", "low")],
    )
    assert sum(row["share"] for row in ladder["meetings"]) == pytest.approx(1)
    meetings = ladder["meetings"][0]["meetings"]
    duel = run("study head-to-head runs/cup any low --csv")
    assert len(list(csv.DictReader(io.StringIO(duel.stdout)))) == meetings
    assert f" {meetings} " in run("study head-to-head runs/cup low").stdout
    assert "any against low" in run("study head-to-head runs/cup any low").stdout
    (seats,) = json.loads(run("study seats runs/cup any --json").stdout)["ladders"]
    assert sum(row["meetings"] for row in seats["by_seat"]) == meetings
    assert "Of two equal bots" in run("study seats runs/cup").stdout
    (told,) = json.loads(run("study history runs/cup any --why 1:2 --json").stdout)["ladders"]
    parts = sum(part["points"] for part in told["change"]["parts"]) + told["change"]["not_explained"]
    first, second, *_ = told["checkpoints"]
    assert parts == pytest.approx(second["rating"] - first["rating"], abs=1e-3)
    assert "why " in run("study history runs/cup any --why 1:2 --by day").stdout
    for flags, sentence in (
        ("--why 2:1", "is not two of the checkpoints"),
        ("--why 1:2 --by year", "is not a unit"),
        ("--by day", "it goes with --why"),
        ("--why 1:2 --csv", "--csv has only the checkpoints"),
    ):
        refused = run("study", "history", "runs/cup", "any", *flags.split())
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert sentence in " ".join(refused.stderr.split())
    for wrong, sentence in ((("zoe",), "there is no bot 'zoe'"), (("any", "any"), "are the same bot")):
        refused = run("study", "head-to-head", "runs/cup", *wrong)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert sentence in " ".join(refused.stderr.split())


@pytest.mark.parametrize("rebuild", [(), ("--rebuild",)])
def test_records_that_are_damaged_or_of_another_tournament_are_left_out(
    run: Run, place: Path, rebuild: tuple[str, ...]
) -> None:
    (place / "cup.toml").write_text(CUP)
    played = run("tournament cup.toml")
    assert run("leaderboard out").stderr == ""
    records = place / "out" / "records"
    write_record(records, recorded("b000003-r0"))
    shutil.copy(records / "b000001-r0.match", records / "b000001-r9.match")
    (records / "b000004-r0.match").write_bytes(b"ballcourt-match-3\n")
    shown = run("leaderboard", "out", *rebuild)
    assert (shown.exit_code, shown.stdout) == (0, played.stdout)
    assert shown.stderr.splitlines() == [
        "left out: out/records/b000004-r0.match is damaged: cut short after 18 bytes",
        "left out: out/records/b000001-r9.match is the record of another match",
        "left out: out/records/b000003-r0.match is the record of another match",
    ]


def test_a_one_seat_tournament_compares_bots_on_the_same_seeds(succeeds: Run) -> None:
    flags = "tournament --game bluff --bot ./low --bot ./any --seats 1 --rounds 4 --seed 3 --workers 1 --output solo"
    result = succeeds(*flags.split(), "--json")
    assert "each bot plays the same 4 deals alone" in result.stderr
    (ladder,) = json.loads(result.stdout)["ladders"]
    first, second = ladder["standings"]
    assert first["rating"] > second["rating"]
    assert first["beaten"] + second["beaten"] == 1
    assert [row["matches"] for row in ladder["standings"]] == [4, 4]
    assert {row["bot"]: row["wins"] for row in ladder["standings"]}["low"] == 0.5  # it always ties
    assert [row["rivals"] for row in ladder["standings"]] == [{"the house": 3.0}] * 2
    assert succeeds("leaderboard solo --rebuild --json").stdout == result.stdout
    assert "the house" in succeeds("leaderboard solo").stdout


def test_every_database_knows_where_the_records_are(succeeds: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    succeeds("tournament cup.toml --set database=sqlite:///all.sqlite")
    files = sorted(str(file) for file in (place / "out" / "records").iterdir())
    for database in (place / "out" / "leaderboard.sqlite", place / "all.sqlite"):
        with open_database(database) as opened:
            results = opened.results()
        assert sorted(result.record for result in results) == files
        assert all(result.started for result in results)
    kept = kept_boards("sqlite:///all.sqlite")
    assert kept and [row.matches for board in kept.values() for row in board.rows] == [len(files)] * 2
    succeeds("leaderboard out --rebuild")
    with open_database(place / "out" / "leaderboard.sqlite") as opened:
        assert opened.results() == results


def test_a_table_shows_the_bots_of_an_owner(run: Run, place: Path) -> None:
    with open_database(place / "all.sqlite", create=True) as opened:
        opened.add([owned(match("k1", "ann", "bob"), ann="zoe"), owned(match("k2", "bob cid", "ann"), cid="zoe")])
    shown = rows(run("leaderboard all.sqlite --owner zoe --json"))
    assert [(row["bot"], row["rank"], row["owners"]) for row in shown] == [("ann", 1, ["zoe"]), ("cid", 1, ["zoe"])]
    (row,) = rows(run("leaderboard all.sqlite --owner zoe --seats 2 --json"))
    assert row["bot"] == "ann"
    (row,) = rows(run("leaderboard all.sqlite --owner zoe --combined --json"))
    assert row["bot"] == "ann"
    refused = run("leaderboard all.sqlite --owner yan")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "ballcourt: there is no owner 'yan' in these results; known: zoe\n",
    )


@pytest.mark.parametrize("where", ["all.sqlite", "runs"])
def test_a_table_has_one_row_for_each_owner(run: Run, place: Path, where: str) -> None:
    played = [owned(match("k1", "ann", "bob"), ann="zoe"), owned(match("k2", "cid", "bob"), cid="zoe")]
    (place / "runs").mkdir()
    for database in ("all.sqlite", "runs/leaderboard.sqlite"):
        with open_database(place / database, create=True) as opened:
            opened.add(played)
    shown = rows(run(f"leaderboard {where} --by-owner --json"))
    assert [(row["bot"], row["matches"], row["owners"]) for row in shown] == [("zoe", 2, ["zoe"]), ("bob", 2, [])]
    for wrong in ("--bot ann", "--anchor bob"):
        refused = run(f"leaderboard {where} --by-owner {wrong}")
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert f"{wrong.split()[0]} does not go with --by-owner, whose rows are owners" in refused.stderr


def rows(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    shown = json.loads(result.stdout)
    tables = [shown] if "standings" in shown else shown["ladders"]
    return [row for table in tables for row in table["standings"]]


def test_a_combined_table_ranks_the_bots_of_all_tables(run: Run, place: Path) -> None:
    with open_database(place / "all.sqlite", create=True) as opened:
        opened.add([match("k1", "ann", "bob"), match("k2", "ann", "bob", "cid"), match("k3", "cid", "bob", "ann")])
    whole, one = (
        json.loads(run("leaderboard", "all.sqlite", "--combined", "--json", *more).stdout)
        for more in ([], ["--bot", "bob"])
    )
    assert [row["bot"] for row in whole["standings"]] == ["ann", "bob"]
    assert one["standings"] == whole["standings"][1:]
    shown = " ".join(run("leaderboard all.sqlite --combined").stdout.split())
    assert "2 tables combined" in shown
    assert "2 players" in shown  # a set-up as people say it
    for refused in (["--markdown"], ["--anchor", "ann"], ["--bot", "cid"]):
        assert run("leaderboard", "all.sqlite", "--combined", *refused).exit_code == 2
