"""`ballcourt event`: decisions at the command line."""

import json
from pathlib import Path

import pytest

from ballcourt.arena.tournament.event.model import Event
from tests.arena.tournament.in_process import play_all
from tests.cli.conftest import Refused, Run, validator, write_bot


@pytest.fixture
def cup(place: Path) -> Path:
    """An event that has been played, without the processes that take time."""
    bots = (str(place / "low"), str(place / "any"), f"twin={place / 'any'}")
    settings = Event().replaced(game="bluff", bots=bots, seats=2, seed=3)
    play_all(place / "cup", settings)
    return place / "cup"


def bots_in(table: str) -> set[str]:
    return {row["bot"] for board in json.loads(table)["ladders"] for row in board["standings"]}


def test_decisions_are_followed_by_the_table_the_log_and_the_next_run(
    cup: Path, place: Path, run: Run, succeeds: Run
) -> None:
    write_bot(place / "late", "late")
    told = run("event", "withdraw", "cup", "low", "--strike", "--reason", "not its owner's")
    assert told.stdout.startswith("decision 1: low 1 is withdrawn, and its matches are struck (")
    assert "otherwise run the tournament again" in told.stderr
    added = run("event", "add", "cup", "LATE=./late", "--owner", "zoe", "--arg", "random", "--clock", "bank_ms=5000",
                "--reason", "was ill")  # fmt: skip
    assert added.exit_code == 0, added.stderr
    succeeds("event", "lengthen", "cup", "--rounds", "2", "--reason", "there is time")
    assert "no run has noticed it yet" in run("event log cup").stdout
    assert bots_in(run("leaderboard cup --json").stdout) == {"any", "twin"}
    again = succeeds("tournament cup/tournament.toml --workers 1 --json")
    assert "decision 2: LATE 1 joins" in again.stderr
    assert bots_in(again.stdout) == {"any", "twin", "LATE"}
    log = json.loads(run("event log cup --json").stdout)
    assert [(entry["action"], entry["block"]) for entry in log] == [("withdraw", 3), ("add", 3), ("lengthen", 3)]
    assert log[1]["table"]["clock"] == {"bank_ms": 5000}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["withdraw", "cup", "nobody", "--reason", "x"],
            "nobody does not play in the event; its bots: low 1, any 1, twin 1",
        ),
        (["withdraw", "cup", "low"], "Missing option '--reason'"),
        (["void", "cup", "b000099", "--reason", "x"], "b000099 has not been played"),
        (["repeat", "cup", "first", "--reason", "x"], "'first' is neither a match, such as b000012-r1, nor a block"),
        (["renew", "cup", "--reason", "x"], "cup holds a tournament, which ends with the rules"),
        (["lengthen", "cup", "--reason", "x"], "give one of --rounds, --blocks and --matches"),
        (["lengthen", "cup", "--rounds", "1", "--reason", "x"], "rounds = 1 gives 3 blocks in all"),
        (["resume", "cup", "--reason", "x"], "the event is not paused"),
        (["pause", "nowhere", "--reason", "x"], "nowhere is not the output folder of a tournament"),
        (["log", "nowhere"], "nowhere is not the output folder of a tournament"),
        (["add", "cup", "./low", "--reason", "x"], "an entrant is called low 1 already; give --label"),
        (["add", "cup", "./low", "--clock", "x", "--reason", "x"], "'x' is not of the form NAME=VALUE"),
    ],
)
def test_wrong_input_is_one_sentence_and_decides_nothing(
    cup: Path, refused: Refused, arguments: list[str], sentence: str
) -> None:
    assert sentence in refused("event", *arguments)
    assert not (cup / "decisions.jsonl").exists()


def test_what_was_played_is_counted(cup: Path, place: Path, succeeds: Run) -> None:
    [line, *_] = succeeds("event certificate cup").stdout.splitlines()
    assert line == "even: each bot plays 4 matches, equally often in every seat and with every other"
    succeeds("event", "void", "cup", "b000000-r0", "--reason", "a dispute")
    written = json.loads(succeeds("event certificate cup --json").stdout)
    validator("certificate").validate(written)
    [counted] = written["setups"]
    assert written["bots"][0] == {"name": "low", "version": "1"}
    assert sorted(counted["certificate"]["matches"]) == [3, 3, 4]
    assert (counted["certificate"]["fewest_meetings"], counted["certificate"]["most_meetings"]) == (1, 2)


def test_the_course_of_a_swiss_tournament_is_counted_at_its_end(place: Path, run: Run) -> None:
    bots = [word for bot in ("low", "any", "a=./low", "b=./any", "c=./low") for word in ("--bot", bot)]
    played = run("tournament", "--game", "bluff", *bots, "--seats", "2", "--format", "swiss", "--output", "swiss",
                 "-o", "rounds=1", "--workers", "1", "--rounds", "2")  # fmt: skip
    assert played.exit_code == 0, played.stderr
    [line] = [line for line in played.stderr.splitlines() if line.startswith("played: each bot plays")]
    assert line == "played: each bot plays 2 to 4 matches, equally often in every seat; each pair meets 0 to 2 times"
