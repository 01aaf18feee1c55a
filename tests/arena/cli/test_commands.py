"""What the commands print when nothing is wrong."""

import csv
import io
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from ballcourt.arena.bots.starters import languages
from ballcourt.arena.cli.running import say_crowding
from ballcourt.arena.records.bundle import bundles_in
from ballcourt.arena.records.store import read_record, write_record
from ballcourt.arena.sandbox import walls
from ballcourt.arena.tournament.plan import plan
from ballcourt.arena.tournament.settings import Settings
from ballcourt.arena.workers.capacity import CapacityError
from ballcourt.leaderboard.database import open_database
from ballcourt.leaderboard.snapshot import kept_boards
from tests.arena.cli.conftest import Run, write_bot
from tests.arena.recorded import recorded
from tests.leaderboard.made import match, owned

CUP = """
game = "bluff"
bots = ["./low", "./any"]
rounds = 3
seed = 4
output = "out"
workers = 1
"""


def test_games_lists_seats_rules_version_and_options(run: Run) -> None:
    assert "bluff: Bluff; rules 1; 1, 2, 3, 4 seats; 4 actions" in run("games").stdout
    assert "rounds = 1 | 3 | 100" in run("games", "bluff").stdout
    (game,) = json.loads(run("games", "bluff", "--json").stdout)
    assert (game["name"], game["seats"], game["options"][0]["default"]) == ("bluff", [1, 2, 3, 4], "3")


