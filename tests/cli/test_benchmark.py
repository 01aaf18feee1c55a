"""`ballcourt benchmark`: a number for a bot."""

import json
from pathlib import Path

import pytest

from ballcourt.evaluation.suites import suite
from tests.cli.conftest import Refused, Run, files

SUITE = """
title = "Bluff at two seats and at three"
rules = { bluff = "1" }
field = { random = "1", first-legal = "1" }

[event]
game = "bluff"
seats = [2, 3]
rounds = 2
seed = 7
"""


@pytest.fixture(autouse=True)
def suites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites" / "bluff-1.toml").write_text(SUITE)
    monkeypatch.setattr(suite, "FOLDER", tmp_path / "suites")


@pytest.mark.slow
def test_a_bot_gets_a_number_and_goes_on_where_it_was(succeeds: Run, place: Path) -> None:
    asked = ("benchmark", "./low", "--suite", "bluff-1", "--workers", "1")
    first = succeeds(*asked, "--rounds", "1")
    assert first.stdout.startswith("bluff-1: ")
    assert "after 1 of 2 rounds only" in first.stdout.splitlines()[0]
    kept = files(place / "runs" / "benchmark-bluff-1-low-1" / "records")
    assert len(kept) == 7  # two opponents at two seats, both at three
    whole = json.loads(succeeds(*asked, "--json").stdout)
    assert kept < files(place / "runs" / "benchmark-bluff-1-low-1" / "records")
    assert (whole["is_whole"], whole["matches"], whole["bot"]) == (True, 14, "low")
    assert {*whole["by_opponent"]} == {"random", "first-legal"}
    assert succeeds(*asked, "--form", "latex").stdout.startswith("% bluff-1, sha256 ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("./low", "--suite", "maya-9"), "there is no suite 'maya-9'; known suites: bluff-1"),
        (("./low", "--suite", "bluff-1", "--rounds", "3"), "it is 3; bluff-1 has 2"),
        (("./low", "--suite", "bluff-1", "--form", "pdf"), "it is 'pdf'; it must be one of card, markdown, latex"),
        (("./nobody", "--suite", "bluff-1"), "nobody"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(
    refused: Refused, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused("benchmark", *arguments)
