"""Every file that a command reads, with wrong values of every kind: it is read or explained, within limits."""

import contextlib
import json
import lzma
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.arena.records.store import framed, read_record, serialised
from ballcourt.arena.replays.beside import MOST_UNPACKED
from ballcourt.arena.replays.judgement import judgement_beside
from ballcourt.arena.replays.kept import kept_views
from ballcourt.arena.tournament.decisions.trail import TRAIL
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.folder.placing import PLACING
from ballcourt.arena.tournament.organiser.signed_bundle import INDEX, SIGNATURE, TABLE
from ballcourt.arena.tournament.organiser.signing import sign
from ballcourt.engine.core import WrongInput
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.in_process import playing_in_process
from tests.fuzz import changes, growth
from tests.fuzz.command import told
from tests.fuzz.damage import damaged, distorted, tried
from tests.fuzz.limits import within_limits
from tests.fuzz.made import TUNE, copied, go_on, make

OF_CUP: Final = (
    "leaderboard cup", "leaderboard cup --rebuild --json", "event log cup", "event log cup --json",
    "event certificate cup", "event certificate cup --json", "event watch cup --once", "event watch cup --once --json",
    "study head-to-head cup", "study history cup low", "study seats cup", "study machines cup", "study teaming cup",
    "serve cup --site site --replays 1", "event withdraw cup low --reason x", "event void cup b000000 --reason x",
    "event lengthen cup --rounds 4 --reason x", "event bundle cup --key key --output new.zip",
    "tournament cup/tournament.toml --plan",
)  # fmt: skip
OF_SWISS: Final = (
    "leaderboard over", "leaderboard over --rebuild --json", "event certificate over", "event watch over --once",
    "serve over --site site", "tournament over/tournament.toml --plan", "event bundle over --key key --output new.zip",
)  # fmt: skip
OF_LADDER: Final = (
    "leaderboard out", "leaderboard out --rebuild --json", "event log out", "event certificate out",
    "event watch out --once", "study machines out", "serve out --site site --replays 1", "study history out a",
    "event withdraw out a --reason x", "event pause out --reason x",
)  # fmt: skip
OF_RECORD: Final = (
    "leaderboard cup --rebuild", "study machines cup", "serve cup --site site --replays 9", "event certificate cup",
    *(f"replay {command}" for command in (
        "show FILE", "show FILE --json", "show FILE --seat 1", "show FILE --seat 1 --at 2", "show FILE --at 1",
        "html FILE --output page.html", "document FILE", "verify FILE", "faults FILE", "faults FILE --json",
        "faults FILE --output bundles",
    )),
    "study report bluff FILE", "study report bluff FILE --json",
)  # fmt: skip
OF_MAYA: Final = ("replay export FILE --output set", "study report maya FILE", "replay show FILE --seat 0")
OF_BUNDLE: Final = ("event verify cup.zip", "event verify cup.zip --json")
OF_TOKENS: Final = (
    "admin token list --tokens FILE", "admin token list --tokens FILE --json",
    "admin token new any --owner zoe --tokens FILE",
)  # fmt: skip
PLANNED: Final = ("tournament cup.toml --plan", "tournament cup.toml --plan --blocks 7 --workers 1")
KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(32))
"""It signs damaged bundles."""

Damage = Callable[[bytes], st.SearchStrategy[bytes]]


PATIENCE_S: Final = 5.0
"""How long a ladder may wait for bots that its file has changed away."""


def ladder_goes_on() -> None:
    """Play two more blocks of the ladder in this folder."""
    with contextlib.suppress(WrongInput):
        go_on(12, PATIENCE_S)


def ladder_begins() -> None:
    """Play the first block of another ladder in this folder."""
    (Path("out") / MANIFEST).unlink()
    (Path("out") / TRAIL).unlink()
    (Path("out") / "stages.jsonl").unlink()
    with contextlib.suppress(WrongInput):
        go_on(1, PATIENCE_S)


