import os
import select
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, BotError, load_bot
from ballcourt.arena.building.builds import built
from ballcourt.arena.building.steps import BuildError
from ballcourt.arena.faults import notes_of
from tests.arena.conftest import PATIENCE_S

COUNTED = """
import os, pathlib
pathlib.Path("program").write_text(pathlib.Path("source").read_text().upper())
with (pathlib.Path(os.environ["BALLCOURT_BUILD_CACHE"]) / "runs").open("a") as runs:
    runs.write("x")
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def bot_with(parent: Path, script: str, extra: str = "") -> Bot:
    folder = parent / "mia"
    folder.mkdir(exist_ok=True)
    (folder / "build.py").write_text(script)
    (folder / "source").write_text("play")
    (folder / "bot.toml").write_text(
        f'name = "mia"\nversion = "1"\ncommand = ["./program"]\nbuild = ["{{python}}", "build.py"]\n{extra}'
    )
    return load_bot(folder)


def runs(cache: Path) -> int:
    return len((cache / "scratch" / "mia" / "runs").read_text())


def test_a_bot_without_a_build_step_needs_no_build(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "mia"\nversion = "1"\ncommand = ["true"]\n')
    bot = load_bot(tmp_path)
    assert built(bot) is bot


def test_a_build_works_on_a_copy_and_does_not_change_the_folder_or_its_hash(tmp_path: Path) -> None:
    bot = bot_with(tmp_path, COUNTED)
    ready = built(bot)
    assert (ready.directory / "program").read_text() == "PLAY"
    assert not (bot.folder / "program").exists()
    assert ready.content_hash == load_bot(bot.folder).content_hash


def test_the_same_content_is_built_once_and_a_change_triggers_a_new_build(tmp_path: Path, cache: Path) -> None:
    bot = bot_with(tmp_path, COUNTED)
    assert built(bot) == built(bot)
    assert runs(cache) == 1
    (bot.folder / "source").write_text("other")
    changed = load_bot(bot.folder)
    assert (built(changed).directory / "program").read_text() == "OTHER"
    assert runs(cache) == 2


def test_build_output_in_the_folder_is_neither_copied_nor_hashed(tmp_path: Path) -> None:
    (tmp_path / "mia" / "inner").mkdir(parents=True)
    bot = bot_with(tmp_path, COUNTED, 'ignore = ["out*"]\n')
    (bot.folder / "inner" / "output").mkdir()
    (bot.folder / "inner" / "output" / "cache").write_text(str(bot.folder))
    again = load_bot(bot.folder)
    assert again.content_hash == bot.content_hash
    assert not (built(again).directory / "inner" / "output").exists()


@pytest.mark.slow
def test_two_processes_that_need_the_same_bot_build_it_once(tmp_path: Path, cache: Path) -> None:
    bot = bot_with(tmp_path, COUNTED)
    imports = "from ballcourt.arena.bots.bot import load_bot; from ballcourt.arena.building.builds import built"
    program = f"{imports}; built(load_bot({str(bot.folder)!r}))"
    both = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2)]
    assert [process.wait(PATIENCE_S) for process in both] == [0, 0]
    assert runs(cache) == 1


def test_a_bot_may_start_in_a_folder_created_by_its_build(tmp_path: Path) -> None:
    bot = bot_with(tmp_path, "import os; os.mkdir('out')", 'directory = "out"\n')
    ready = built(bot)
    assert ready.directory == ready.folder / "out"
    assert ready.directory.is_dir()


def test_a_bot_with_a_build_step_cannot_start_outside_its_folder(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="outside the folder that is built"):
        bot_with(tmp_path, "", 'directory = ".."\n')


def test_a_failed_build_is_reported_with_its_output_and_leaves_nothing_behind(tmp_path: Path, cache: Path) -> None:
    bot = bot_with(tmp_path, "print('no compiler here'); raise SystemExit(3)")
    for _ in range(2):
        with pytest.raises(BotError, match=r"(?s)bot mia cannot be built: .* exit code 3.*no compiler here"):
            built(bot)
    assert [*(cache / "builds").iterdir()] == []


def test_the_beginning_and_end_of_the_output_of_a_failed_build_are_quoted(tmp_path: Path) -> None:
    explained = "['an explanation ' * 50] * 100"
    bot = bot_with(tmp_path, f"print('first error', *{explained}, 'last error', sep='\\n'); raise SystemExit(1)")
    with pytest.raises(BuildError, match=r"(?s)first error.*lines left out.*last error"):
        built(bot)


def test_a_name_that_contains_a_path_stays_inside_the_cache(tmp_path: Path, cache: Path) -> None:
    bot = replace(bot_with(tmp_path, COUNTED), name="../../mia")
    assert built(bot).directory.is_relative_to(cache)
    assert {path.parent for path in cache.rglob("runs")} == {cache / "scratch" / "%2E%2E%2F%2E%2E%2Fmia"}


def test_leftovers_of_a_killed_build_are_not_used(tmp_path: Path, cache: Path) -> None:
    bot = bot_with(tmp_path, COUNTED)
    half = cache / "builds" / bot.content_hash
    half.mkdir(parents=True)
    (half / "program").write_text("half")
    assert (built(bot).directory / "program").read_text() == "PLAY"


def test_a_missing_build_tool_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.defpath)  # if PATH had a folder without permission, it would be "Permission denied"
    bot = bot_with(tmp_path, "")
    (bot.folder / "bot.toml").write_text('name="mia"\nversion="1"\ncommand=["x"]\nbuild=["no-such-tool"]\n')
    with pytest.raises(
        BotError, match="'no-such-tool' does not start: there is no program 'no-such-tool' on the PATH; install"
    ):
        built(load_bot(bot.folder))


def test_a_build_leaves_no_process_behind(tmp_path: Path) -> None:
    bot = bot_with(tmp_path, "import subprocess; print(subprocess.Popen(['sleep', '60']).pid, flush=True); exit(1)")
    with pytest.raises(BotError) as failed:
        built(bot)
    pid = int(notes_of(failed.value)[-1].removeprefix("| "))
    assert ends(pid)


def ends(pid: int) -> bool:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], 10)[0])
    finally:
        os.close(handle)
