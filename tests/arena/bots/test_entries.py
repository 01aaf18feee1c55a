"""Entrants, resolved from the names that people type."""

from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import BotError
from ballcourt.arena.bots.entries import remote_entry, resolve_entry, split_label
from tests.arena.bots.test_bot import bot_folder


def test_a_bot_is_entered_under_its_own_name(tmp_path: Path) -> None:
    entry = resolve_entry(str(bot_folder(tmp_path)))
    assert entry.bot
    assert entry.entrant == entry.bot.entrant
    assert (entry.entrant.bot.name, entry.entrant.own_name) == ("mia", "")


def test_a_label_is_the_name_of_a_copy(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path)
    entry, plain = resolve_entry(f"twin={folder}"), resolve_entry(str(folder))
    assert entry.bot == plain.bot
    assert (entry.entrant.bot.name, entry.entrant.own_name) == ("twin", "mia")
    assert entry.entrant.bot.content_hash == plain.entrant.bot.content_hash


@pytest.mark.parametrize("path", ["./odd=folder", "/home/a=b/bot", "../a=b"])
def test_an_equals_sign_in_a_path_does_not_start_a_label(path: str) -> None:
    assert split_label(path) == ("", path)


@pytest.mark.parametrize("written", ["=greedy", "twin="])
def test_an_incomplete_label_is_refused(written: str) -> None:
    with pytest.raises(BotError, match="is not LABEL=BOT; give both, such as twin=greedy"):
        split_label(written)


def test_a_remote_bot_has_neither_files_here_nor_a_label() -> None:
    entry = remote_entry("mia", "1", "alice")
    assert entry.bot is None
    assert entry.entrant.remote
    with pytest.raises(BotError, match="only `ballcourt host` can play with it"):
        resolve_entry("remote:mia")
    with pytest.raises(BotError, match=r"gives a label to a remote bot, .*; drop 'twin='"):
        resolve_entry("twin=remote:mia")