Use = str | Callable[[], None]
USUAL_S: Final[dict[Use, float]] = {}
"""How long each use took for good files, in seconds of processor time."""


@dataclass(frozen=True)
class Reader:
    """A file, the damage that is done to it, and what reads it, one of which is tried: commands and functions."""

    file: str
    damage: Damage
    uses: tuple[Use, ...]
    what: str = ""

    def grown(self, data: bytes) -> Iterator[bytes]:
        """Yield what the file is turned into that may take much memory."""
        yield from GROWN[self.damage](data) if self.damage in GROWN else ()

    def use(self, use: Use, place: Path, *, limited: bool = True) -> None:
        """Read the file in a folder."""
        if isinstance(use, str):
            told(*use.replace("FILE", self.file).split(), within=place, limited=limited, usual_s=USUAL_S.get(use, 0.0))
            return
        with contextlib.chdir(place), within_limits(USUAL_S.get(use, 0.0)) if limited else contextlib.nullcontext():
            use()


def records(data: bytes) -> st.SearchStrategy[bytes]:
    """Damage a match record; a stranger can compute a checksum."""
    record = MatchRecord.FromString(data[len(framed(b"")) :])
    contents = damaged(serialised(record)) | distorted(record).map(serialised)
    return damaged(data) | contents.map(framed)


def beside(data: bytes) -> st.SearchStrategy[bytes]:
    """Damage what is kept beside a record."""
    return damaged(data) | changes.document(lzma.decompress(data)).map(lzma.compress)


def grown_beside(data: bytes) -> Iterator[bytes]:
    yield from map(lzma.compress, growth.documents(lzma.decompress(data), MOST_UNPACKED))
    yield lzma.compress(b"[" + b"[]," * (32 << 20) + b"[]]")