def test_bots_lists_the_bots_known_by_name(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BALLCOURT_BOTS", str(place / "low"))
    assert "low 1" in run("bots").stdout
    assert "low" in [bot["name"] for bot in json.loads(run("bots", "--json").stdout)]


def test_new_bot_knows_every_language_and_says_what_to_read_next(run: Run, place: Path) -> None:
    assert [language for language in languages() if language not in run("new-bot", "--help").stdout] == []
    shown = run("new-bot", "mine", "--lang", "go").stdout
    assert "./mine/sdk/README.md" in shown
    assert (place / "mine" / "sdk" / "README.md").is_file()


def test_play_shows_the_result_and_leaves_a_record_that_verifies(run: Run, place: Path) -> None:
    result = run("play", "bluff", "./low", "./any", "./low", "--seed", "5", "--record-dir", "kept")
    assert result.exit_code == 0, result.stderr
    assert "bluff, rules 1, rounds = 3; 9 decisions" in result.stdout
    (file,) = (place / "kept").iterdir()
    assert f"seed 5; the record is kept/{file.name}" in result.stdout
    verified = run("replay", "verify", str(file))
    assert verified.exit_code == 0
    assert "agrees in all 9 decisions" in verified.stdout


def test_the_clock_of_a_match_can_follow_the_speed_of_the_machine(run: Run) -> None:
    shown = json.loads(run("play", "bluff", "./low", "./any", "--clock", "scale=reference", "--json").stdout)
    assert read_record(Path(shown["record"])).clock_scale == "reference"


def test_copies_of_a_bot_play_each_other_under_labels(run: Run) -> None:
    shown = json.loads(run("play", "bluff", "./low", "twin=./low", "--json").stdout)
    record = read_record(Path(shown["record"]))
    assert [(entrant.name, entrant.bot) for entrant in record.entrants] == [("low", ""), ("twin", "low")]
    assert run("replay", "verify", shown["record"]).exit_code == 0


def test_play_prints_the_same_result_as_json(run: Run) -> None:
    shown = json.loads(run("play", "bluff", "./low", "./any", "--seed", "5", "--json").stdout)
    assert read_record(Path(shown["record"])).seed == shown["seed"] == 5
    assert [seat["bot"] for seat in shown["seats"]] == ["low", "any"]
    assert {seat["termination"] for seat in shown["seats"]} == {"OK"}


def test_play_says_which_bot_lost_its_seat_and_why(run: Run, place: Path) -> None:
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    result = run("play", "bluff", "./bad", "./low")
    assert result.exit_code == 0
    assert "lost its seat at decision 0 (ILLEGAL): the bot answered with action" in result.stdout
    assert result.stdout.splitlines()[1].startswith("  1.  low 1")
    assert "ballcourt replay faults runs/play/bluff-" in result.stderr


def test_bots_that_would_wait_for_each_other_while_their_clocks_run_are_announced(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ballcourt.arena.workers.cores.usable", lambda: [*os.sched_getaffinity(0)][:1])
    cup = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./any", "--matches", "2", "--clock")
    shown = run(*cup, "ponder=true", "--cpus", "1")
    assert shown.exit_code == 0
    assert "caution: up to 2 bots think at the same time on 1 processor, and their clocks run" in shown.stderr
    assert "caution: up to" not in run(*cup, "work=9", "--clock", "ponder=true", "--output", "counted").stderr
    shown = run(*cup, "ponder=true", "--cpus", "2", "--output", "too many")
    assert shown.exit_code == 2
    assert "do not fit into the 1 processor that can be used: give at most 1 processor" in shown.stderr


def test_a_strict_tournament_is_refused_if_bots_would_wait_for_each_other(place: Path) -> None:
    settings = Settings(game="bluff", bots=("./low", "./any"), seats=2, matches=2, workers=1, cpus=1)
    pondering = replace(settings, clock={"ponder": True})
    say_crowding(plan(settings), settings, strict=True)
    with pytest.raises(CapacityError, match="--strict: up to 2 bots think at the same time"):
        say_crowding(plan(pondering), pondering, strict=True)


def test_play_shows_the_traceback_of_a_bot_that_crashed(run: Run, place: Path) -> None:
    (place / "broken").mkdir()
    (place / "broken" / "bot.py").write_text("import nothing_of_this_name\n")
    (place / "broken" / "bot.toml").write_text('name = "broken"\nversion = "1"\ncommand = ["{python}", "bot.py"]\n')
    result = run("play", "bluff", "./broken", "./low")
    assert "      | ModuleNotFoundError: No module named 'nothing_of_this_name'" in result.stdout.splitlines()
    told = json.loads(run("play", "bluff", "./broken", "./low", "--json").stdout)
    assert told["seats"][0]["stderr_tail"].endswith("No module named 'nothing_of_this_name'\n")
    assert told["seats"][1]["stderr_tail"] == ""


LOOP = """
from ballcourt import Bot, run

def search(board):
    while True:
        board += 1

class Loop(Bot):
    def choose(self, decision):
        return search(0)

run(Loop)
"""


def test_a_python_bot_that_takes_too_long_says_where_it_was(run: Run, place: Path) -> None:
    (place / "loop").mkdir()
    (place / "loop" / "bot.py").write_text(LOOP)
    (place / "loop" / "bot.toml").write_text('name = "loop"\nversion = "1"\ncommand = ["{python}", "bot.py"]\n')
    told = json.loads(run("play", "bluff", "./loop", "./low", "--clock", "cap_ms=200", "--json").stdout)["seats"][0]
    assert told["termination"] == "TIMEOUT"
    first, *stack = told["stderr_tail"].splitlines()
    assert first == "it was told to end while it was here:"
    places = [line.rpartition(", ")[2] for line in stack if "File" in line]
    assert places == ["in choose", "in search"]


def test_a_python_bot_that_waits_ends_without_a_word(run: Run, place: Path) -> None:
    """It is told to end because its answer is illegal, while it waits for the next question."""
    (place / "wrong").mkdir()
    (place / "wrong" / "bot.py").write_text(LOOP.replace("return search(0)", "return 77"))
    (place / "wrong" / "bot.toml").write_text('name = "wrong"\nversion = "1"\ncommand = ["{python}", "bot.py"]\n')
    told = json.loads(run("play", "bluff", "./wrong", "./low", "--json").stdout)["seats"][0]
    assert (told["termination"], told["stderr_tail"]) == ("ILLEGAL", "")


def test_play_fails_on_a_fault_if_asked_to(run: Run, place: Path) -> None:
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    assert run("play", "bluff", "./bad", "./low", "--fail-on-fault").exit_code == 1
    assert run("play", "bluff", "./any", "./low", "--fail-on-fault").exit_code == 0
    for rival, code in (("./any", 0), ("./bad", 1)):
        cup = (
            "tournament",
            "--game",
            "bluff",
            "--bot",
            "./low",
            "--bot",
            rival,
            "--matches",
            "1",
            "--output",
            rival[2:5],
        )
        assert run(*cup, "--fail-on-fault").exit_code == code


def test_what_is_strict_fails_on_a_fault_too(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "demand", lambda tier: None)  # any machine is good enough
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    cup = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./bad", "--matches", "1", "--workers", "1")
    for words in (("play", "bluff", "./bad", "./low"), cup):
        assert run(*words).exit_code == 0
        assert run(*words, "--strict").exit_code == 1


def test_verifying_a_changed_record_exits_with_1(run: Run, place: Path) -> None:
    run("play", "bluff", "./low", "./any", "--record-dir", "kept")
    (file,) = (place / "kept").iterdir()
    record = read_record(file)
    record.decisions.actions[2] = record.decisions.actions[2] % 3 + 1
    write_record(place / "kept", record)
    result = run("replay", "verify", "kept", "--json")
    assert result.exit_code == 1
    (verdict,) = json.loads(result.stdout)
    assert (verdict["agrees"], verdict["decisions"]) == (False, 2)
    assert "decision 2" in verdict["difference"]


def test_a_damaged_record_fails_verification_and_the_others_are_still_verified(run: Run, place: Path) -> None:
    for key in ("m0", "m1", "m2"):
        write_record(place / "kept", recorded(key))
    (place / "kept" / "m1.match").write_bytes((place / "kept" / "m1.match").read_bytes()[:100])
    result = run("replay", "verify", "kept")
    assert result.exit_code == 1
    assert [line.partition(": ")[2][:12] for line in result.stdout.splitlines()] == [
        "agrees in al",
        "is damaged: ",
        "agrees in al",
    ]
    assert "kept/m1.match: is damaged: its content does not match its checksum" in result.stdout


def test_replay_show_prints_decisions_scenes_or_one_seats_view(run: Run, place: Path) -> None:
    run("play", "bluff", "./low", "./any", "--record-dir", "kept")
    (file,) = (str(path) for path in (place / "kept").iterdir())
    assert run("replay", "show", file).stdout.count("BID_") == 6
    assert run("replay", "show", file, "--seat", "0").stdout.count("(hidden)") == 3
    assert "A seat 0: 0 points" in run("replay", "show", file, "--at", "0").stdout
    assert "position 0 of 6, all secrets" in run("replay", "show", file, "--step").stdout
    assert len(json.loads(run("replay", "show", file, "--json").stdout)["decisions"]) == 6
    assert run("replay", "show", file, "--at", "99").exit_code == 2


def test_a_record_whose_rules_are_not_installed_is_listed_with_what_to_install(run: Run, place: Path) -> None:
    record = recorded()
    record.rules_version = "7"
    record.rules_package.name, record.rules_package.version = "bluff-rules", "0.7"
    file = str(write_record(place, record))
    shown = run("replay", "show", file)
    assert shown.exit_code == 0
    assert shown.stdout.count("action ") == 9
    assert "its rules come with bluff-rules 0.7: install that version" in shown.stderr
    assert run("replay", "show", file, "--at", "0").exit_code == 2
    assert "install that version" in run("replay", "verify", file).stdout


def test_replay_faults_explains_lost_seats_and_writes_bundles(run: Run, place: Path) -> None:
    write_bot(place / "bad", "bad", "crashes", script="misbehaving.py")
    run("play", "bluff", "./low", "./bad", "--record-dir", "kept")
    (file,) = (str(path) for path in (place / "kept").iterdir())
    shown = run("replay", "faults", file).stdout
    assert "process         exit code 4\n" in shown
    assert shown.startswith("bad 1 lost its seat in match bluff-")
    made = json.loads(run("replay", "faults", file, "--output", "given", "--json").stdout)
    assert [(fault["seat"], fault["termination"], fault["exit_code"]) for fault in made["faults"]] == [(1, "CRASH", 4)]
    (folder,) = (place / "given").iterdir()
    assert made["bundles"] == [f"given/{folder.name}"]
    assert folder.name.endswith("-seat1-bad")


def test_replay_faults_says_so_if_a_match_has_none(run: Run, place: Path) -> None:
    run("play", "bluff", "./low", "./any", "--record-dir", "kept")
    (file,) = (str(path) for path in (place / "kept").iterdir())
    assert run("replay", "faults", file).stdout == f"every bot played match {Path(file).stem} to its end\n"


def test_a_tournament_leaves_a_bundle_for_every_fault(run: Run, place: Path) -> None:
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    result = run("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./bad", "--workers", "1", "--output", "o")
    assert result.exit_code == 0, result.stderr
    bundles = [path.name for path in bundles_in(place / "o" / "faults")]
    assert bundles == ["b000000-r0-seat1-bad", "b000000-r1-seat0-bad"]
    assert "seats lost: 2, by bad 1 (2 x illegal)\nwhat the authors of these bots need is in o/faults" in result.stderr


def test_a_bot_that_lost_all_its_seats_has_no_score(run: Run, place: Path) -> None:
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    command = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./bad", "--workers", "1", "--output", "o")
    (ladder,) = json.loads(run(*command, "--json").stdout)["ladders"]
    scores = {row["bot"]: row["score"] for row in ladder["standings"]}
    assert scores["bad"] is None
    assert scores["low"] is not None


def test_a_tournament_ends_with_its_table_and_a_second_run_plays_nothing(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    first = run("tournament", "cup.toml")
    assert first.exit_code == 0, first.stderr
    assert "95% interval" in first.stdout
    assert "even: each bot plays 6 matches" in first.stderr
    assert "records: out/records (6 matches)" in first.stderr
    assert run("replay", "verify", "out").stdout == run("replay", "verify", "out/records").stdout != ""
    records = {path: path.stat().st_mtime_ns for path in (place / "out" / "records").iterdir()}
    again = run("tournament", "cup.toml")
    assert again.stdout == first.stdout
    assert "6 of them have been played before" in again.stderr
    assert {path: path.stat().st_mtime_ns for path in (place / "out" / "records").iterdir()} == records


def test_flags_can_replace_a_file(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    by_file = run("tournament", "cup.toml", "--json")
    flags = "--game bluff --bot ./low --bot ./any --rounds 3 --seed 4 --output other --workers 1 --json"
    by_flags = run("tournament", *flags.split())
    assert json.loads(by_flags.stdout) == json.loads(by_file.stdout)


def test_a_drawn_seed_is_kept_and_a_longer_tournament_continues(run: Run, place: Path) -> None:
    flags = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./any", "--workers", "1")
    assert run(*flags, "--matches", "3").exit_code == 0
    longer = run(*flags, "--matches", "6")
    assert longer.exit_code == 0, longer.stderr
    assert "6 matches of bluff" in longer.stderr
    assert "4 of them have been played before; going on" in longer.stderr
    other = run(*flags, "--seed", "1")
    assert other.exit_code == 2
    assert "runs/bluff holds another tournament: its seed is" in other.stderr


def test_an_unreadable_record_is_reported_and_its_match_played_again(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    first = run("tournament", "cup.toml")
    damaged = place / "out" / "records" / "b000001-r0.match"
    damaged.write_bytes(damaged.read_bytes()[:-60])
    again = run("tournament", "cup.toml")
    assert again.exit_code == 0
    assert "played again, because out/records/b000001-r0.match is damaged" in again.stderr
    assert again.stdout == first.stdout


def test_the_leaderboard_has_four_forms_and_filters_and_can_be_rebuilt(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    played = run("tournament", "cup.toml", "--database", "sqlite:///shared.sqlite", "--output", "runs/cup")
    assert played.exit_code == 0, played.stderr
    assert run("leaderboard", "runs/cup").stdout == run("leaderboard").stdout == played.stdout
    as_json = run("leaderboard", "runs/cup", "--json")
    assert json.loads(as_json.stdout)["ladders"][0]["game"] == "bluff"
    assert run("leaderboard", "sqlite:///shared.sqlite", "--json").stdout == as_json.stdout
    rows = list(csv.DictReader(io.StringIO(run("leaderboard", "runs/cup", "--csv").stdout)))
    assert sorted(row["bot"] for row in rows) == ["any", "low"]
    assert "| low | 1 |" in run("leaderboard", "runs/cup", "--markdown").stdout
    chosen = run("leaderboard", "runs/cup", "--json", "--game", "bluff", "--since", "2020-01-01", "--bot", "any")
    all_rows = json.loads(as_json.stdout)["ladders"][0]["standings"]
    assert json.loads(chosen.stdout)["ladders"][0]["standings"] == [row for row in all_rows if row["bot"] == "any"]
    for wrong in (("--game", "maya"), ("--bot", "zoe"), ("--seats", "4"), ("--since", "2999-01-01")):
        refused = run("leaderboard", "runs/cup", *wrong)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert wrong[1] in refused.stderr
    check_head_to_head(run)
    (place / "runs" / "cup" / "leaderboard.sqlite").write_text("overwritten by accident")
    from_records = run("leaderboard", "runs/cup", "--json")
    assert (from_records.exit_code, from_records.stdout) == (0, as_json.stdout)
    assert "this table was made from the records: " in from_records.stderr
    assert "to make the database again: ballcourt leaderboard runs/cup --rebuild" in from_records.stderr
    again = run("tournament", "cup.toml", "--output", "runs/cup", "--json")
    assert (again.exit_code, again.stdout) == (0, as_json.stdout)
    assert "is left as it is, and the results are in the records only" in again.stderr
    assert run("leaderboard", "runs/cup", "--rebuild", "--json").stdout == as_json.stdout
    assert run("leaderboard", "runs/cup", "--json").stdout == as_json.stdout


def check_head_to_head(run: Run) -> None:
    """The matrix, the row of a bot and the duel of two agree on the number of meetings."""
    (ladder,) = json.loads(run("head-to-head", "runs/cup", "--json").stdout)["ladders"]
    assert [(row["bot"], row["opponent"]) for row in ladder["meetings"]] in (
        [("any", "low"), ("low", "any")],
        [("low", "any"), ("any", "low")],
    )
    assert sum(row["share"] for row in ladder["meetings"]) == pytest.approx(1)
    meetings = ladder["meetings"][0]["meetings"]
    duel = run("head-to-head", "runs/cup", "any", "low", "--csv")
    assert len(list(csv.DictReader(io.StringIO(duel.stdout)))) == meetings
    assert f" {meetings} " in run("head-to-head", "runs/cup", "low").stdout
    assert "any against low" in run("head-to-head", "runs/cup", "any", "low").stdout
    (seats,) = json.loads(run("seats", "runs/cup", "any", "--json").stdout)["ladders"]
    assert sum(row["meetings"] for row in seats["by_seat"]) == meetings
    assert "Of two equal bots" in run("seats", "runs/cup").stdout
    (told,) = json.loads(run("history", "runs/cup", "any", "--why", "1:2", "--json").stdout)["ladders"]
    parts = sum(part["points"] for part in told["change"]["parts"]) + told["change"]["not_explained"]
    first, second, *_ = told["checkpoints"]
    assert parts == pytest.approx(second["rating"] - first["rating"], abs=1e-3)
    assert "why " in run("history", "runs/cup", "any", "--why", "1:2", "--by", "day").stdout
    for flag, value, sentence in (("--why", "2:1", "is not two of the checkpoints"), ("--by", "year", "is not a unit")):
        refused = run("history", "runs/cup", "any", flag, value)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert sentence in " ".join(refused.stderr.split())
    for wrong, sentence in ((("zoe",), "there is no bot 'zoe'"), (("any", "any"), "are the same bot")):
        refused = run("head-to-head", "runs/cup", *wrong)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert sentence in " ".join(refused.stderr.split())


@pytest.mark.parametrize("rebuild", [(), ("--rebuild",)])
def test_records_that_are_damaged_or_of_another_tournament_are_left_out(
    run: Run, place: Path, rebuild: tuple[str, ...]
) -> None:
    (place / "cup.toml").write_text(CUP)
    played = run("tournament", "cup.toml")
    assert run("leaderboard", "out").stderr == ""
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


def test_a_one_seat_tournament_compares_bots_on_the_same_seeds(run: Run) -> None:
    flags = "tournament --game bluff --bot ./low --bot ./any --seats 1 --rounds 4 --seed 3 --workers 1 --output solo"
    result = run(*flags.split(), "--json")
    assert result.exit_code == 0, result.stderr
    assert "each bot plays the same 4 deals alone" in result.stderr
    (ladder,) = json.loads(result.stdout)["ladders"]
    first, second = ladder["standings"]
    assert first["rating"] > second["rating"]
    assert first["beaten"] + second["beaten"] == 1
    assert [row["matches"] for row in ladder["standings"]] == [4, 4]
    assert {row["bot"]: row["wins"] for row in ladder["standings"]}["low"] == 0.5  # it always ties
    assert [row["rivals"] for row in ladder["standings"]] == [{"the house": 3.0}] * 2
    assert run("leaderboard", "solo", "--rebuild", "--json").stdout == result.stdout
    assert "the house" in run("leaderboard", "solo").stdout


def test_every_database_knows_where_the_records_are(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    assert run("tournament", "cup.toml", "--database", "sqlite:///all.sqlite").exit_code == 0
    files = sorted(str(file) for file in (place / "out" / "records").iterdir())
    for database in (place / "out" / "leaderboard.sqlite", place / "all.sqlite"):
        with open_database(database) as opened:
            results = opened.results()
        assert sorted(result.record for result in results) == files
        assert all(result.started for result in results)
    kept = kept_boards("sqlite:///all.sqlite")
    assert kept and [row.matches for board in kept.values() for row in board.rows] == [len(files)] * 2
    assert run("leaderboard", "out", "--rebuild").exit_code == 0
    with open_database(place / "out" / "leaderboard.sqlite") as opened:
        assert opened.results() == results


def test_a_table_shows_the_bots_of_an_owner(run: Run, place: Path) -> None:
    with open_database(place / "all.sqlite", create=True) as opened:
        opened.add([owned(match("k1", "ann", "bob"), ann="zoe"), owned(match("k2", "bob cid", "ann"), cid="zoe")])
    shown = rows(run("leaderboard", "all.sqlite", "--owner", "zoe", "--json"))
    assert [(row["bot"], row["rank"], row["owners"]) for row in shown] == [("ann", 1, ["zoe"]), ("cid", 1, ["zoe"])]
    (row,) = rows(run("leaderboard", "all.sqlite", "--owner", "zoe", "--seats", "2", "--json"))
    assert row["bot"] == "ann"
    (row,) = rows(run("leaderboard", "all.sqlite", "--owner", "zoe", "--combined", "--json"))
    assert row["bot"] == "ann"
    refused = run("leaderboard", "all.sqlite", "--owner", "yan")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "ballcourt: there is no owner 'yan' in these results; known: zoe\n",
    )


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
    assert "2 tables combined" in run("leaderboard", "all.sqlite", "--combined").stdout
    for refused in (["--markdown"], ["--anchor", "ann"], ["--bot", "cid"]):
        assert run("leaderboard", "all.sqlite", "--combined", *refused).exit_code == 2


def test_a_one_seat_match_shows_its_rival(run: Run) -> None:
    played = run("play", "bluff", "./low", "--record-dir", "kept")
    assert "  1.  the house  no bot         3 points" in played.stdout
    (file,) = Path("kept").iterdir()
    assert "the house" in run("replay", "show", str(file)).stdout


def test_control_characters_of_a_bot_are_escaped(run: Run, place: Path) -> None:
    record = recorded()
    record.decisions.thoughts[1] = "\x1b[2J\rmatch of nobody\n"
    shown = run("replay", "show", str(write_record(place, record))).stdout
    assert "      thought: \\x1b[2J\\rmatch of nobody\\n\n" in shown
    assert "\x1b" not in shown


def test_the_demo_plays_into_the_requested_folder(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = 'game = "bluff"\nbots = ["first-legal", "random"]\nblocks = 1\nseed = 1\noutput = "runs/demo"\n'
    (place / "demo.toml").write_text(settings)
    monkeypatch.setattr("ballcourt.arena.files.PACKAGE", place)
    shown = run("demo", "--output", "elsewhere")
    assert shown.exit_code == 0
    assert (place / "elsewhere" / "records").is_dir()
    assert not (place / "runs").exists()
    assert f"its settings, to copy and change: {place / 'demo.toml'}" in shown.stderr
    assert "to see it in a browser: ballcourt serve elsewhere\n" in shown.stderr


def test_the_rules_of_every_game_are_shown_with_their_path(run: Run) -> None:
    for game in ("ahau", "maya", "tzolkin"):
        (described,) = json.loads(run("games", game, "--json").stdout)
        assert described["rules"] in run("games", game).stdout
        assert run("rules", game).stdout == Path(described["rules"]).read_text()


def test_a_game_without_written_rules_is_named(run: Run) -> None:
    shown = run("rules", "bluff")
    assert (shown.exit_code, shown.stderr) == (
        2,
        "ballcourt: bluff comes without a RULES.md; ask its author for the rules\n",
    )


def test_docs_lists_its_pages_and_shows_each(run: Run) -> None:
    lines = run("docs").stdout.splitlines()
    for title, file in zip(lines[::2], lines[1::2], strict=True):
        assert run("docs", title.partition(":")[0]).stdout == Path(file.strip()).read_text()


def test_the_error_for_an_unknown_page_lists_the_known_ones(run: Run) -> None:
    shown = run("docs", "nothing")
    assert shown.exit_code == 2
    assert (
        "'nothing' is not a page; known pages: bots, competition, games, protocol, contract, ladder, ratings"
        in shown.stderr
    )


def test_check_sdk_takes_the_language_of_the_installed_sdk(run: Run) -> None:
    shown = run("check-sdk", "python", "--only", "closed")
    assert (shown.exit_code, shown.stdout[:12]) == (0, "ok      clos")
