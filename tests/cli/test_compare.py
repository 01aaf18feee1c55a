"""`ballcourt compare`: from two bots to an answer."""

import json
from pathlib import Path

import pytest

from ballcourt.arena.records.store import read_record
from ballcourt.arena.sandbox import walls
from ballcourt.cli import compare
from tests.cli.conftest import Refused, Run, files, write_bot

GAME = ("--game", "bluff", "--workers", "1", "--seed", "3")


@pytest.fixture(autouse=True)
def versions(place: Path) -> None:
    """Of a careful bot that bids 1, which loses no points, of a hasty one that often does, and of a cheat."""
    write_bot(place / "hasty", "hasty", "highest")
    write_bot(place / "broken", "broken", "illegal", script="misbehaving.py")


def test_the_better_version_is_found_with_exit_code_0(succeeds: Run, place: Path) -> None:
    result = succeeds("compare", "./low", "./broken", *GAME, "--seats", "2")
    assert result.stdout.startswith("Better: low 1 wins more than 50% of the duels against broken 1.")
    assert "It won 100.0% in 16 matches" in result.stdout
    assert "Bid: 8 times; new wins 100.0%" in result.stdout
    assert "faults in 16 matches" in result.stdout
    assert (place / "runs" / "compare-low-1-broken-1-bluff-2" / "records").is_dir()


@pytest.mark.slow
def test_two_versions_of_one_name_are_told_apart_by_their_folders(run: Run, place: Path) -> None:
    write_bot(place / "low2", "low", "highest")
    run("compare", "./low2", "./low", *GAME, "--seats", "2")
    assert (place / "runs" / "compare-low-1-low2-low-1-low-bluff-2" / "records").is_dir()


@pytest.mark.slow
def test_what_is_strict_fails_if_a_bot_loses_its_seat(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "demand", lambda tier: None)  # any machine is good enough
    asked = ("compare", "./low", "./broken", *GAME, "--seats", "2", "--output", "out")
    assert [run(*asked).exit_code, run(*asked, "--strict").exit_code] == [0, 1]


def test_the_worse_version_is_not_better_with_exit_code_1(run: Run) -> None:
    result = run("compare", "./hasty", "./low", *GAME, "--seats", "2", "--effect", "80%", "--json")
    assert result.exit_code == 1, result.output
    found = json.loads(result.stdout)
    assert (found["format"], found["verdict"]) == ("ballcourt-comparison-1", "short of the effect")
    assert found["evidence"]["share"] < 0.6
    assert found["evidence"]["is_short"]


def test_a_bot_is_not_better_than_itself_but_not_inferior_either(run: Run, succeeds: Run) -> None:
    asked = ("compare", "./low", "./low", *GAME, "--seats", "2", "--output", "same")
    assert run(*asked, "--effect", "80%").exit_code == 1
    result = succeeds(*asked, "--non-inferior", "20%")
    assert result.stdout.startswith("Not inferior: low 1 wins more than 20% of the duels against low 1.")
    assert "In 100% of the deals both decide alike to the end.\n" in result.stdout
    assert "new and old have the same files: chance alone makes a difference" in " ".join(result.stderr.split())


def test_both_versions_play_the_same_deal_in_opposite_seats(run: Run, place: Path) -> None:
    run("compare", "./any", "./low", *GAME, "--at-most", "4", "--output", "out")
    records = [read_record(file) for file in sorted((place / "out" / "records").iterdir())]
    assert [[entrant.name for entrant in record.entrants] for record in records] == [
        ["new", "old", "new-2", "old-2"],
        ["old", "new", "old-2", "new-2"],
    ] * 2
    assert records[0].seed == records[1].seed != records[2].seed == records[3].seed
    assert {(entrant.name[:3], entrant.bot) for record in records for entrant in record.entrants} == {
        ("new", "any"),
        ("old", "low"),
    }


def test_the_same_command_continues_and_more_matches_may_be_asked_for(run: Run, place: Path) -> None:
    """In one go or in three, the answer is the same."""
    asked = ("compare", "./any", "./low", *GAME, "--seats", "2", "--json", "--output")
    assert run(*asked, "pieces", "--at-most", "2").exit_code == 1
    first = json.loads(run(*asked, "pieces", "--at-most", "4").stdout)
    assert (first["matches"], first["verdict"]) == (4, "undecided")
    kept = files(place / "pieces")
    result = run(*asked, "pieces", "--at-least", "12", "--at-most", "12")
    assert kept <= files(place / "pieces")
    assert "4 of them have been played before" in result.stderr
    found, straight = json.loads(result.stdout), run(*asked, "straight", "--at-least", "12", "--at-most", "12").stdout
    assert found["matches"] == 12
    assert found["evidence"] == json.loads(straight)["evidence"]


@pytest.mark.parametrize(("by", "shown"), [("duels", "new wins 50.0% of the duels ("), ("points", "a duel (-")])
def test_the_evidence_and_the_time_to_go_are_shown(
    run: Run, monkeypatch: pytest.MonkeyPatch, by: str, shown: str
) -> None:
    monkeypatch.setattr(compare, "LINE_S", 0.0)
    result = run("compare", "./low", "./low", *GAME, "--seats", "2", "--at-most", "6", "--by", by)
    printed = " ".join(result.stderr.split())
    assert shown in printed
    assert "; evidence for more than " in printed
    assert " matches, " in printed
    assert " to go" in printed


