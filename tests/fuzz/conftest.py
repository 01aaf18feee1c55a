"""Installs the game `bluff` for the fuzz tests."""

from collections.abc import Iterator

import pytest

from tests.bluff.installed import bluff_installed


@pytest.fixture(scope="module", autouse=True)
def bluff_is_installed() -> Iterator[None]:
    with bluff_installed():
        yield
