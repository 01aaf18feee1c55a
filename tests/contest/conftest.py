"""A contest, and people of it, for its tests."""

from pathlib import Path

import pytest

from ballcourt.contest.people.accounts import Member
from tests.contest.made import Made, made_in


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A contest whose only phase is open."""
    return made_in(tmp_path / "cup")


@pytest.fixture
def ann(made: Made) -> Member:
    """A contestant, alone in her team."""
    return made.person("ann", "reds")


@pytest.fixture
def bob(made: Made) -> Member:
    """A contestant of another team."""
    return made.person("bob", "blues")


@pytest.fixture
def olga(made: Made) -> Member:
    """The organiser."""
    return made.person("olga", organiser=True)
