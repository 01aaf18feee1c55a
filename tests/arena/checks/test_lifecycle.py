"""The start and end of a bot: each misbehaviour fails a check, with advice."""

from pathlib import Path

import pytest

from ballcourt.arena.checks import CheckResult, Outcome, lifecycle
from ballcourt.arena.checks.harness import CheckedProcess
from ballcourt.arena.faults import BotFault
from ballcourt.arena.processes import bot_process
from tests.arena.checks.conftest import meet
from tests.bluff import GAME


def come(tmp_path: Path, way: str, toml: str = "") -> list[CheckResult]:
    return meet(tmp_path, way, lambda met: lifecycle.arrival(met, GAME), toml=toml)


def gone(tmp_path: Path, way: str) -> dict[int, CheckResult]:
    checks = meet(tmp_path, way, lambda met: lifecycle.departure(met, GAME))
    return {check.number: check for check in checks}


@pytest.mark.slow
def test_a_good_bot_starts_and_ends_properly(tmp_path: Path) -> None:
    comes, goes = come(tmp_path, "")[0], gone(tmp_path, "")
    assert "ms with ballcourt-python 0.1.0, protocol 1 to 1" in comes.detail
    assert {number: check.outcome for number, check in goes.items()} == dict.fromkeys((12, 13, 14), Outcome.PASS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        ("exits on start", "the bot ended before it sent Hello: exit code 3\n| no model file"),
        ("other protocol", "the bot speaks protocol 7"),
    ],
)
def test_the_last_output_of_a_bot_that_does_not_start_is_quoted(tmp_path: Path, way: str, sentence: str) -> None:
    with pytest.raises(BotFault) as fault:
        come(tmp_path, way)
    assert sentence in fault.value.sentence


def test_a_hello_without_a_name_fails(tmp_path: Path) -> None:
    _, identity, _ = come(tmp_path, "crashes")
    assert (identity.outcome, identity.detail) == (
        Outcome.FAIL,
        "Hello says no name without version, bot.toml says mine 1",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "toml", "sentence"),
    [
        ("bluff alone", "", "Hello says bluff, bot.toml says any game"),
        ("crashes", 'games = ["bluff"]', "Hello says any game, bot.toml says bluff"),
        ("old rules", 'games = ["tzolkin", "bluff"]', "the bot plays rules 0 of tzolkin; rules"),
    ],
)
def test_hello_bot_toml_and_the_arena_must_agree_on_games(tmp_path: Path, way: str, toml: str, sentence: str) -> None:
    *_, check = come(tmp_path, way, toml)
    assert check.outcome is Outcome.FAIL
    assert sentence in check.detail


@pytest.mark.slow
def test_a_bot_that_loses_its_seat_can_still_pass_the_goodbye_check(tmp_path: Path) -> None:
    assert gone(tmp_path, "illegal")[12].outcome is Outcome.PASS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "number", "detail", "advice"),
    [
        ("stays", 12, "still running after 0.3 s", "exit on Goodbye"),
        ("leaves angrily", 12, "exit code 1\n| so you do not want me", "exit with code 0"),
        ("deaf to SIGTERM", 13, "it had to be killed", "do not ignore SIGTERM"),
        ("orphan", 14, "1 of its processes detached themselves", "keep processes you start children"),
        (
            "litters",
            14,
            "so it is taken for another bot: notes.txt",
            "write to a temporary folder, or name them in ignore",
        ),
    ],
)
def test_misbehaviour_at_the_end_fails(
    tmp_path: Path, way: str, number: int, detail: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "stays":
        monkeypatch.setattr(lifecycle, "LEAVE_S", 0.3)
    check = gone(tmp_path, way)[number]
    assert check.outcome is Outcome.FAIL
    assert detail in check.detail
    assert advice in check.advice


@pytest.mark.slow
def test_what_bot_toml_ignores_may_be_written(tmp_path: Path) -> None:
    checks = meet(tmp_path, "litters", lambda met: lifecycle.departure(met, GAME), toml='ignore = ["notes.*"]')
    assert (tmp_path / "notes.txt").exists()
    assert {check.outcome for check in checks} == {Outcome.PASS}


def test_a_bot_that_the_machine_kept_from_ending_is_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CheckedProcess, "is_kept_waiting", lambda _: True)
    monkeypatch.setattr(bot_process, "BUSY_S", 0.2)
    monkeypatch.setattr(lifecycle, "BUSY_S", 0.2)
    check = gone(tmp_path, "stays")[12]
    assert check.outcome is Outcome.SKIP
    assert check.detail == "this machine was too busy for 0.2 s to let it end; check it again later"
