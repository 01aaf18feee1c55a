"""The pages about bots are correct: their examples work, and every bot is in the table."""

import re
import sys
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.files import PACKAGE
from ballcourt.bots.example.bot import ExampleBot

PAGES = PACKAGE / "docs"


def block(language: str, page: str) -> str:
    """The only fenced block of a language on a page."""
    text = (PAGES / page).read_text(encoding="utf-8")
    (only,) = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return str(only)


def test_the_bot_toml_with_every_key_is_accepted(tmp_path: Path) -> None:
    ours = f"{sys.version_info.major}.{sys.version_info.minor}"  # that of the page may be missing here
    text = block("toml", "reference/bot-toml.md").replace('"3.12"', f'"{ours}"')
    (tmp_path / "bot.toml").write_text(text, encoding="utf-8")
    (tmp_path / "requirements.txt").touch()
    assert load_bot(tmp_path).games == ("tzolkin",)


def test_a_match_in_one_process_runs_as_shown(capsys: pytest.CaptureFixture[str]) -> None:
    exec(block("python", "how-to/check.md"), {"Mine": ExampleBot})
    assert re.fullmatch(r"\[-?\d+\.\d+, -?\d+\.\d+\]\n", capsys.readouterr().out)


def test_every_bot_is_in_the_table() -> None:
    table = (PAGES / "reference/bots.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([\w-]+) \|", table, re.MULTILINE)
    assert sorted(rows) == sorted(
        (file.parent.name, load_bot(file).name) for file in (PACKAGE / "bots").glob("*/bot.toml")
    )