@pytest.mark.parametrize("seats", ["1", "3"])
def test_every_number_of_seats_can_be_compared(run: Run, seats: str) -> None:
    result = run("compare", "./low", "./hasty", *GAME, "--seats", seats, "--at-most", "6", "--json")
    found = json.loads(result.stdout)
    assert (found["seats"], found["matches"]) == (int(seats), 6)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("./low", "nobody"), "nobody"),
        (("./low", "./any", "--effect", "50%"), "the effect is 50% of the duels; it must be above 50% and below 100%"),
        (("./low", "./any", "--effect", "much"), "'much' is not a share, such as 55% or 0.55"),
        (("./low", "./any", "--alpha", "0.5"), "alpha is 50%; it must be above 0% and below 50%"),
        (("./low", "./any", "--alpha", "0"), "alpha is 0%; it must be above 0% and below 50%"),
        (
            ("./low", "./any", "--non-inferior", "60%"),
            "Invalid value for --non-inferior: it is '60%'; it must be above 0% and below 50%",
        ),
        (("./low", "./any", "--non-inferior", "50%"), "it is '50%'; it must be above 0% and below 50%"),
        (("./low", "./any", "--effect", "55"), "'55' is not a share, such as 55% or 0.55"),
        (("./low", "./any", "--effect", "nan"), "'nan' is not a share, such as 55% or 0.55"),
        (("./low", "./any", "--at-least", "3", "--at-most", "2"), "--at-least: it is 3, more than --at-most 2"),
        (("./low", "./any", "--test", "sprt"), "it is 'sprt'; it must be betting or gsprt"),
        (("./low", "./any", "--by", "places"), "it is 'places'; it must be duels or points"),
        (("./low", "./any", "--seats", "7"), "bluff is not played by 7; it takes 1, 2, 3, 4 seats"),
        (("./low", "./any", "--set", "faults.disqualify=above 10% of 20 matches"), "a comparison suspends no bot"),
        (("./low", "./any", "--game", "chess"), "chess"),
        (("remote:ann", "./low"), "only `ballcourt host` can play with it"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(
    refused: Refused, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused("compare", "--game", "bluff", *arguments)


def test_a_version_whose_files_changed_is_refused(run: Run, refused: Refused, place: Path) -> None:
    asked = ("compare", "./any", "./low", *GAME, "--at-most", "2", "--output", "out")
    run(*asked)
    (place / "any" / "notes").write_text("changed")
    assert "the files of new 1, new-2 1 have changed since out was begun" in refused(*asked)


@pytest.mark.slow
def test_points_may_decide_and_both_answers_are_printed(succeeds: Run) -> None:
    result = succeeds("compare", "./low", "./broken", *GAME, "--seats", "2", "--by", "points")
    by_points, by_duels = result.stdout.splitlines()[:2]
    assert by_points.startswith("By points: Better: new makes +2.0 points a duel in ")
    assert by_points.endswith("a margin counts up to 2.")
    assert by_duels.startswith("By duels: Better: low 1 wins more than 50% of the duels against broken 1.")
    assert "until new is known to make more than +0.0 points a duel" in " ".join(result.stderr.split())


@pytest.mark.slow
def test_a_plan_starts_nothing_and_says_what_the_comparison_takes(run: Run, succeeds: Run, place: Path) -> None:
    before = files(place)
    result = succeeds("compare", "./low", "./hasty", *GAME, "--seats", "2", "--plan")
    assert files(place) == before
    assert [line.split()[0] for line in result.stdout.splitlines()[1:5]] == ["50%", "52.5%", "55%", "60%"]
    assert "0.125 by duels and 0.0288 by points, from an assumption" in " ".join(result.stdout.split())
    run("compare", "./low", "./hasty", *GAME, "--seats", "2", "--at-most", "6")
    found = json.loads(succeeds("compare", "./low", "./hasty", *GAME, "--seats", "2", "--plan", "--json").stdout)
    assert [(one["by"], one["recorded"]) for one in found["by"]] == [("duels", 3), ("points", 3)]
    assert found["matches_per_block"] == 2


@pytest.mark.slow
def test_many_comparisons_are_judged_together(run: Run, succeeds: Run, place: Path) -> None:
    for number in range(3):
        run("compare", "./low", "./low", *GAME, "--seats", "2", "--at-most", "2", "--output", f"null-{number}")
    run("compare", "./low", "./broken", *GAME, "--seats", "2", "--output", "real")
    folders = ("null-0", "null-1", "null-2", "real")
    found = json.loads(run("study", "together", *folders, "--json").stdout)["comparisons"]
    assert [(one["alone"], one["together"]) for one in found] == [(False, False)] * 3 + [(True, False)]
    assert run("study", "together", *folders).exit_code == 1
    run("compare", "./low", "./broken", *GAME, "--seats", "2", "--output", "real", "--at-least", "32")
    result = succeeds("study", "together", *folders)
    first = result.stdout.splitlines()[1].split()
    assert (first[:3], first[-2:]) == (["real", "16", "100.0%"], ["better", "better"])


def test_a_folder_without_a_comparison_is_refused(refused: Refused, place: Path) -> None:
    (place / "empty").mkdir()
    assert "there is no whole block in empty" in refused("study together empty")
