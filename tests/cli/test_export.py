"""`ballcourt replay export`: records as a dataset, and back."""

import sys
from pathlib import Path

import pytest

from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.store import write_record
from ballcourt.bots.first_legal.bot import FirstLegalBot
from ballcourt.bots.sdk.python.session import Session
from tests.arena.recorded import recorded
from tests.cli.conftest import Refused, Run
from tests.needs import library

library("pyarrow")


@pytest.fixture
def kept(place: Path) -> Path:
    """A folder with the record of a match of Maya."""
    bots = [Session(FirstLegalBot()), Session(FirstLegalBot())]
    return write_record(place / "kept", play_in_process("maya", bots, seed=2)).parent


def test_a_dataset_is_read_back_in_five_lines(run: Run, kept: Path) -> None:
    pd = library("pandas")
    done = run("replay export kept --output set")
    assert (done.exit_code, done.stdout) == (0, "set/maya-1\n"), done.stderr
    decisions = pd.read_parquet("set/maya-1/decisions.parquet")
    good = decisions[(decisions["decided_by"] == "bot") & (decisions["placement"] == 1)]
    assert not good.empty
    assert all(action in legal for action, legal in zip(good["action"], good["legal"], strict=True))


def test_wrong_input_is_one_sentence_and_writes_nothing(refused: Refused, place: Path, kept: Path) -> None:
    write_record(place / "bluffs", recorded())
    for words, sentence in (
        (("nowhere", "--output", "set"), "there is no nowhere; give record files"),
        (("kept", "--output", "kept"), "kept exists; name a folder that does not"),
        (("bluffs", "--output", "set"), "the game bluff declares no features"),
        (("kept", "--output", "low/bot.toml/set"), "low/bot.toml/set cannot be written"),
    ):
        assert sentence in refused("replay", "export", *words)


def test_without_the_extra_a_sentence_says_what_to_install(
    refused: Refused, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "ballcourt.env.dataset", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "run pip install 'ballcourt[data]'" in refused("replay export kept --output set")
