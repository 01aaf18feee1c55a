"""`ballcourt replay`: records are shown and verified, and lost seats explained."""

import json
import os
import re
from pathlib import Path

import pytest

from ballcourt.arena.records.store import read_record, write_record
from ballcourt.engine.registry import find_game
from tests.arena.recorded import recorded
from tests.cli.conftest import Refused, Run, write_bot


def test_verifying_a_changed_record_exits_with_1(run: Run, place: Path) -> None:
    run("play bluff ./low ./any --record-dir kept")
    (file,) = (place / "kept").iterdir()
    record = read_record(file)
    record.decisions.actions[2] = record.decisions.actions[2] % 3 + 1
    write_record(place / "kept", record)
    result = run("replay verify kept --json")
    assert result.exit_code == 1
    (verdict,) = json.loads(result.stdout)
    assert (verdict["agrees"], verdict["decisions"]) == (False, 2)
    assert "decision 2" in verdict["difference"]


def test_verifying_says_which_parts_of_a_record_do_not_follow_from_its_decisions(succeeds: Run, place: Path) -> None:
    """A forged name with a new checksum agrees, as nothing but a signature can vouch for it."""
    forged = recorded("m0")
    forged.entrants[0].name = "somebody-else"
    write_record(place / "kept", forged)
    result = succeeds("replay verify kept")
    assert "not checked: names, hosts, times, thoughts" in result.stderr
    assert "a signed bundle" in result.stderr
    assert succeeds("replay verify kept --json").stderr == ""


def test_a_damaged_record_fails_verification_and_the_others_are_still_verified(run: Run, place: Path) -> None:
    for key in ("m0", "m1", "m2"):
        write_record(place / "kept", recorded(key))
    (place / "kept" / "m1.match").write_bytes((place / "kept" / "m1.match").read_bytes()[:100])
    result = run("replay verify kept")
    assert result.exit_code == 1
    assert [line.partition(": ")[2][:12] for line in result.stdout.splitlines()] == [
        "agrees in al",
        "is damaged: ",
        "agrees in al",
    ]
    assert "kept/m1.match: is damaged: its content does not match its checksum" in result.stdout


def test_replay_show_prints_decisions_scenes_or_one_seats_view(run: Run, place: Path) -> None:
    run("play bluff ./low ./any --record-dir kept")
    (file,) = (str(path) for path in (place / "kept").iterdir())
    assert run("replay", "show", file).stdout.count("BID_") == 6
    assert run("replay", "show", file, "--seat", "0").stdout.count("(hidden)") == 3
    assert "A seat 0: 0 points" in run("replay", "show", file, "--at", "0").stdout
    assert "position 0 of 6, all secrets" in run("replay", "show", file, "--step").stdout
    assert len(json.loads(run("replay", "show", file, "--json").stdout)["decisions"]) == 6
    assert run("replay", "show", file, "--at", "99").exit_code == 2


def test_a_record_whose_rules_are_not_installed_is_listed_with_what_to_install(
    run: Run, succeeds: Run, place: Path
) -> None:
    record = recorded()
    record.rules_version = "7"
    record.rules_package.name, record.rules_package.version = "bluff-rules", "0.7"
    file = str(write_record(place, record))
    shown = succeeds("replay", "show", file)
    assert shown.stdout.count("action ") == 9
    assert "its rules come with bluff-rules 0.7: install that version" in shown.stderr
    assert run("replay", "show", file, "--at", "0").exit_code == 2
    assert "install that version" in run("replay", "verify", file).stdout


