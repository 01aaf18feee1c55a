"""Which words people and strangers may give."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.arena.bots.bot import BotError, load_bot
from ballcourt.arena.bots.entries import split_label
from ballcourt.arena.bots.starters import StarterError, write_bot
from ballcourt.arena.naming import command_objection, line_objection, name_objection, version_objection
from ballcourt.arena.printable import printable
from ballcourt.arena.remote.tokens import TokenError, TokenFile
from ballcourt.arena.tournament.event.model import SettingsError
from ballcourt.arena.tournament.event.reading import parse_event

UNFIT = ["", "x\x7f", "\x1b[31mred", "a b", "a\nb", "-x", "../x", "=1+1", "\u202egnp", "x" * 41, "x\udc80", "naïve"]


@pytest.mark.parametrize("name", UNFIT)
def test_an_unfit_name_is_refused_wherever_a_bot_is_named(name: str, tmp_path: Path) -> None:
    assert name_objection(name)
    with pytest.raises(TokenError):
        TokenFile(tmp_path / "tokens.json").new(name, "owner")
    with pytest.raises(TokenError):
        TokenFile(tmp_path / "tokens.json").new("bot", name)
    if "/" not in name:
        with pytest.raises(BotError):
            split_label(f"{name}=greedy")
        with pytest.raises(StarterError):
            write_bot(tmp_path / (name or "."), "python") if name else write_bot(Path(), "python")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a", "7up", "mine-v2.1_b", "x" * 40])
def test_a_fit_name_is_accepted(name: str, tmp_path: Path) -> None:
    assert not name_objection(name)
    TokenFile(tmp_path / "tokens.json").new(name, name)
    write_bot(tmp_path / name, "python")
    assert load_bot(tmp_path / name).name == name
    assert split_label(f"{name}=greedy") == (name, "greedy")


@pytest.mark.parametrize("version", ["1", "2.0.0-rc.1+build_7", "2026-11-22"])
def test_a_fit_version_is_accepted(version: str) -> None:
    assert not version_objection(version)


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        (r'name = "x\u007f"', "name is"),
        (r'name = "bad name!"', "name is"),
        (r'version = "\u001b[2J"', "version is"),
        (f'version = "{"9" * 200}"', "version is"),
        (r'author = "\u202etxt"', "author is"),
        (f'url = "https://{"x" * 300}"', "url is"),
        (r'games = ["a\nb"]', "games is"),
        (f"games = {['g'] * 65}", "games is .*; it must have at most 64 entries, and has 65"),
        (r'command = ["x\u0007"]', "command is"),
        (f'command = ["{"x" * 20_000}"]', "command is"),
        (r'directory = "a\u0001"', "directory is"),
    ],
)
def test_bot_toml_with_unfit_words_is_refused_in_one_short_sentence(entry: str, named: str, tmp_path: Path) -> None:
    written = {"name": 'name = "mia"', "version": 'version = "1"', "command": 'command = ["x"]'}
    written[entry.split()[0]] = entry
    (tmp_path / "bot.toml").write_text("\n".join(written.values()))
    with pytest.raises(BotError, match=named) as refused:
        load_bot(tmp_path)
    assert len(str(refused.value)) < 600
    assert printable(str(refused.value)) == str(refused.value)


def test_a_command_may_be_a_program_of_several_lines() -> None:
    assert not command_objection(["python", "-c", "import os\n\tprint(1)"])


@pytest.mark.parametrize("value", ["\x1b[2J", "x" * 1000])
def test_an_option_with_an_unfit_value_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="it must be at most 200 characters"):
        parse_event({"options": {"mode": value}}, "cup.toml", Path())


@pytest.mark.parametrize("check", [name_objection, version_objection, line_objection])
@given(text=st.text(st.characters(codec=None)))
def test_a_word_without_objection_is_one_visible_line(check: Callable[[str], str], text: str) -> None:
    if not check(text):
        assert printable(text) == text
