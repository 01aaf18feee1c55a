"""What notebooks show of records and environments."""

from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from ballcourt.env import Env
from ballcourt.notebook import record_html
from tests.arena.recorded import recorded
from tests.arena.replays.test_page import hostile
from tests.bluff.installed import bluff_installed
from tests.needs import library


@pytest.fixture
def game() -> Iterator[None]:
    with bluff_installed():
        yield


def test_a_record_is_shown_in_a_frame_that_nothing_in_it_leaves(game: None) -> None:
    shown = record_html(hostile(recorded()))
    assert shown.count("<") == 2  # the frame and its end
    assert shown.startswith('<iframe sandbox="allow-scripts allow-downloads" ')
    assert "<!doctype html>" in unescape(shown)


def test_a_record_that_cannot_be_executed_is_shown_by_its_result(game: None) -> None:
    record = recorded()
    record.rules_version = "7"
    shown = record_html(record)
    assert shown.startswith("<pre>bluff, rules 7")
    assert "cannot execute it" in shown


def test_an_environment_shows_the_board_and_whose_turn_it_is(game: None) -> None:
    env = Env("bluff", seats=2)
    env.reset(seed=3)
    assert "Bluff, seed 3; seat 0 decides: 3 actions" in env._repr_html_()
    while not env.done:
        env.step(env.legal[0])
    assert "the match is over" in env._repr_html_()


@pytest.mark.gate
@pytest.mark.slow
def test_a_notebook_shows_records_and_environments(tmp_path: Path) -> None:
    library("ipykernel")
    nbclient, nbformat = library("nbclient"), library("nbformat")
    book = nbformat.v4.new_notebook()
    cells = (
        "from ballcourt import Bot, Env, play_match",
        "class First(Bot):\n    def choose(self, decision):\n        return decision.legal[0]",
        "play_match('maya', [First(), First()], seed=1)",
        "Env('tzolkin')",
    )
    book.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbclient.NotebookClient(book, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    record, env = (cell.outputs[0].data["text/html"] for cell in book.cells[2:])
    assert record.startswith("<iframe sandbox=")
    assert "Tzolk" in env
