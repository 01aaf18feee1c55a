"""The examples of bots/README.md work."""

import re
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.files import PACKAGE
from ballcourt.bots.example.bot import ExampleBot

FOLDER = PACKAGE / "bots"
TEXT = (FOLDER / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The only fenced block of a language."""
    (only,) = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return str(only)


def test_the_bot_toml_with_every_key_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(block("toml"), encoding="utf-8")
    assert load_bot(tmp_path).games == ("tzolkin",)


def test_a_match_in_one_process_runs_as_shown(capsys: pytest.CaptureFixture[str]) -> None:
    exec(block("python"), {"Mine": ExampleBot})
    assert re.fullmatch(r"\[-?\d+\.\d+, -?\d+\.\d+\]\n", capsys.readouterr().out)


def test_every_linked_file_exists() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", TEXT)
    assert targets
    assert [target for target in targets if not (FOLDER / target).exists()] == []


def test_every_bot_is_in_the_table() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\w-]+) \|", TEXT, re.MULTILINE)
    assert sorted(rows) == sorted((file.parent.name, load_bot(file).name) for file in FOLDER.glob("*/bot.toml"))
