"""Unusual input: for each kind there is a bot that does not survive it."""

from pathlib import Path

import pytest

from ballcourt.arena.checks import CheckResult, Outcome
from ballcourt.arena.checks import surprises as module
from ballcourt.arena.checks.surprises import SURPRISES, surprises
from tests.arena.checks.conftest import meet
from tests.bluff import GAME


def surprised(tmp_path: Path, way: str) -> CheckResult:
    (check,) = meet(tmp_path, way, lambda harness: surprises(harness, GAME))
    return check


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "surprise", "last_words"),
    [
        ("strict about fields", "unknown fields", "that is not in my .proto"),
        ("strict about numbers", "unknown actions and ends", "there is no such action"),
        ("strict about messages", "unknown messages", "that is no message"),
        ("impatient", "a silence", ""),
        ("mixes questions up", "a question taken back", ""),
        ("proud", "a question asked again", "I said what I said"),
    ],
)
def test_the_input_that_a_bot_fails_on_is_named(tmp_path: Path, way: str, surprise: str, last_words: str) -> None:
    check = surprised(tmp_path, way)
    assert check.outcome is Outcome.FAIL
    assert check.detail.startswith(f"{surprise}: ")
    assert last_words in check.detail


def test_a_good_bot_survives_all_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SILENCE_S", 0.0)
    check = surprised(tmp_path, "")
    assert check.outcome is Outcome.PASS
    assert all(name in check.detail for name in SURPRISES)
