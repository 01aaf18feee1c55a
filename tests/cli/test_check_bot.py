"""`ballcourt check bot`: its output and exit codes."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ballcourt.arena.files import PACKAGE
from ballcourt.cli.commands import app
from tests.arena.checks.conftest import folder_with

BOTS = PACKAGE / "bots"


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["check", "bot", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.slow
def test_a_good_bot_exits_0_with_a_numbered_list() -> None:
    code, printed, _ = run(BOTS / "random", "--game", "bluff", "--decisions", 20)
    lines = printed.splitlines()
    assert code == 0
    assert [line[:10] for line in lines[:3]] == [" 1. ok    ", " 2. ok    ", " 3. ok    "]
    assert lines[-1] == "the bot is ready to play"


def test_a_bad_bot_exits_1_with_advice(tmp_path: Path) -> None:
    code, printed, _ = run(folder_with(tmp_path, "misbehaving.py", "exits on start"), "--game", "bluff")
    assert code == 1
    assert " 2. FAILED  start and Hello" in printed
    assert "            | no model file\n            -> see that the command of bot.toml works" in printed
    assert " 3. skip    name and version                   the bot did not start" in printed
    assert printed.endswith("the bot is not ready to play; failed checks: 2\n")


def test_json_has_every_check_and_the_thinking_time(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text("name = 7\n")
    code, printed, _ = run(tmp_path, "--json")
    shown = json.loads(printed)
    assert code == 1
    assert (shown["passed"], shown["think_us"]) == (False, None)
    check, *others = shown["checks"]
    assert (check["number"], check["title"], check["advice"]) == (1, "bot.toml", "fix the file")
    assert {other["outcome"] for other in others} == {"skip"}


def test_a_bot_that_cannot_be_checked_exits_2_with_one_sentence(tmp_path: Path) -> None:
    code, printed, complaint = run(tmp_path)
    assert (code, printed) == (2, "")
    assert complaint == f"ballcourt: {tmp_path}/bot.toml does not exist; a bot is a folder with a bot.toml\n"


@pytest.mark.slow
def test_a_bot_is_found_by_name_if_there_is_no_folder_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, printed, _ = run("random", "--game", "bluff", "--decisions", 10, "--json")
    assert (code, json.loads(printed)["checks"][0]["detail"]) == (0, "random 1")
    (tmp_path / "random").mkdir()
    folder_with(tmp_path / "random", "misbehaving.py", "exits on start")
    code, printed, _ = run("random", "--game", "bluff", "--json")
    assert (code, json.loads(printed)["passed"]) == (1, False)


def test_the_error_for_an_unknown_bot_lists_the_known_names() -> None:
    code, _, complaint = run("nobody")
    assert code == 2
    assert complaint.startswith("ballcourt: there is no bot 'nobody'; known bots: evolved, example, first-legal, ")


@pytest.mark.slow
def test_the_same_output_is_quoted_once(tmp_path: Path) -> None:
    code, printed, _ = run(folder_with(tmp_path, "misbehaving.py", "crashes"), "--game", "bluff")
    assert code == 1
    assert printed.count("| Segmentation fault, or so") == 1
    assert printed.count("| (the same output as in check 5)") >= 2


@pytest.mark.slow
def test_the_clock_can_be_set(tmp_path: Path) -> None:
    _, printed, _ = run(folder_with(tmp_path, "misbehaving.py", "hangs"), "--game", "bluff", "--clock", "cap_ms=300")
    assert "the bot did not answer within 300 ms" in printed


def test_a_clock_without_time_is_refused(tmp_path: Path) -> None:
    folder_with(tmp_path, "misbehaving.py", "hangs")
    code, _, complaint = run(tmp_path, "--clock", "cap_ms=0")
    assert code == 2
    assert "cap_ms" in complaint