def test_what_was_kept_shows_a_match_whose_rules_changed(
    run: Run, succeeds: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_record(place / "kept", recorded("m0"))
    write_record(place / "kept", recorded("m1"))
    assert run("replay keep kept").stdout == "kept what shows 2 matches beside the records\n"
    before = [run("replay", *words).stdout for words in SHOWING]
    monkeypatch.setattr(find_game("bluff"), "rules_version", "2")
    assert [run("replay", *words).stdout for words in SHOWING] == before
    assert "Bid 1" in run("replay show kept/m0.match").stdout
    assert run("replay show kept/m0.match --seat 1").stdout.count("(hidden)") == 6
    succeeds("replay html kept/m0.match --output m0.html")
    verified = run("replay verify kept")
    assert verified.exit_code == 1
    assert verified.stdout.count("which cannot execute it; the match is shown from what was kept") == 2


SHOWING = (
    ("document", "kept/m0.match"),
    ("document", "kept/m0.match", "--seat", "1"),
    ("show", "kept/m1.match", "--at", "4"),
    ("show", "kept/m1.match", "--at", "9", "--json"),
)


def test_evaluating_judges_matches_once_and_keeps_what_it_finds(succeeds: Run, place: Path) -> None:
    write_record(place / "kept", recorded("m0"))
    first = succeeds("replay evaluate kept --work 30")
    told, seat = first.stdout.splitlines()[:2]
    assert told == "kept/m0.match: judged by 30 playouts"
    assert seat.startswith("  seat 0 lowest: tells 3 of 3 decisions apart, and agrees with 100% of these (44% to 100%)")
    assert " ± " in seat
    assert succeeds("replay evaluate kept --work 99").stdout == first.stdout
    (found,) = json.loads(succeeds("replay evaluate kept --work 9 --again --json").stdout)
    assert (found["judge"], [seat["judged"] for seat in found["seats"]]) == ("9 playouts", [3, 3, 3])
    assert json.loads(succeeds("replay document kept/m0.match").stdout)["judge"] == "9 playouts"


def test_a_judge_says_that_it_cannot_tell_decisions_apart(succeeds: Run, place: Path) -> None:
    write_record(place / "kept", recorded("m0"))
    first = succeeds("replay evaluate kept --work 6").stdout.splitlines()
    assert first[1].startswith("  seat 0 lowest: cannot tell any of 3 decisions apart")


def test_a_bot_judges_as_if_it_sat_there(run: Run, place: Path) -> None:
    write_record(place / "kept", recorded("m0"))
    (found,) = json.loads(run("replay evaluate kept --judge ./low --json").stdout)
    assert found["judge"] == "low 1"
    assert [(seat["bot"], seat["agreed"]) for seat in found["seats"]] == [("lowest", 3), ("highest", 0), ("lowest", 3)]
    assert {one["better"] for one in found["swings"]} == {"Bid 1"}


def test_an_unknown_judge_is_refused_in_a_sentence(refused: Refused, place: Path) -> None:
    write_record(place / "kept", recorded("m0"))
    assert "gready" in refused("replay evaluate kept --judge gready")


def test_a_short_text_has_the_result_and_the_turning_points(run: Run, place: Path) -> None:
    write_record(place / "kept", recorded("m0"))
    lines = run("replay show kept/m0.match --short").stdout.splitlines()
    assert re.fullmatch(r"Bluff, 3 players, 20\d\d-\d\d-\d\d: m0", lines[0])
    assert lines[1].startswith("1. ")
    assert any(line.startswith("- ") and "(round 0)" in line for line in lines[4:])


def test_keeping_names_the_records_that_it_cannot_execute(run: Run, place: Path) -> None:
    record = recorded("m0")
    record.rules_version = "7"
    write_record(place / "kept", record)
    write_record(place / "kept", recorded("m1"))
    result = run("replay keep kept")
    assert result.exit_code == 1
    assert "kept what shows 1 match beside" in result.stdout
    assert "match m0 was played by rules version 7 of bluff" in result.stdout


def test_verify_names_a_file_that_cannot_be_read_once(run: Run, place: Path) -> None:
    os.mkfifo(place / "pipe.match")
    result = run("replay verify pipe.match")
    assert result.exit_code == 1
    assert result.stdout == "pipe.match: cannot be read: it is not a regular file\n"


def test_the_newest_record_has_a_name_and_stands_for_its_folder(run: Run, refused: Refused, place: Path) -> None:
    for folder in ("runs/one", "runs/two"):
        run("play", "bluff", "./low", "./any", "--record-dir", folder)
    (newest,) = (place / "runs" / "two").iterdir()
    key = f"match {newest.stem}\n"
    for name in ("last", "runs/two", f"runs/two/{newest.name}"):
        assert run("replay", "show", name).stdout.startswith(key)
    assert newest.stem in run("debug last@0 ./low").stdout
    assert newest.name in run("replay verify last").stdout
    assert "give one record: `last` is the newest" in refused("replay show a.match b.match")


def test_a_folder_is_no_page_to_write(run: Run, refused: Refused) -> None:
    run("play bluff ./low ./any --record-dir kept")
    for folder in (".", "kept"):
        assert f"{folder} cannot be written (Is a directory)" in refused("replay", "html", "kept", "--output", folder)


@pytest.mark.slow
def test_replay_faults_explains_lost_seats_and_writes_bundles(run: Run, place: Path) -> None:
    write_bot(place / "bad", "bad", "crashes", script="misbehaving.py")
    run("play bluff ./low ./bad --record-dir kept")
    (file,) = (str(path) for path in (place / "kept").iterdir())
    shown = run("replay", "faults", file).stdout
    assert "process         exit code 4\n" in shown
    assert shown.startswith("bad 1 lost its seat in match bluff-")
    made = json.loads(run("replay", "faults", file, "--output", "given", "--json").stdout)
    assert [(fault["seat"], fault["termination"], fault["exit_code"]) for fault in made["faults"]] == [(1, "CRASH", 4)]
    (folder,) = (place / "given").iterdir()
    assert made["bundles"] == [f"given/{folder.name}"]
    assert folder.name.endswith("-seat1-bad")


def test_replay_faults_says_which_folder_cannot_be_written(run: Run, refused: Refused, place: Path) -> None:
    write_bot(place / "cheat", "cheat", "illegal", script="misbehaving.py")
    run("play bluff ./low ./cheat --record-dir out")
    (record,) = (place / "out").glob("*.match")
    assert "low/bot.toml/x cannot be written" in refused("replay", "faults", str(record), "--output", "low/bot.toml/x")


def test_replay_faults_says_so_if_a_match_has_none(run: Run, place: Path) -> None:
    run("play bluff ./low ./any --record-dir kept")
    (file,) = (str(path) for path in (place / "kept").iterdir())
    assert run("replay", "faults", file).stdout == f"every bot played match {Path(file).stem} to its end\n"
