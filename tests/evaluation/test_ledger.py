"""The file with what is known about candidates."""

import os
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from ballcourt.arena.faults import ArenaError
from ballcourt.evaluation import ledger as module
from ballcourt.evaluation.ledger import KeptBlock, Ledger, LedgerError, packed
from ballcourt.evaluation.terms import Place
from tests.arena.recorded import recorded


def test_a_file_that_no_longer_fits_on_the_disk_is_named_and_goes_on_once_there_is_space(tmp_path: Path) -> None:
    file, large = tmp_path / "kept", KeptBlock(0.5, 2, 2, 0, 0, 0, 0, records=os.urandom(100_000))
    kept = Ledger(file)
    kept.add("question", "one", Place("shared-000000", 0), large)
    (pages,) = kept._base.execute("PRAGMA page_count").fetchone()
    kept._base.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(ArenaError, match=rf"{file} cannot be written: the disk is full; make space, and run the same"):
        kept.add("question", "one", Place("shared-000000", 1), large)
    assert [*kept.blocks("question", "one", "shared-000000")] == [0]
    kept.close()
    again = Ledger(file)
    again.add("question", "one", Place("shared-000000", 1), large)
    assert again.blocks("question", "one", "shared-000000") == {0: large, 1: large}
    again.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [("share", 1.5), ("share", "high"), ("matches", 2.5), ("lost", "x"), ("cpu_us", -1), ("points", b"")],
)
def test_a_value_of_another_type_is_refused_whatever_its_table_says(tmp_path: Path, column: str, value: object) -> None:
    with closing(Ledger(tmp_path / "kept")) as kept:
        kept.add("question", "one", Place("shared-000000", 0), KeptBlock(0.5, 2, 2, 0, 0, 0, 0))
        schema = kept._base.execute("SELECT sql FROM sqlite_master WHERE name = 'block'").fetchone()[0]
        kept._base.execute("ALTER TABLE block RENAME TO before")
        kept._base.execute(schema.replace("INTEGER NOT NULL", "").replace("REAL NOT NULL", "").replace("REAL", ""))
        kept._base.execute("INSERT INTO block SELECT * FROM before")
        kept._base.execute(f"UPDATE block SET {column} = ?", [value])
        with pytest.raises(LedgerError, match=rf"kept is damaged: the {column} of block 0 is .*; name another file"):
            kept.blocks("question", "one", "shared-000000")


def test_a_seed_that_is_no_number_is_refused(tmp_path: Path) -> None:
    with closing(Ledger(tmp_path / "kept")) as kept:
        kept.seed("question")
        kept._base.execute("UPDATE question SET seed = 'many'")
        with pytest.raises(LedgerError, match=r"kept is damaged: a seed is 'many'; name another file"):
            kept.seed("question")


@pytest.mark.parametrize(
    "records", [zlib.compress(bytes(1 << 26)), zlib.compress(bytes(40))[:-1], b"none", packed([])[:3]]
)
def test_records_that_unpack_to_too_much_or_to_none_are_refused(records: bytes) -> None:
    with pytest.raises(LedgerError, match=r"^kept records are damaged: .*; name another file of results$"):
        KeptBlock(0.5, 2, 2, 0, 0, 0, 0, records=records).unpacked()


def test_records_are_kept_whole() -> None:
    records = [recorded("one"), recorded("two", seed=7)]
    assert KeptBlock(0.5, 2, 2, 0, 0, 0, 0, records=packed(records)).unpacked() == records


def test_a_file_that_cannot_be_begun_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SCHEMA", ("PRAGMA max_page_count = 1", "CREATE TABLE t AS SELECT zeroblob(100000)"))
    with pytest.raises(ArenaError, match="kept cannot be written: the disk is full"):
        Ledger(tmp_path / "kept")
    assert [*tmp_path.iterdir()] == []


def test_a_kept_block_counts_unless_a_seat_was_lost_there_under_other_circumstances(tmp_path: Path) -> None:
    def block(share: float, lost: int, circumstances: str = "") -> KeptBlock:
        return KeptBlock(share, 2, 2, lost, 0, 0, 0, circumstances=circumstances)

    with closing(Ledger(tmp_path / "kept")) as kept:

        def added(one: KeptBlock) -> KeptBlock:
            kept.add("question", "one", Place("shared-000000", 0), one)
            return kept.blocks("question", "one", "shared-000000")[0]

        lost = added(block(0.1, 1, "slow"))
        assert added(block(0.2, 1, "slow")) == lost
        assert added(block(0.3, 2, "fast")).share == 0.3
        assert added(block(0.4, 0)).share == 0.4
        assert added(block(0.5, 1, "fast")).share == added(block(0.6, 0, "other")).share == 0.4