def grown_records(data: bytes) -> Iterator[bytes]:
    """Yield records with as many empty entries as fit, which a list of messages has in two or three bytes each."""
    content = data[len(framed(b"")) :]
    for field in MatchRecord.DESCRIPTOR.fields:
        if field.is_repeated and field.message_type:
            key = field.number << 3 | 2
            for entry in ([key, 0], [key | 128, 0, 0]) if key < 128 else ([key & 127 | 128, key >> 7, 0],):
                yield framed(content + bytes(entry) * (((8 << 20) - len(data)) // len(entry)))


def member(name: str, damage: Damage) -> Damage:
    """Return damage to a member of a bundle whose author then signs it."""

    def members(data: bytes) -> dict[str, bytes]:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return {each: archive.read(each) for each in archive.namelist()}

    def damage_of(data: bytes) -> st.SearchStrategy[bytes]:
        found = members(data)
        return damage(found[name]).map(lambda changed: signed({**found, name: changed}))

    def grown(data: bytes) -> Iterator[bytes]:
        found = members(data)
        for changed in GROWN[damage](found[name]):
            yield bytes(1 << 18) + signed({**found, name: changed})  # what is in front lets a bundle hold more

    GROWN[damage_of] = grown
    return damage_of


GROWN: Final[dict[Damage, growth.Growth]] = {
    changes.toml: growth.toml,
    changes.document: growth.documents,
    changes.lines: growth.lines,
    records: grown_records,
    beside: grown_beside,
}


def replayed() -> None:
    """Read the files that accompany the record in this folder: its views and its judgement."""
    file = Path("maya.match")
    with contextlib.suppress(WrongInput):
        kept_views(file, read_record(file))
    with contextlib.suppress(WrongInput):
        judgement_beside(file, read_record(file))


def signed(members: Mapping[str, bytes]) -> bytes:
    """Return a bundle of these members, with an index and a signature that fit them."""
    content = dict(members)
    with contextlib.suppress(ValueError, RecursionError):
        index = json.loads(content[INDEX])
        files = {name: sha256(data).hexdigest() for name, data in content.items() if name not in (INDEX, SIGNATURE)}
        if isinstance(index, dict) and index.get("files"):
            content[INDEX] = json.dumps(index | {"files": files}).encode()
    content[SIGNATURE] = "\n".join(sign(content[INDEX], KEY)).encode()
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as written:
        for name, data in content.items():
            written.writestr(name, data)
    return archive.getvalue()


READERS: Final = (
    Reader("cup.toml", changes.toml, PLANNED),
    Reader("cup/tournament.toml", changes.toml, OF_CUP),
    Reader("cup/decisions.jsonl", changes.lines, OF_CUP),
    Reader("cup/events.jsonl", changes.lines, OF_CUP),
    Reader("cup/seed", damaged, OF_CUP),
    Reader("over/placing.json", changes.document, OF_SWISS),
    Reader("over/tournament.toml", changes.toml, OF_SWISS),
    Reader("cup/records/b000000-r0.match", records, OF_RECORD),
    Reader("maya.match", records, OF_MAYA),
    Reader("maya.views", beside, (replayed,)),
    Reader("maya.judged", beside, (replayed, "study report maya maya.match")),
    Reader("low/bot.toml", changes.toml, PLANNED),
    Reader("ladder.toml", changes.toml, (ladder_begins,)),
    Reader("bots/a/bot.toml", changes.toml, (ladder_begins, ladder_goes_on)),
    Reader("out/tournament.toml", changes.toml, (*OF_LADDER, ladder_goes_on)),
    Reader("out/stages.jsonl", changes.lines, (*OF_LADDER, ladder_goes_on)),
    Reader("out/decisions.jsonl", changes.lines, (*OF_LADDER, ladder_goes_on)),
    Reader("tuned/tuning.sqlite", damaged, (TUNE,)),
    Reader("tokens.json", changes.document, OF_TOKENS),
    Reader("begun.saved", changes.document, ("play --resume FILE",)),
    Reader("cup.zip", damaged, OF_BUNDLE),
    Reader("cup.zip", member(INDEX, changes.document), OF_BUNDLE, "its index"),
    Reader("cup.zip", member(MANIFEST, changes.toml), OF_BUNDLE, "its manifest"),
    Reader("cup.zip", member(TABLE, changes.document), OF_BUNDLE, "its table"),
    Reader("cup.zip", member(PLACING, changes.document), OF_BUNDLE, "its placing"),
    Reader("cup.zip", member(TRAIL, changes.lines), OF_BUNDLE, "its trail"),
    Reader("cup.zip", member("records/b000000-r0.match", records), OF_BUNDLE, "a record of it"),
)


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with everything that commands read, undamaged; each use has been tried, which imports what it needs.

    Matches are played in this process.
    """
    place = tmp_path_factory.mktemp("pristine")
    first = {use: reader for reader in reversed(READERS) for use in reader.uses}
    with playing_in_process():
        make(place)
        for use, reader in first.items():
            for _ in range(2):  # the first one imports
                with copied(place) as copy:
                    begun = time.process_time()
                    reader.use(use, copy, limited=False)
                    USUAL_S[use] = time.process_time() - begun
        yield place


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: f"{reader.file} {reader.what}".strip())
@tried(5)
@given(data=st.data())
def test_a_file_with_wrong_values_is_read_or_explained(pristine: Path, reader: Reader, data: st.DataObject) -> None:
    with copied(pristine) as place:
        (place / reader.file).write_bytes(data.draw(reader.damage((pristine / reader.file).read_bytes())))
        reader.use(data.draw(st.sampled_from(reader.uses)), place)


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: f"{reader.file} {reader.what}".strip())
def test_a_small_file_that_becomes_large_is_read_or_explained(pristine: Path, reader: Reader) -> None:
    for number, grown in enumerate(reader.grown((pristine / reader.file).read_bytes())):
        with copied(pristine) as place:
            (place / reader.file).write_bytes(grown)
            reader.use(reader.uses[number % len(reader.uses)], place)
