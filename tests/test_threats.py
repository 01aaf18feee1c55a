"""The page "Threats and promises": each promise names attacks and tests that are there."""

import re

from tests.attacks.classes import ATTACKS
from tests.test_documents import PAGES, ROOT

PAGE = PAGES / "explanation" / "threats.md"


def rows() -> list[list[str]]:
    """Return the cells of the rows of the page's tables, without headings."""
    found = [line.strip("| \n").split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    return [row for row in found if row[-1] != "shown by" and not row[0].startswith("---")]


def test_what_shows_a_promise_is_an_attack_or_a_test() -> None:
    tests = {
        name for file in (ROOT / "tests").rglob("*.py") for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    known = tests | {attack.way for attack in ATTACKS}
    named = [name for row in rows() for name in re.findall("`([^`]+)`", row[-1])]
    assert named
    assert [name for name in named if name not in known] == []


def test_each_promise_is_shown() -> None:
    assert [row[:2] for row in rows() if len(row) != 3 or not re.findall("`([^`]+)`", row[-1])] == []
