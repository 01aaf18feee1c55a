"""`ballcourt evaluate`: one candidate, or a race of several."""

import json
from pathlib import Path

import pytest

from ballcourt.arena.workers.runner import Runner
from ballcourt.evaluation.ledger import KeptBlock, Ledger
from ballcourt.evaluation.rungs import climb
from ballcourt.evaluation.terms import Place
from tests.cli.conftest import Refused, Run, write_bot

GAME = (
    "--game",
    "bluff",
    "--seats",
    "2",
    "--against",
    "./any",
    "--sandbox",
    "0",
    "--workers",
    "1",
    "--cache",
    "kept",
    "--seed",
    "7",
)


def test_a_candidate_is_evaluated_and_the_same_question_costs_nothing(succeeds: Run, place: Path) -> None:
    first = succeeds("evaluate", "./low", *GAME, "--budget", "8 matches", "--json")
    found = json.loads(first.stdout)
    assert (found["format"], found["matches"], found["new_matches"]) == ("ballcourt-evaluation-1", 8, 8)
    again = succeeds("evaluate", "./low", *GAME, "--budget", "8 matches")
    assert "in 8 matches, 0 of them new" in again.stdout


def test_a_question_that_was_asked_before_starts_no_worker(succeeds: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    succeeds("evaluate", "./low", *GAME, "--budget", "2 matches")
    monkeypatch.delattr(Runner, "__enter__")
    succeeds("evaluate", "./low", *GAME, "--budget", "2 matches", "--feedback")


def test_the_exit_code_says_whether_it_is_better(run: Run) -> None:
    result = run("evaluate", "./low", *GAME, "--budget", "2 matches", "--better-than", "0.5")
    assert result.exit_code == 1, result.output


def test_many_evaluations_are_believed_together(run: Run, place: Path) -> None:
    kept = Ledger(place / "ideas")
    for idea, share in enumerate([0.5] * 9 + [1.0]):
        deals = kept.shared_deals("terms", [f"idea {idea}"])
        for number in range(8):
            kept.add("terms", f"idea {idea}", Place(deals, number), KeptBlock(share, 2, 2, 0, 0, 0, 0))
    fresh, search = "fresh-idea 0", "search"
    kept.add("terms", "idea 0", Place(fresh, 0), KeptBlock(0.5, 2, 2, 0, 0, 0, 0))
    kept.add("terms", "idea 0", Place(search, 0), KeptBlock(0.5, 2, 2, 0, 0, 0, 0))
    kept.add("terms", "idea 1", Place(search, 0), KeptBlock(0.5, 2, 2, 0, 0, 0, 0))
    kept.close()
    found = json.loads(run("study together ideas --json").stdout)["comparisons"]
    assert [(idea["folder"], idea["blocks"]) for idea in found if idea["alone"]] == [
        ("idea 9, shared deals, terms terms", 8)
    ]
    assert [(idea["folder"], idea["blocks"]) for idea in found if "fresh" in idea["folder"]] == [
        ("idea 0, fresh deals, terms terms", 1)
    ]
    assert len(found) == 11
    assert not any(idea["together"] for idea in found)


def test_what_is_no_file_of_evaluations_is_one_sentence_and_stays_as_it_is(refused: Refused, place: Path) -> None:
    (place / "nothing").touch()
    (place / "words").write_text("only words\n")
    for name, sentence in (("nothing", "no whole block in nothing"), ("words", "words cannot be used")):
        assert sentence in refused("study", "together", name)
    assert [(place / name).stat().st_size for name in ("nothing", "words")] == [0, 11]


def test_several_candidates_race(succeeds: Run, place: Path) -> None:
    write_bot(place / "high", "high", "highest")
    result = succeeds("evaluate", "./low", "./high", *GAME, "--budget", "60 matches", "--json")
    (best,) = json.loads(result.stdout)["best"]
    assert best["deals"] == "fresh"


@pytest.mark.slow
def test_a_cluster_evaluates_too(succeeds: Run) -> None:
    game = [word for word in GAME if word not in ("--workers", "1")]
    result = succeeds("evaluate", "./low", *game, "--budget", "4 matches", "--cluster", "local:1", "--json")
    assert json.loads(result.stdout)["matches"] == 4


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("./low", "--budget", "0 matches"), "the budget is 0 matches; it must be above 0"),
        (("./low", "./any", "--budget", "5 cpu-seconds"), "the budget of a race is 5 cpu-seconds; give matches"),
        (("./low", "./any", "--fresh"), "several candidates race for a budget"),
        (("./nobody",), "nobody"),
        (("./low", "--against", "ladder:club"), "there is no ladder 'club'"),
    ],
)
def test_wrong_input_is_one_sentence_with_exit_code_2(
    refused: Refused, place: Path, asked: tuple[str, ...], sentence: str
) -> None:
    (place / "kept").touch()
    assert sentence in refused("evaluate", *GAME, *asked)


RUNGS = """
title = "Bluff"
rules = { bluff = "1" }
field = { first-legal = "1", random = "1" }
game = "bluff"
clock = { bank_ms = 90000 }

[rungs]
2 = [{ path = "random" }, { path = "first-legal", label = "low", clock = { work = 2 } }]
"""


@pytest.fixture
def ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rungs").mkdir()
    (tmp_path / "rungs" / "bluff-1.toml").write_text(RUNGS)
    monkeypatch.setattr(climb, "FOLDER", tmp_path / "rungs")


CLIMB = ("--game", "bluff", "--rungs", "--sandbox", "0", "--workers", "1", "--cache", "kept", "--seed", "7")


def test_a_candidate_climbs_the_rungs_of_a_game_and_goes_on_where_it_was(succeeds: Run, ladder: None) -> None:
    found = json.loads(succeeds("evaluate", "./low", *CLIMB, "--budget", "4 matches", "--json").stdout)
    assert (found["format"], found["rungs"], found["count"]) == ("ballcourt-rungs-1", "bluff-1", 2)
    assert 0 <= found["highest"] <= found["most"] <= 2
    assert {one["opponent"] for one in found["answers"]} <= {"random", "first-legal with work 2"}
    again = succeeds("evaluate", "./low", *CLIMB, "--budget", "4 matches")
    assert again.stdout.startswith("bluff-1 at 2 seats: rung ")


def test_a_broken_candidate_is_on_no_rung_and_the_exit_code_says_so(run: Run, ladder: None, place: Path) -> None:
    (place / "broken.py").write_text("from ballcourt import Bot\nraise SystemExit('no')\n")
    result = run("evaluate", "broken.py", *CLIMB, "--budget", "4 matches")
    assert (result.exit_code, result.stdout.partition("\n")[0]) == (1, "bluff-1 at 2 seats: rung 0 of 2")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("./low", "--game", "bluff"), "name opponents by --against, or give --rungs alone"),
        (("./low", "--game", "bluff", "--rungs", "--against", "./any"), "or give --rungs alone"),
        (("./low", "./any", *CLIMB), "--rungs takes one candidate"),
        (("./low", *CLIMB, "--clock", "bank_ms=5"), "leave out other candidates, --half-width, "),
        (("./low", *CLIMB, "--feedback"), "--weak, --feedback and --clock"),
        (("./low", *CLIMB, "--seats", "3"), "bluff-1 has no rungs for 3 seats; it has some for 2"),
        (("./low", "--game", "maya", "--rungs"), "maya has no rungs; games that have: bluff"),
    ],
)
def test_what_rungs_do_not_go_with_is_one_sentence(
    refused: Refused, ladder: None, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused("evaluate", *arguments)
