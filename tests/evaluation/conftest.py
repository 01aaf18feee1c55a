"""A folder with honest bots, and an evaluator of them that plays in this process."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ballcourt import Evaluator
from tests.arena.conftest import bluff_is_installed, in_process
from tests.cli.conftest import place

__all__ = ["bluff_is_installed", "in_process", "place"]

Opened = Callable[..., Evaluator]


@pytest.fixture
def opened(place: Path, in_process: None) -> Iterator[Opened]:
    """Return what opens an evaluator of Bluff for two, against a bot that plays at random."""
    with ExitStack() as stack:

        def opened(**settings: object) -> Evaluator:
            given = {"opponents": "./any", "seats": 2, "sandbox": 0, "workers": 1, "seed": 7, **settings}
            return stack.enter_context(Evaluator("bluff", **given))  # type: ignore[arg-type]

        yield opened
