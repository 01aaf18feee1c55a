"""How a bot introduces itself, and where the values come from."""

from pathlib import Path

import pytest

from ballcourt import Bot
from ballcourt.arena.bots.bot import load_bot
from ballcourt.bots.sdk.python.main import introduce

NUMBERS = {"depth": 9, "width": 9, "trust": 9.5}
FILE = 'name = "from-file"\nversion = "3"\nauthor = "A"\nurl = "u"\ncommand = ["x"]\ngames = ["bluff"]\n'


def test_attributes_missing_from_the_class_come_from_bot_toml(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(FILE)
    bot = Bot()
    bot.version = "4"
    introduce(bot, tmp_path)
    assert (bot.name, bot.version, bot.author, bot.url, bot.games) == ("from-file", "4", "A", "u", ("bluff",))


def test_a_byte_order_mark_is_no_part_of_bot_toml(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(b"\xef\xbb\xbf" + FILE.encode())
    bot = Bot()
    introduce(bot, tmp_path)
    assert bot.name == "from-file"


def test_what_the_arena_says_counts_wherever_the_program_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.toml").write_text("= not TOML")
    declared = load_bot(copied_bot(tmp_path / "outer"))
    for name, value in declared.identity().items():
        monkeypatch.setenv(name, value)
    bot = Bot()
    introduce(bot, tmp_path)
    assert (bot.name, bot.version, bot.author, bot.games) == ("outer", "7", "Ann", ("maya",))


def copied_bot(folder: Path) -> Path:
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "outer"\nversion = "7"\nauthor = "Ann"\ngames = ["maya"]\ncommand = ["{python}", "-m", "app.main"]\n'
    )
    return folder


def test_without_bot_toml_the_bot_is_named_after_its_folder(tmp_path: Path) -> None:
    bot = Bot()
    introduce(bot, tmp_path / "mine")
    assert (bot.name, bot.version, bot.games) == ("mine", "", ())


def test_parameters_come_from_the_file_and_then_from_the_arena(tmp_path: Path) -> None:
    tables = "".join(f"[parameters.{name}]\ndefault = 2\nleast = 1\nmost = {most}\n" for name, most in NUMBERS.items())
    (tmp_path / "bot.toml").write_text(FILE + tables)
    bot = Bot()
    introduce(bot, tmp_path, {"depth": 3})
    assert repr(bot.parameters) == "{'depth': 3, 'width': 2, 'trust': 2.0}"
