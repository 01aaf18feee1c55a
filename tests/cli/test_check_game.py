"""`ballcourt check game`."""

import json

import pytest

from ballcourt.engine import registry
from tests.cli.conftest import Refused, Run
from tests.engine.conformance.broken import ListsDownwards


class Backwards(ListsDownwards):
    name = "backwards"


GAME = Backwards()


@pytest.fixture(autouse=True)
def a_broken_game_is_installed(bluff_is_installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(registry.ENVIRONMENT, f"tests.bluff:GAME,{__name__}:GAME")
    registry.registered.cache_clear()


def test_a_sound_game_passes_every_check(succeeds: Run) -> None:
    result = succeeds("check game bluff --matches 4")
    assert "FAILED" not in result.stdout
    assert "all 18 checks passed in 4 matches" in result.stdout


def test_a_broken_game_fails_with_a_sentence_that_says_where(run: Run) -> None:
    result = run("check game backwards --matches 4")
    assert result.exit_code == 1
    assert "FAILED  legal" in result.stdout
    assert "the legal actions of seat 0 are not ascending and unique: [3, 2, 1]" in result.stdout


def test_the_report_can_be_printed_as_json(run: Run) -> None:
    result = run("check game backwards --matches 4 --json")
    report = json.loads(result.stdout)
    failed = [check["name"] for check in report["checks"] if check["problems"]]
    assert (result.exit_code, report["passed"], report["matches"]) == (1, False, 4)
    assert "legal" in failed


def test_seats_and_options_can_be_given(run: Run) -> None:
    result = run("check game backwards --matches 4 --seats 2 --option rounds=1")
    found = [line for line in result.stdout.splitlines() if "not ascending" in line]
    assert found
    assert all("2 seats, " in line and ", rounds=1, " in line for line in found)


def test_an_invalid_option_is_wrong_input(refused: Refused) -> None:
    assert "rounds" in refused("check game bluff --option rounds=7")


def test_an_unknown_game_is_wrong_input(refused: Refused) -> None:
    assert f"there is no game 'chess'; it must be one of {', '.join(registry.games())}" in refused("check game chess")


@pytest.mark.parametrize("arguments", [("--matches", "0"), ("--seed", "-1"), ("--matches", "many")])
def test_a_number_out_of_range_is_wrong_input(run: Run, arguments: tuple[str, str]) -> None:
    assert run("check", "game", "bluff", *arguments).exit_code == 2
