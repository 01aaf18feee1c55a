"""Shared by the tests of clusters."""

import pytest

from ballcourt.arena.cluster.orders import Demands
from ballcourt.arena.sandbox.tiers import NO_SANDBOX
from ballcourt.engine.registry import find_game
from tests.needs import library


def pytest_collect_file() -> None:
    """Skip this folder where the extra `cluster` is missing."""
    library("distributed")


@pytest.fixture
def demands() -> Demands:
    """What a tournament of bluff without a sandbox demands of its machines."""
    return Demands((("bluff", find_game("bluff").rules_version),), NO_SANDBOX, seats=2)
