"""The guide to adding a game is correct."""

import re
from pathlib import Path

import pytest

from ballcourt.engine.games import maya

GUIDE = (Path(__file__).parents[1] / "docs/pages/how-to/add-a-game.md").read_text(encoding="utf-8")


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    exec(example, {})
    assert "the match is over" in capsys.readouterr().out


def test_every_file_in_the_list_is_one_of_maya() -> None:
    named = re.findall(r"^\| `(\w+\.(?:py|md))`", GUIDE, re.MULTILINE)
    assert len(named) > 8
    assert [name for name in named if not (Path(maya.__file__).parent / name).exists()] == []
