"""The bots that have a name."""

from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import BotError
from ballcourt.arena.bots.known import built_in_names, find_bots, resolve_bot
from tests.arena.bots.test_bot import bot_folder


def test_bots_are_found_in_the_folders_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = bot_folder(tmp_path)
    monkeypatch.setenv("BALLCOURT_BOTS", str(folder))
    assert find_bots().bots["mia"].directory == folder
    assert resolve_bot("mia") == resolve_bot(str(folder))


def test_a_folder_of_bots_gives_names_to_all_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = bot_folder(tmp_path)
    monkeypatch.setenv("BALLCOURT_BOTS", f"{tmp_path}:{folder}")
    found = find_bots()
    assert found.bots["mia"].directory == folder
    assert (found.ambiguous, found.unusable) == ({}, ())


@pytest.mark.parametrize("stale", ["nowhere", "empty", "broken"])
def test_an_entry_that_cannot_be_used_is_named_and_leaves_the_others(
    stale: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    bot_folder(tmp_path, "name = ", name="broken")
    folder = bot_folder(tmp_path)
    monkeypatch.setenv("BALLCOURT_BOTS", f"{tmp_path / stale}:{folder}")
    assert resolve_bot("mia").directory == folder
    (sentence,) = find_bots().unusable
    assert sentence.startswith(f"left out of BALLCOURT_BOTS: {tmp_path / stale}/bot.toml ")
    with pytest.raises(BotError, match="there is no bot 'nobody'") as refused:
        resolve_bot("nobody")
    assert refused.value.__notes__ == [sentence]


def test_a_broken_bot_in_a_folder_of_bots_leaves_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot_folder(tmp_path, "name = ", name="broken")
    bot_folder(tmp_path)
    monkeypatch.setenv("BALLCOURT_BOTS", str(tmp_path))
    assert resolve_bot("mia").name == "mia"
    assert len(find_bots().unusable) == 1


def test_a_name_of_two_bots_is_refused_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [bot_folder(tmp_path), bot_folder(tmp_path, name="twin")]
    monkeypatch.setenv("BALLCOURT_BOTS", ":".join(map(str, folders)))
    assert resolve_bot("random").name == "random"
    with pytest.raises(BotError, match=r"two bots are called 'mia': .*/mia and .*/twin; give the folder of one"):
        resolve_bot("mia")
    assert resolve_bot(str(folders[1])).directory == folders[1]


def test_the_error_for_an_unknown_bot_lists_the_known_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BALLCOURT_BOTS", str(bot_folder(tmp_path)))
    with pytest.raises(BotError, match=r"there is no bot 'nobody'; known bots: .*mia.*; the path of a folder"):
        resolve_bot("nobody")


def test_the_bots_of_the_environment_are_not_built_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BALLCOURT_BOTS", str(bot_folder(tmp_path)))
    assert {"random", "greedy"} <= built_in_names()
    assert "mia" not in built_in_names()
