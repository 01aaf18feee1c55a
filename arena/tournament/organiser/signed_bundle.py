"""Signed bundles: the records of an event that is over, and all that others need to check and repeat it.

A bundle is a ZIP archive. `bundle.json` names its files with their SHA-256 and reveals the seed; `bundle.sig` has the
public key and the signature of `bundle.json`. The others are the manifest, the organiser's decisions, the table, the
placing by the rules of the format, if it has any, a tournament file that plays the event again, and the records.
"""

import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import IO, Final, NotRequired, TypedDict

from ballcourt.arena.files import MOST_JSON, MOST_TOML, in_place_of, open_regular, parse_json, read_regular
from ballcourt.arena.match.spec import ARENA
from ballcourt.arena.naming import key_objection
from ballcourt.arena.records.store import MOST_BYTES, SUFFIX
from ballcourt.arena.tournament.decisions.trail import TRAIL
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.folder.manifest import RERUN_FILE
from ballcourt.arena.tournament.folder.output import RECORDS, record_files
from ballcourt.arena.tournament.folder.placing import PLACING
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.organiser.signing import is_signed, read_key, sign
from ballcourt.engine.core import WrongInput
from ballcourt.engine.core.messages.schema import objection

FORMAT: Final = "ballcourt-bundle-1"
INDEX: Final = "bundle.json"
SIGNATURE: Final = "bundle.sig"
TABLE: Final = "table.json"
MOST_FILES: Final = 1_000_000
MOST_GROWTH: Final = 100
"""A bundle holds at most this times its own size: records shrink to a third, bombs to a thousandth."""
MOST_TABLE: Final = 256 << 20
"""The largest table or placing of a bundle."""
MOST_TRAIL: Final = 1 << 23
"""The largest trail of the organiser's decisions in a bundle."""
MOST_LISTED: Final = 256
"""Bytes of the index for each file that it names."""
MOST_HEAD: Final = 4096
"""Bytes of the rest of the index, and of the signature."""

_PLAIN: Final = frozenset((INDEX, SIGNATURE, MANIFEST, TRAIL, TABLE, PLACING, RERUN_FILE))
_SYMLINK: Final = 0o120000
_KIND: Final = 0o170000


class BundleError(WrongInput):
    """A file is not a bundle, or not one that is safe to open; the sentence says why."""


class _Signed(TypedDict):
    """The index as JSON."""

    format: str
    arena: NotRequired[str]
    written: NotRequired[str]
    commitment: str
    seed: str
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class Index:
    """What is signed."""

    commitment: str
    """To the seed, as it was printed before play; empty if the seed was typed, so that it was known."""
    opening: str
    """Seed and salt, or the typed seed."""
    files: Mapping[str, str]
    """The SHA-256 of each file, hexadecimal."""
    signer: str
    """The public key, hexadecimal."""
    is_signed: bool
    """Whether the signature is valid for these contents and this signer."""


def write_bundle(folder: Path, kept: Plan, files: Mapping[str, bytes], key: Path, output: Path) -> str:
    """Write the bundle of the event in a folder; `files` are its table and tournament file. Return the public key.

    Raises SigningError for a wrong key, BundleError for too many records, and OSError.
    """
    private = read_key(key)
    assert kept.seed, "the signer can read the seed"
    content = dict(files)
    for name in (MANIFEST, TRAIL):
        if (folder / name).exists():
            content[name] = read_regular(folder / name, MOST_TABLE)
    digests = {name: _digest(data) for name, data in content.items()}
    records = {f"{RECORDS}/{file.name}": file for file in record_files(folder)}
    if len(records) + len(content) + 2 > MOST_FILES:
        raise BundleError(f"{folder} has {len(records)} records; a bundle has at most {MOST_FILES} files")
    digests |= {name: _digest(read_regular(file, MOST_BYTES)) for name, file in records.items()}
    index = {
        "format": FORMAT,
        "arena": ARENA,
        "written": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "commitment": kept.seed.commitment if kept.seed.is_secret else "",
        "seed": kept.seed.opening if kept.seed.is_secret else str(kept.seed.number),
        "files": digests,
    }
    data = json.dumps(index, indent=1).encode()
    public, signature = sign(data, private)
    with in_place_of(output) as new, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(INDEX, data)
        archive.writestr(SIGNATURE, f"{public}\n{signature}\n")
        for name, plain in content.items():
            archive.writestr(name, plain)
        for name, file in records.items():
            archive.writestr(name, read_regular(file, MOST_BYTES))
    return public


