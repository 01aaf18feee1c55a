"""The pages whose rows name what shows them, threats, complaints and neighbours: each attack and test is there."""

import re

import pytest

from tests.attacks.classes import ATTACKS
from tests.test_documents import PAGES, ROOT


@pytest.fixture(params=["threats.md", "complaints.md", "neighbours.md"])
def rows(request: pytest.FixtureRequest) -> list[list[str]]:
    """The cells of the rows of a page's tables, without headings."""
    lines = (PAGES / "explanation" / request.param).read_text().splitlines()
    found = [line.strip("| \n").split(" | ") for line in lines if line.startswith("| ")]
    return [row for row in found if row[-1] not in ("shown by", "needs") and not row[0].startswith(("---", "CVE-"))]


def test_what_shows_a_promise_is_an_attack_or_a_test(rows: list[list[str]]) -> None:
    tests = {
        name for file in (ROOT / "tests").rglob("*.py") for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    known = tests | {attack.way for attack in ATTACKS}
    named = [name for row in rows for name in re.findall("`([^`]+)`", row[-1])]
    assert named
    assert [name for name in named if name not in known] == []


def test_each_promise_is_shown(rows: list[list[str]]) -> None:
    assert [row[:2] for row in rows if len(row) != 3 or not re.findall("`([^`]+)`", row[-1])] == []
