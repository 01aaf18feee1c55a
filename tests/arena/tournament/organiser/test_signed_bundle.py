"""Signed bundles: what they hold, and that hostile ones are refused before anything is written outside."""

import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.event.reading import read_event
from ballcourt.arena.tournament.folder.manifest import RERUN_FILE, kept_plan
from ballcourt.arena.tournament.organiser import signed_bundle
from ballcourt.arena.tournament.organiser.signed_bundle import (
    INDEX,
    SIGNATURE,
    TABLE,
    BundleError,
    differing,
    unpack,
    write_bundle,
)
from ballcourt.arena.tournament.organiser.signing import SMALL_ORDER, SigningError, is_signed, read_key, sign, write_key
from tests.arena.tournament.conftest import write_bot
from tests.arena.tournament.in_process import play_all


@pytest.fixture
def key(tmp_path: Path) -> Path:
    write_key(tmp_path / "key")
    return tmp_path / "key"


@pytest.fixture
def bundle(tmp_path: Path, key: Path) -> Path:
    bots = tuple(write_bot(tmp_path / name, name) for name in ("ann", "bob"))
    play_all(tmp_path / "out", Event().replaced(game="bluff", bots=bots, seats=2))
    kept = kept_plan(tmp_path / "out")
    assert kept
    write_bundle(tmp_path / "out", kept, {TABLE: b"[]", RERUN_FILE: b""}, key, tmp_path / "cup.zip")
    return tmp_path / "cup.zip"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "unpacked").mkdir()
    return tmp_path / "unpacked"


def test_a_bundle_has_all_records_and_reveals_the_seed(bundle: Path, folder: Path, tmp_path: Path) -> None:
    index = unpack(bundle, folder)
    assert index.is_signed
    assert differing(folder, index) == []
    assert index.opening == (tmp_path / "out" / "seed").read_text().strip()
    assert index.commitment in (folder / MANIFEST).read_text()
    records = {file.name: file.read_bytes() for file in (folder / "records").iterdir()}
    assert records == {file.name: file.read_bytes() for file in (tmp_path / "out" / "records").iterdir()}


def test_changed_missing_and_added_files_are_named(bundle: Path, folder: Path) -> None:
    index = unpack(bundle, folder)
    (folder / "records" / "b000000-r0.match").write_bytes(b"")
    (folder / "records" / "b000000-r1.match").unlink()
    (folder / "records" / "b000009-r0.match").write_bytes(b"")
    assert differing(folder, index) == [f"records/b00000{key}.match" for key in ("0-r0", "0-r1", "9-r0")]


def with_member(bundle: Path, name: str | zipfile.ZipInfo, data: bytes = b"x") -> None:
    with zipfile.ZipFile(bundle, "a") as archive:
        archive.writestr(name, data, zipfile.ZIP_DEFLATED)


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    return info


def without(name: str) -> Callable[[Path], None]:
    def remove(bundle: Path) -> None:
        with zipfile.ZipFile(bundle) as archive:
            kept = {member: archive.read(member) for member in archive.namelist() if member != name}
        with zipfile.ZipFile(bundle, "w") as archive:
            for member, data in kept.items():
                archive.writestr(member, data)

    return remove


def replaced(name: str, data: bytes) -> Callable[[Path], None]:
    def replace(bundle: Path) -> None:
        without(name)(bundle)
        with_member(bundle, name, data)

    return replace


