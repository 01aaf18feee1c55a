"""Bots of events play from copies: what they write, and what their authors change meanwhile, is not their identity."""

from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, BotError, is_copy, load_bot
from ballcourt.arena.bots.entries import Entry
from ballcourt.arena.building.builds import ready_entries
from ballcourt.arena.sandbox.tiers import NO_SANDBOX


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "book").write_text("open")
    (folder / "bot.toml").write_text('name = "mine"\nversion = "1"\ncommand = ["cat"]\nignore = ["*.log"]\n')
    return folder


def ready(folder: Path, *, in_place: bool = False) -> Bot:
    bot = load_bot(folder)
    return ready_entries([Entry(bot.entrant, bot)], NO_SANDBOX, in_place=in_place)[bot.entrant]


def test_a_bot_plays_from_a_copy_that_knows_where_it_is_from(folder: Path, cache: Path) -> None:
    (folder / "old.log").write_text("x")
    bot = ready(folder)
    assert bot.directory == bot.folder == cache / "bots" / bot.content_hash
    assert sorted(path.name for path in bot.folder.iterdir()) == ["bot.toml", "data"]
    assert bot.source == folder
    assert load_bot(bot.folder).content_hash == bot.content_hash == load_bot(folder).content_hash


def test_what_an_earlier_event_left_in_a_copy_is_gone(folder: Path) -> None:
    copy = ready(folder).folder  # nothing keeps the bot, so its lease ends
    (copy / "data" / "book").write_text("changed")
    (copy / "data" / "learned").write_text("x")
    assert is_copy(ready(folder).folder, load_bot(folder).content_hash)


def test_a_copy_that_another_event_needs_is_left_alone(folder: Path) -> None:
    bot = ready(folder)
    (bot.folder / "data" / "learned").write_text("x")
    assert (ready(folder).folder / "data" / "learned").exists()
    assert bot.lease


def test_a_bot_that_needs_more_than_its_folder_plays_in_place(folder: Path) -> None:
    text = (folder / "bot.toml").read_text()
    (folder / "shared").symlink_to("../elsewhere")
    assert ready(folder).folder == folder
    (folder / "shared").unlink()
    (folder / "own").symlink_to("data/book")
    assert ready(folder).folder != folder
    (folder / "bot.toml").write_text(f'{text}directory = ".."\n')
    assert ready(folder).folder == folder
    (folder / ".venv").mkdir()
    (folder / ".venv" / "python").write_text("#!/bin/sh\n")
    (folder / ".venv" / "python").chmod(0o755)
    (folder / "bot.toml").write_text(text.replace('"cat"', '".venv/python"'))
    assert ready(folder).folder == folder


def test_a_match_of_bots_plays_where_their_authors_have_them(folder: Path) -> None:
    assert ready(folder, in_place=True).folder == folder


def test_files_that_change_between_loading_and_copying_are_refused(folder: Path) -> None:
    bot = load_bot(folder)
    (folder / "data" / "book").write_text("changed")
    with pytest.raises(BotError, match="the files of bot mine changed since it was loaded; run the command again"):
        ready_entries([Entry(bot.entrant, bot)], NO_SANDBOX)
