"""Saved matches, as files."""

import json
from pathlib import Path

import pytest

from ballcourt.arena.terminal.saved import SavedError, Setup, read_saved, saved_path, write_saved
from ballcourt.v1.record_pb2 import MatchRecord

SETUP = Setup(
    game="maya",
    bots=("human", "./low"),
    options={"areas": "seeded"},
    said={"clock": {"cap_ms": 5}, "sandbox": {}, "seed": 7},
    turn_s=90,
)


def test_a_match_reads_back_as_it_was_written(tmp_path: Path) -> None:
    path = saved_path(tmp_path, "k")
    record = MatchRecord(key="k", seed=2**64 - 1)
    write_saved(path, SETUP, record)
    assert path.name == "k.saved"
    assert path.stat().st_mode & 0o077 == 0, "the token of its page and the seed are secrets"
    assert read_saved(path) == (SETUP, record)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"format": 3}',
        b"\xff",
        b'{"format": "ballcourt-saved-1", "game": "maya"}',
        b'{"format": "ballcourt-saved-1", "game": 5, "bots": "", "options": {}, "said": {}, "record": ""}',
    ],
)
def test_anything_else_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "k.saved"
    path.write_bytes(content)
    with pytest.raises(SavedError, match=r"k\.saved is not a saved match"):
        read_saved(path)


def test_a_damaged_record_or_a_missing_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "k.saved"
    with pytest.raises(SavedError, match="cannot read"):
        read_saved(path)
    write_saved(path, SETUP, MatchRecord(key="k"))
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, "record": document["record"][:3]}))
    with pytest.raises(SavedError, match="is not a saved match"):
        read_saved(path)
