"""The guide to a new game says what is true."""

import re
from pathlib import Path

import pytest

from ballcourt.engine.games import maya

ROOT = Path(__file__).parent.parent.parent
GUIDE = (ROOT / "engine" / "README.md").read_text(encoding="utf-8")


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    exec(example, {})
    assert "the match is over" in capsys.readouterr().out


def test_every_file_in_the_list_is_one_of_maya() -> None:
    named = re.findall(r"^\| `(\w+\.(?:py|md))`", GUIDE, re.MULTILINE)
    assert len(named) > 8
    assert [name for name in named if not (Path(maya.__file__).parent / name).exists()] == []


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", GUIDE)
    assert targets
    assert [target for target in targets if not (ROOT / "engine" / target).exists()] == []
