"""Tests that CI does not repeat as an ordinary user are those for which the user makes no difference."""

import re
from pathlib import Path

import pytest

from tests.arena.users import ARENA, FOR_ANY_USER

RIGHTS = re.compile(r"\b(tier_[12]|need_sandbox|need_gvisor|gete?[ug]id|chmod|launcher: Talk)\b|--sandbox")
"""Words of tests whose result may depend on who runs them."""


def files(path: str) -> list[Path]:
    """The tests at a path below tests/arena, which may be a folder."""
    place = ARENA / path
    return [place] if place.is_file() else [*place.rglob("*.py")]


@pytest.mark.parametrize("path", FOR_ANY_USER)
def test_what_an_ordinary_user_leaves_out_exists_and_asks_for_no_rights(path: str) -> None:
    assert files(path)
    assert [file.name for file in files(path) if RIGHTS.search(file.read_text(encoding="utf-8"))] == []


def test_the_words_are_found_where_rights_matter() -> None:
    assert all(RIGHTS.search((ARENA / name).read_text()) for name in ("test_confinement.py", "cli/test_sandbox.py"))