def encrypted(bundle: Path) -> None:
    data = bytearray(bundle.read_bytes())
    for header, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.index(header) + at
        data[place : place + 2] = struct.pack("<H", 1)
    bundle.write_bytes(data)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda it: with_member(it, "../evil"), r"holds '\.\./evil', which no bundle does"),
        (lambda it: with_member(it, "/etc/evil"), r"holds '/etc/evil'"),
        (lambda it: with_member(it, "records/../../evil.match"), r"holds 'records/\.\./\.\./evil\.match'"),
        (lambda it: with_member(it, "records/a/b.match"), r"holds 'records/a/b\.match'"),
        (lambda it: with_member(it, "records/.match"), r"holds 'records/\.match'"),
        (lambda it: with_member(it, "records/"), r"holds 'records/'"),
        (lambda it: with_member(it, "seed"), r"holds 'seed'"),
        (lambda it: with_member(it, "lock\x1b[31m"), r"holds 'lock\\x1b"),
        (lambda it: with_member(it, link("records/x.match"), b"/etc/passwd"), r"holds a link, records/x\.match"),
        (lambda it: with_member(it, TABLE), r"holds table\.json twice"),
        (lambda it: with_member(it, "records/big.match", bytes(9 << 20)), r"big\.match is larger than a bundle"),
        (replaced(TABLE, bytes(64 << 20)), r"table\.json is larger than a bundle of this size can hold"),
        (without(INDEX), r"is not a bundle: it lacks bundle\.json"),
        (without(MANIFEST), r"it lacks tournament\.toml"),
        (replaced(INDEX, b"{}"), r"is damaged: its bundle\.json or bundle\.sig cannot be read"),
        (replaced(INDEX, b"[" * 4_000), r"is damaged"),
        (replaced(INDEX, b'{"format": "ballcourt-bundle-9"}'), r"of format 'ballcourt-bundle-9'; this version reads"),
        (replaced(SIGNATURE, b"\xff"), r"is damaged"),
        (encrypted, r"is not a bundle: .*encrypted"),
        (lambda it: it.write_bytes(b"no archive"), r"is not a bundle: File is not a zip file"),
        (lambda it: it.write_bytes(it.read_bytes()[:-30]), r"is not a bundle"),
        (lambda it: it.unlink(), r"cannot read .*cup\.zip: No such file"),
    ],
)
def test_hostile_bundles_are_refused_in_one_sentence(
    bundle: Path, folder: Path, tmp_path: Path, spoil: Callable[[Path], None], sentence: str
) -> None:
    spoil(bundle)
    before = {*tmp_path.iterdir()}
    with pytest.raises(BundleError, match=sentence) as refused:
        unpack(bundle, folder)
    assert "\n" not in str(refused.value)
    assert {*tmp_path.iterdir()} == before, "nothing was written outside"


def test_a_bundle_of_too_many_files_is_refused(bundle: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signed_bundle, "MOST_FILES", 3)
    with pytest.raises(BundleError, match="has 7 files; a bundle has at most 3"):
        unpack(bundle, folder)


def test_a_changed_index_is_not_signed(bundle: Path, folder: Path) -> None:
    with zipfile.ZipFile(bundle) as archive:
        index = json.loads(archive.read(INDEX))
    replaced(INDEX, json.dumps(index | {"seed": "1 x"}).encode())(bundle)
    assert not unpack(bundle, folder).is_signed


def test_a_signature_is_of_these_bytes_by_this_key_alone(key: Path, tmp_path: Path) -> None:
    public, signature = sign(b"data", read_key(key))
    other = write_key(tmp_path / "other")
    assert is_signed(b"data", public, signature)
    assert not is_signed(b"date", public, signature)
    assert not is_signed(b"data", other, signature)
    assert not is_signed(b"data", "zz", signature)
    assert key.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("y", sorted(SMALL_ORDER))
def test_a_key_that_lets_signatures_be_made_up_signs_nothing(y: int) -> None:
    made_up = (1).to_bytes(64, "little").hex()  # the neutral point and 0: right for one text in eight or more
    assert not any(is_signed(b"%d" % number, y.to_bytes(32, "little").hex(), made_up) for number in range(100))


def test_wrong_keys_are_refused(key: Path, tmp_path: Path) -> None:
    with pytest.raises(SigningError, match="key exists; name another file, or use the key in it"):
        write_key(key)
    with pytest.raises(SigningError, match=r"cannot write .*No such file or directory"):
        write_key(tmp_path / "no" / "key")
    (tmp_path / "text").write_text("no key")
    with pytest.raises(SigningError, match="text holds no private key; `ballcourt event key` makes one"):
        read_key(tmp_path / "text")
    with pytest.raises(SigningError, match=r"cannot read .*nothing: No such file"):
        read_key(tmp_path / "nothing")


def test_a_bot_table_with_another_hash_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f"[[bot]]\npath = './x'\nhash = '{'0' * 63}'")
    with pytest.raises(Exception, match=r"bot 1: hash is '0+'; it must be 64 hexadecimal digits in lower case"):
        read_event(file)
