"""What the files of a folder show: the cause is named, and the next step."""

import re
import stat
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import BotError, load_bot
from ballcourt.arena.bots.causes import unstartable
from ballcourt.arena.building.builds import built
from ballcourt.arena.building.steps import BuildError
from ballcourt.arena.checks import BotCheck, Outcome
from ballcourt.arena.sandbox.tiers import Sandbox
from tests.arena.conftest import need_sandbox


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("bot.toml.txt", "rename bot.toml.txt to bot.toml"),
        ("Bot.toml", "rename Bot.toml to bot.toml"),
        ("bot (1).toml", "rename bot (1).toml to bot.toml"),
        ("bot.tml", "rename bot.tml to bot.toml"),
        ("a/BOT.TOML", "rename a/BOT.TOML to bot.toml"),
        ("a/b/bot.toml", "there is one in a/b; give that folder itself"),
        ("mine.zip", "there is an archive, mine.zip; unpack it, and give what is in it"),
    ],
)
def test_a_folder_that_is_nearly_a_bot_is_refused_with_the_cause(tmp_path: Path, name: str, where: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bot.toml").write_text("")
    with pytest.raises(BotError, match=re.escape(f"a bot is a folder with a bot.toml; {where}")):
        load_bot(tmp_path)
    with pytest.raises(BotError, match=re.escape(where)):
        next(BotCheck(tmp_path).run())


@pytest.mark.parametrize("name", ["robot.toml", "bottle.py", "about.toml", "bot.py"])
def test_a_folder_without_anything_like_a_bot_is_only_called_so(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    with pytest.raises(BotError, match=r"a bot is a folder with a bot\.toml$"):
        load_bot(tmp_path)


CASES = {
    "bare": (["run"], "'run' is looked for on the PATH; write './run' for the file of the folder"),
    "missing": (["no-such-tool"], "there is no program 'no-such-tool' on the PATH"),
    "plain": (["./plain"], "'./plain' has no right to execute; give it with chmod +x"),
    "case": (["./Run"], "there is no file './Run'; there is run, and case counts"),
    "not built": (["build/bot"], "there is no file 'build/bot'"),
    "folder": (["./folder"], "'./folder' is a folder"),
    "windows": (["./crlf"], "'./crlf' has the line ends of Windows; save it with those of Linux"),
    "windows, env": (["./crlf-env"], "'./crlf-env' has the line ends of Windows"),
    "windows, shell": (["sh", "-e", "crlf-shell"], "crlf-shell has the line ends of Windows"),
    "interpreter": (["./lost"], "the first line of './lost' names the interpreter '/no/such/python', which does not"),
    "interpreter, env": (["./lost-env"], "names the interpreter 'python2.3', which does not exist"),
    "interpreter, empty": (["./empty"], "names the interpreter '', which does not exist"),
    "no first line": (["./bom"], "'./bom' is neither a program of Linux nor a script whose first line names"),
    "of another system": (["./bot.exe"], "'./bot.exe' is neither a program of Linux nor a script"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    for name, content in {
        "run": "#!/bin/sh\n",
        "plain": "#!/bin/sh\n",
        "crlf": "#!/bin/sh\r\necho\r\n",
        "crlf-env": "#!/usr/bin/env python3\r\n",
        "crlf-shell": "set -eu\r\ntrue\r\n",
        "lost": "#!/no/such/python -u\n",
        "lost-env": "#!/usr/bin/env -S A=1 python2.3 -u\n",
        "empty": "#!\n",
        "bom": "\ufeff#!/bin/sh\n",
        "bot.exe": "MZ\x90",
    }.items():
        (tmp_path / name).write_bytes(content.encode())
        (tmp_path / name).chmod(0o644 if name == "plain" else 0o755)
    return tmp_path


@pytest.mark.parametrize("case", CASES)
def test_a_command_that_does_not_start_is_explained_by_its_files(folder: Path, case: str) -> None:
    command, cause = CASES[case]
    assert cause in unstartable(command, folder)


@pytest.mark.parametrize("command", [["./run"], ["sh", "-c", "exit 1"], ["sh", "run"], ["/bin/sh"], ["cat", "crlf"]])
def test_a_command_that_starts_has_no_such_cause(folder: Path, command: list[str]) -> None:
    assert unstartable(command, folder) == ""


@pytest.mark.parametrize("tier", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", ["plain", "windows", "interpreter", "no first line", "not built"])
def test_a_check_names_the_cause_and_not_the_socket(folder: Path, case: str, tier: int) -> None:
    if tier:
        need_sandbox()
    command, cause = CASES[case]
    (folder / "bot.toml").write_text(f'name = "mine"\nversion = "1"\ncommand = {command}\n')
    failed = next(
        one for one in BotCheck(folder, ["bluff"], sandbox=Sandbox(tier)).run() if one.outcome is Outcome.FAIL
    )
    assert f"could not start '{command[0]}' in {folder}: " in failed.detail
    assert cause in failed.detail
    assert "SOCKET" not in failed.paragraph


@pytest.mark.parametrize("case", ["plain", "windows, shell", "missing"])
def test_a_build_names_the_cause(
    folder: Path, case: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path_factory.mktemp("cache")))
    command, cause = CASES[case]
    (folder / "bot.toml").write_text(f'name = "mine"\nversion = "1"\ncommand = ["./x"]\nbuild = {command}\n')
    with pytest.raises(BuildError, match=f"bot mine cannot be built: .* does not start: {re.escape(cause)}"):
        built(load_bot(folder))
    assert (folder / "plain").stat().st_mode & stat.S_IXUSR == 0
