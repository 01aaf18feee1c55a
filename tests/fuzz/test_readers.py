"""Every file that a command reads, with wrong values of every kind: it is read or explained, within limits."""

import contextlib
import json
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

from ballcourt.arena.records.store import framed, serialised
from ballcourt.arena.tournament.decisions.trail import TRAIL
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.folder.placing import PLACING
from ballcourt.arena.tournament.organiser.signed_bundle import INDEX, SIGNATURE, TABLE
from ballcourt.arena.tournament.organiser.signing import sign
from ballcourt.engine.core import WrongInput
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.in_process import playing_in_process
from tests.fuzz import changes
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


@dataclass(frozen=True)
class Reader:
    """A file, the damage that is done to it, and what reads it, one of which is tried: commands and functions."""

    file: str
    damage: Damage
    uses: tuple[str | Callable[[], None], ...]
    what: str = ""

    def use(self, use: str | Callable[[], None], place: Path, *, limited: bool = True) -> None:
        """Read the file in a folder."""
        if isinstance(use, str):
            told(*use.replace("FILE", self.file).split(), within=place, limited=limited)
            return
        with contextlib.chdir(place), within_limits() if limited else contextlib.nullcontext():
            use()


def records(data: bytes) -> st.SearchStrategy[bytes]:
    """Damage a match record; a stranger can compute a checksum."""
    record = MatchRecord.FromString(data[len(framed(b"")) :])
    contents = damaged(serialised(record)) | distorted(record).map(serialised)
    return damaged(data) | contents.map(framed)


def member(name: str, damage: Damage) -> Damage:
    """Return damage to a member of a bundle whose author then signs it."""

    def damage_of(data: bytes) -> st.SearchStrategy[bytes]:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            found = {each: archive.read(each) for each in archive.namelist()}
        return damage(found[name]).map(lambda changed: signed({**found, name: changed}))

    return damage_of


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
            with copied(place) as copy:
                reader.use(use, copy, limited=False)
        yield place


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: f"{reader.file} {reader.what}".strip())
@tried(5)
@given(data=st.data())
def test_a_file_with_wrong_values_is_read_or_explained(pristine: Path, reader: Reader, data: st.DataObject) -> None:
    with copied(pristine) as place:
        (place / reader.file).write_bytes(data.draw(reader.damage((pristine / reader.file).read_bytes())))
        reader.use(data.draw(st.sampled_from(reader.uses)), place)
