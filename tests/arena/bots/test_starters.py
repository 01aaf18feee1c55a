from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.bots.starters import StarterError, languages, write_bot
from ballcourt.arena.files import TEMPORARY


def test_a_new_bot_has_the_requested_name_and_games(tmp_path: Path) -> None:
    write_bot(tmp_path / "mia", "python", ["maya"])
    bot = load_bot(tmp_path / "mia")
    assert (bot.name, bot.games) == ("mia", ("maya",))


def test_a_new_bot_plays_every_game_by_default(tmp_path: Path) -> None:
    write_bot(tmp_path / "mia", "python")
    assert load_bot(tmp_path / "mia").games == ("tzolkin", "maya", "ahau")


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


def test_a_bot_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(StarterError, match="cannot be written"):
        write_bot(tmp_path / "nowhere" / "mia", "python")
    assert not list(tmp_path.iterdir())


def test_what_a_killed_process_had_begun_to_write_is_removed_by_the_next(tmp_path: Path) -> None:
    (tmp_path / f".mia.0{TEMPORARY}" / "sdk").mkdir(parents=True)
    write_bot(tmp_path / "mia", "python")
    assert [path.name for path in tmp_path.iterdir()] == ["mia"]
