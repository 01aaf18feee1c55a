"""`ballcourt tournament --plan` says what a tournament will take, and starts nothing."""

import json
from pathlib import Path

import pytest

from ballcourt.arena.tournament.event.model import Event
from tests.arena.tournament.in_process import play_all
from tests.cli.conftest import CUP, Refused, Run, files, validator, write_bot


def test_it_says_matches_time_processes_and_precision_and_writes_nothing(succeeds: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    before = files(place)
    found = succeeds("tournament cup.toml --plan")
    lines = found.stdout.splitlines()
    assert lines[0] == "6 matches of bluff with 2 seats: low, any"
    assert lines[1].startswith("even: each bot plays 6 matches")
    assert "time: at most " in found.stdout
    assert "6 processes at the same time, 2 of them bots" in found.stdout
    assert "ratings will be known to about ±" in found.stdout
    assert "output: out; nothing has been started or written" in found.stdout
    assert files(place) == before


def test_a_plan_commits_to_no_seed_because_the_run_draws_its_own(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP.replace("seed = 4\n", ""))
    assert "commitment" not in run("tournament cup.toml --plan").stdout
    assert "commitment to the seed: sha256:" in run("tournament cup.toml").stderr


def test_where_results_decide_who_meets_the_plan_says_when_that_is_counted(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP + 'format = "swiss"\n')
    found = run("tournament cup.toml --plan")
    assert "who meets whom depends on results, so what each bot gets is counted at the end" in found.stdout


def test_a_bot_is_not_built(succeeds: Run, place: Path) -> None:
    manifest = write_bot(place / "made", "made") / "bot.toml"
    manifest.write_text(manifest.read_text() + 'build = ["touch", "built"]\n')
    before = files(place.parent)
    succeeds("tournament --game bluff --bot ./made --bot ./low --plan")
    assert files(place.parent) == before


def test_records_tell_how_long_the_rest_takes(succeeds: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    succeeds("tournament cup.toml")
    longer = succeeds("tournament cup.toml --rounds 500 --plan --json")
    found = json.loads(longer.stdout)
    validator("plan").validate(found)
    assert (found["format"], found["matches"], found["matches_played"]) == ("ballcourt-plan-1", 1000, 6)
    assert (found["seconds_are"], found["seconds_from_matches"]) == ("expected", 6)
    assert found["seconds"] > 0
    assert found["setups"][0]["certificate"]["matches"] == [1000, 1000]
    elsewhere = succeeds("tournament cup.toml --output new --plan --times out")
    assert "as 6 matches in out took" in elsewhere.stdout


def test_more_matches_make_the_ratings_more_precise(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    widths = [
        json.loads(run("tournament", "cup.toml", "--rounds", rounds, "--plan", "--json").stdout)["expected_half_width"]
        for rounds in ("10", "1000")
    ]
    assert widths[1] < widths[0] / 5


def test_what_a_run_would_refuse_the_plan_refuses_too(run: Run, succeeds: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    succeeds("tournament cup.toml")
    other = run("tournament cup.toml --seed 9 --plan")
    assert (other.exit_code, other.stdout) == (2, "")
    assert "out holds another tournament: its seed is 4, not 9" in other.stderr


def test_a_folder_without_such_records_is_refused(refused: Refused, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    assert "low has no records of bluff, 2 seats" in refused("tournament cup.toml --plan --times low")
    assert "--times" in refused("tournament cup.toml --times low")


@pytest.mark.slow
def test_a_tournament_that_ends_early_says_when(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP.replace("rounds = 3", 'stop = ["±1.0", "2 h"]'))
    found = run("tournament cup.toml --plan")
    assert "it ends early when every rating is known to ±1 or 2 h have passed" in found.stdout
    written = json.loads(run("tournament cup.toml --plan --json").stdout)
    assert written["stop"] == ["±1", "2 h"]
    assert not written["is_exact"]
    assert 20 < written["expected_matches"] < 200
    assert written["seconds"] <= 2 * 3600
    open_end = json.loads(
        run("tournament", "cup.toml", "--set", "stop=top 1 separated at 95%", "--plan", "--json").stdout
    )
    assert open_end["expected_matches"] is None
    validator("plan").validate(open_end)


def test_a_tournament_plays_until_its_ratings_are_precise(succeeds: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP.replace("rounds = 3", 'stop = "±4.0"'))
    played = succeeds("tournament cup.toml --json")
    [ladder] = json.loads(played.stdout)["ladders"]
    assert all(row["high"] - row["low"] < 8.4 for row in ladder["standings"])
    assert ": every rating is known to ±4" in played.stderr
    again = succeeds("tournament out/tournament.toml --json")
    assert again.stdout == played.stdout
    assert succeeds("leaderboard out --json").stdout == played.stdout
    more = succeeds("tournament cup.toml --set stop=±3.5 --json")
    assert "going on" in more.stderr


def test_set_ups_are_named_and_counted_one_by_one(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP + '[options]\nrounds = ["1", "3"]')
    found = run("tournament cup.toml --plan")
    lines = found.stdout.splitlines()
    first, second = "bluff, 2 seats, rounds = 1", "bluff, 2 seats, rounds = 3"
    assert lines[0] == f"12 matches of bluff in 2 set-ups ({first}; {second}): low, any"
    assert lines[1].startswith(f"{first} and {second}: even: each bot plays 6 matches")
    written = json.loads(run("tournament cup.toml --plan --json").stdout)
    assert [setup["options"] for setup in written["setups"]] == [{"rounds": "1"}, {"rounds": "3"}]
    assert {tuple(setup["certificate"]["matches"]) for setup in written["setups"]} == {(6, 6)}


def test_set_ups_are_played_and_shown_one_by_one_and_combined(succeeds: Run, refused: Refused, place: Path) -> None:
    (place / "cup.toml").write_text(CUP.replace("rounds = 3", "rounds = 1") + "[options]\nrounds = [1, 3]")
    played = succeeds("tournament cup.toml --json")
    assert [ladder["options"] for ladder in json.loads(played.stdout)["ladders"]] == [{"rounds": "1"}, {"rounds": "3"}]
    assert succeeds("leaderboard out --json").stdout == played.stdout
    succeeds("event watch out --once")
    succeeds("leaderboard out --combined")
    assert "it has other set-ups" in refused("tournament cup.toml --seats 2 --option rounds=3")


def test_it_recommends_seeds_by_a_trial_or_by_records_of_shared_deals(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP.replace("rounds = 3", 'rounds = 30\nseeds = "block"') + "[options]\nrounds = 1")
    first = run("tournament cup.toml --plan")
    assert 'is recommended: with "block", the same precision takes ' in first.stdout
    assert ", as random players show in 60 blocks" in first.stdout
    bots = (str(place / "low"), str(place / "any"))
    asked = Event().replaced(
        game="bluff", bots=bots, rounds=30, seed=4, seeds="block", options={"rounds": "1"}, seats=2
    )
    play_all(place / "out", asked)
    written = json.loads(run("tournament cup.toml --plan --json").stdout)
    validator("plan").validate(written)
    assert (written["seeds_advice"]["source"], written["seeds_advice"]["blocks"]) == ("records", 30)