def unpack(bundle: Path, folder: Path) -> Index:
    """Write the files of a bundle into an empty folder; return what is signed.

    The hashes of the files are not compared yet. Raises BundleError for anything that is not a bundle or not safe, and
    SigningError if signatures cannot be checked here.
    """
    try:
        with open_regular(bundle) as file, zipfile.ZipFile(file) as archive:
            _check_members(bundle, archive)
            _extract(bundle, archive, folder)
    except BundleError:
        raise
    except OSError as error:
        raise BundleError(f"cannot read {bundle}: {error.strerror or error}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BundleError(f"{bundle} is not a bundle: {error}") from error
    return _index(bundle, folder)


def differing(folder: Path, index: Index) -> list[str]:
    """Return the names of files that were changed since they were signed, are missing, or were never signed."""
    names = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()} - {INDEX, SIGNATURE}
    return sorted(
        name
        for name in names | index.files.keys()
        if name not in names or index.files.get(name) != _digest((folder / name).read_bytes())
    )


def _check_members(bundle: Path, archive: zipfile.ZipFile) -> None:
    """Refuse names, links and kinds of members that no bundle has."""
    members = archive.infolist()
    if len(members) > MOST_FILES:
        raise BundleError(f"{bundle} has {len(members)} files; a bundle has at most {MOST_FILES}")
    seen: set[str] = set()
    for member in members:
        name = member.filename
        if name not in _PLAIN and not _is_record(name):
            raise BundleError(f"{bundle} holds {name[:200]!r}, which no bundle does")
        if member.external_attr >> 16 & _KIND == _SYMLINK:
            raise BundleError(f"{bundle} holds a link, {name}, which no bundle does")
        if name in seen:
            raise BundleError(f"{bundle} holds {name} twice")
        seen.add(name)
    for name in (INDEX, SIGNATURE, MANIFEST, TABLE):
        if name not in seen:
            raise BundleError(f"{bundle} is not a bundle: it lacks {name}")


def _is_record(name: str) -> bool:
    key = name.removeprefix(f"{RECORDS}/").removesuffix(SUFFIX)
    return name == f"{RECORDS}/{key}{SUFFIX}" and not key_objection(key)


def _extract(bundle: Path, archive: zipfile.ZipFile, folder: Path) -> None:
    """Extract all members, whose names have been checked.

    Raises BundleError if they unpack to more than a bundle of this size can hold.
    """
    left = MOST_GROWTH * bundle.stat().st_size
    bounds = {INDEX: MOST_HEAD + MOST_LISTED * len(archive.infolist()), SIGNATURE: MOST_HEAD, MANIFEST: MOST_TOML}
    bounds |= {RERUN_FILE: 2 * MOST_TOML, TRAIL: MOST_TRAIL, TABLE: MOST_TABLE, PLACING: MOST_TABLE}
    (folder / RECORDS).mkdir()
    for member in archive.infolist():
        most = min(left, bounds.get(member.filename, MOST_BYTES))
        with archive.open(member) as packed, (folder / member.filename).open("xb") as plain:
            left -= _copy(packed, plain, most, f"{bundle}: {member.filename}")


def _copy(packed: IO[bytes], plain: IO[bytes], most: int, what: str) -> int:
    """Copy a member, and return its size. Raises BundleError if it is larger than `most` bytes."""
    size = 0
    while data := packed.read(1 << 16):
        size += len(data)
        if size > most:
            raise BundleError(f"{what} is larger than a bundle of this size can hold")
        plain.write(data)
    return size


def _index(bundle: Path, folder: Path) -> Index:
    data = (folder / INDEX).read_bytes()
    try:
        public, signature = (folder / SIGNATURE).read_text("ascii").split()
        values = parse_json(data, max(MOST_JSON, len(data)))  # which the number of files has bounded
        format = str(values["format"])[:40]
        if format != FORMAT:
            raise BundleError(f"{bundle} is a bundle of format {format!r}; this version reads '{FORMAT}'")
        if wrong := objection(values, _Signed):
            raise BundleError(f"{bundle} is damaged: {INDEX}: {wrong}")
    except BundleError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BundleError(f"{bundle} is damaged: its {INDEX} or {SIGNATURE} cannot be read") from error
    return Index(values["commitment"], values["seed"], values["files"], public, is_signed(data, public, signature))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
