import re
import subprocess
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.bots.starters import StarterError, languages, missing_tools, write_bot
from ballcourt.arena.files import TEMPORARY


def test_a_new_bot_has_the_requested_name_and_games(tmp_path: Path) -> None:
    write_bot(tmp_path / "mia", "python", ["maya"])
    bot = load_bot(tmp_path / "mia")
    assert (bot.name, bot.games) == ("mia", ("maya",))


def test_a_new_bot_plays_every_game_by_default(tmp_path: Path) -> None:
    write_bot(tmp_path / "mia", "python")
    assert load_bot(tmp_path / "mia").games == ("tzolkin", "maya", "ahau")


def test_a_new_bot_has_notes_for_coding_agents_about_itself(tmp_path: Path) -> None:
    write_bot(tmp_path / "mia", "go", ["tzolkin", "maya"])
    notes = (tmp_path / "mia" / "AGENTS.md").read_text()
    assert notes.startswith("# mia, a bot for Ballcourt\n")
    assert "ballcourt play tzolkin ./mia greedy" in notes
    assert "NAME" not in notes and "GAME" not in notes
    assert (tmp_path / "mia" / "CLAUDE.md").read_text() == "@AGENTS.md\n"


@pytest.mark.parametrize("language", [language for language in languages() if language != "python"])
def test_a_bot_in_another_language_carries_its_sdk_and_the_protocol(language: str, tmp_path: Path) -> None:
    write_bot(tmp_path / "mia", language)
    assert load_bot(tmp_path / "mia").build
    assert load_bot(tmp_path / "mia" / "sdk").name == "mirror"
    assert (tmp_path / "mia" / "sdk" / "proto" / "ballcourt" / "v1" / "protocol.proto").is_file()


@pytest.mark.parametrize("language", languages())
def test_git_and_the_arena_ignore_the_same_build_output(language: str, tmp_path: Path) -> None:
    write_bot(tmp_path / "mia", language)
    ignored = (tmp_path / "mia" / ".gitignore").read_text().split()
    assert ignored == list(load_bot(tmp_path / "mia").ignore or ["__pycache__"])


@pytest.mark.parametrize("name", ["a b", ".hidden", "x" * 41, "-flag"])
def test_an_unsuitable_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(StarterError, match="not a valid bot name"):
        write_bot(tmp_path / name, "python")
    assert not list(tmp_path.iterdir())


def test_the_current_folder_is_refused_because_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mia").mkdir()
    monkeypatch.chdir(tmp_path / "mia")
    with pytest.raises(StarterError, match="already exists"):
        write_bot(Path(), "python")


def test_existing_files_are_never_touched(tmp_path: Path) -> None:
    (tmp_path / "mia").mkdir()
    with pytest.raises(StarterError, match="already exists"):
        write_bot(tmp_path / "mia", "python")
    assert not list((tmp_path / "mia").iterdir())


def test_the_error_for_an_unknown_language_lists_the_available_ones(tmp_path: Path) -> None:
    with pytest.raises(StarterError, match=r"'cobol'.*python"):
        write_bot(tmp_path / "mia", "cobol")


@pytest.mark.parametrize(
    ("language", "meant"),
    [("golang", "go"), ("C++", "cpp"), ("javascript", "typescript"), ("Rust", "rust"), ("typscript", "typescript")],
)
def test_a_language_under_another_name_is_a_near_miss(tmp_path: Path, language: str, meant: str) -> None:
    with pytest.raises(StarterError, match=rf"\(did you mean {meant}\?\)$"):
        write_bot(tmp_path / "mia", language)


def test_files_of_a_new_bot_keep_their_line_ends_in_git(tmp_path: Path) -> None:
    write_bot(tmp_path / "mia", "go")
    assert (tmp_path / "mia" / ".gitattributes").read_text() == "* text=auto eol=lf\n"


@pytest.mark.parametrize("language", languages())
def test_a_missing_tool_of_a_language_is_named_with_its_packages_before_and_in_the_build(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bot(tmp_path / "mia", language)
    monkeypatch.setenv("PATH", str(tmp_path))
    lacking = missing_tools(language)
    if language == "python":
        assert lacking == ""
        return
    first = re.match(r"to build it, this machine lacks ([^,;]+).*; (Debian's packages: .+)", lacking)
    assert first, lacking
    done = subprocess.run(["/bin/sh", "build.sh"], cwd=tmp_path / "mia", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"there is no {first[1]} on the PATH; {first[2]}\n")
    for tool in lacking.partition(" lacks ")[2].partition(";")[0].split(", "):
        (tmp_path / tool).touch(0o755)
    assert missing_tools(language) == ""


def test_a_bot_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(StarterError, match="cannot be written"):
        write_bot(tmp_path / "nowhere" / "mia", "python")
    assert not list(tmp_path.iterdir())


def test_what_a_killed_process_had_begun_to_write_is_removed_by_the_next(tmp_path: Path) -> None:
    (tmp_path / f".mia.0{TEMPORARY}" / "sdk").mkdir(parents=True)
    write_bot(tmp_path / "mia", "python")
    assert [path.name for path in tmp_path.iterdir()] == ["mia"]
