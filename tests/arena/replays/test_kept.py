"""Views kept beside a record: they are what its rules showed, by any version, and hide what the rules hid."""

import lzma
from pathlib import Path

import pytest

from ballcourt.arena.records.store import RecordError, checksum, read_record, write_record
from ballcourt.arena.replays.document import document, observers
from ballcourt.arena.replays.kept import SUFFIX, Replay, keep
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.recorded import recorded
from tests.arena.replays.matches import played
from tests.arena.replays.test_document import copied


def kept(folder: Path, record: MatchRecord) -> Path:
    file = write_record(folder, record)
    keep(record, file)
    return file


def test_a_match_is_shown_after_its_rules_changed_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = recorded()
    file = kept(tmp_path, record)
    before = Replay(record, file)
    documents, scenes = before.documents(), [before.scene(5, observer) for observer in observers(record)]
    monkeypatch.setattr(find_game("bluff"), "rules_version", "2")
    after = Replay(read_record(file), file)
    assert "rules version 1 of bluff; installed is 2" in after.why_kept
    assert after.documents() == documents
    assert [after.scene(5, observer) for observer in observers(record)] == scenes


@pytest.mark.slow
def test_a_long_match_takes_at_most_15_kb(tmp_path: Path) -> None:
    file = kept(tmp_path, played("maya", 4))
    assert file.with_suffix(SUFFIX).stat().st_size < 15_000


def test_a_match_of_a_game_that_is_gone_is_shown(tmp_path: Path) -> None:
    original = recorded()
    record = copied(original)
    record.game = "gone"
    file = write_record(tmp_path, record)
    with pytest.raises(RecordError, match="cannot be executed here"):
        Replay(record, file)
    keep(original, file)
    rewritten(file, checksum(original), checksum(record))
    assert Replay(record, file).document(1)["steps"] == document(original, 1)["steps"]


def rewritten(file: Path, old: str, new: str) -> None:
    """Replace words in what is kept beside a record."""
    path = file.with_suffix(SUFFIX)
    text = lzma.decompress(path.read_bytes()).decode()
    assert old in text
    path.write_bytes(lzma.compress(text.replace(old, new).encode()))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("ballcourt-views-1", "ballcourt-views-9", "is not a Ballcourt file: format must be 'ballcourt-views-1'"),
        ('"round"', '"rouns"', "is not a Ballcourt file: first lacks round"),
        ('"label": "Bid 1"', '"label": 3', "label must be of the type string"),
        ('"players", 1', '"players", 7', "change what is not there"),
        ('"record": "', '"record": "f', "made from another record than"),
        ("{", "[", "is damaged"),
    ],
)
def test_views_that_others_made_up_are_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, sentence: str
) -> None:
    record = recorded()
    file = kept(tmp_path, record)
    monkeypatch.setattr(find_game("bluff"), "rules_version", "2")
    rewritten(file, old, new)
    with pytest.raises(RecordError, match=sentence):
        Replay(record, file)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is damaged: it is cut short"),
        (b"no xz at all", "is damaged"),
        (lzma.compress(b" " * (1 << 26), preset=0), "is damaged: it unpacks to more than"),
        (lzma.compress(b"[[[[[[[[[[]]]]]]]]]]")[:-20], "is damaged: it is cut short"),
        (lzma.compress(b"[" + b"0," * 400_000 + b"0]"), "is damaged: .* at most 393216 are read"),
    ],
    ids=["empty", "strange", "bomb", "cut", "many"],
)
def test_a_file_that_holds_no_views_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, sentence: str
) -> None:
    record = recorded()
    file = write_record(tmp_path, record)
    file.with_suffix(SUFFIX).write_bytes(content)
    monkeypatch.setattr(find_game("bluff"), "rules_version", "2")
    with pytest.raises(RecordError, match=sentence):
        Replay(record, file)
