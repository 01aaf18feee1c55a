"""The file with what is known about candidates."""

import os
from pathlib import Path

import pytest

from ballcourt.arena.faults import ArenaError
from ballcourt.evaluation import ledger as module
from ballcourt.evaluation.ledger import KeptBlock, Ledger
from ballcourt.evaluation.terms import Place


def test_a_file_that_no_longer_fits_on_the_disk_is_named_and_goes_on_once_there_is_space(tmp_path: Path) -> None:
    file, large = tmp_path / "kept", KeptBlock(0.5, 2, 2, 0, 0, 0, records=os.urandom(100_000))
    kept = Ledger(file)
    kept.add("question", "one", Place("000000", 0), large)
    (pages,) = kept._base.execute("PRAGMA page_count").fetchone()
    kept._base.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(ArenaError, match=rf"{file} cannot be written: the disk is full; make space, and run the same"):
        kept.add("question", "one", Place("000000", 1), large)
    assert [*kept.blocks("question", "one", "000000")] == [0]
    kept.close()
    again = Ledger(file)
    again.add("question", "one", Place("000000", 1), large)
    assert again.blocks("question", "one", "000000") == {0: large, 1: large}
    again.close()


def test_a_file_that_cannot_be_begun_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SCHEMA", ("PRAGMA max_page_count = 1", "CREATE TABLE t AS SELECT zeroblob(100000)"))
    with pytest.raises(ArenaError, match="kept cannot be written: the disk is full"):
        Ledger(tmp_path / "kept")
    assert [*tmp_path.iterdir()] == []
