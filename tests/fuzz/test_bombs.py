"""Small files whose numbers would make reading them take long, or much memory."""

import json
import zipfile
from contextlib import suppress
from itertools import permutations
from pathlib import Path
from typing import Final

import pytest

from ballcourt.arena.tournament.decisions.changes import MOST_JOINED
from ballcourt.arena.tournament.decisions.trail import TRAIL
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.tables import MOST_ENTRANTS
from ballcourt.arena.tournament.folder.manifest import FolderError, kept_plan
from ballcourt.arena.tournament.folder.placing import PLACING
from ballcourt.arena.tournament.organiser.signed_bundle import INDEX, SIGNATURE, TABLE, BundleError, unpack
from ballcourt.arena.tournament.schedules.formats import schedule_of
from ballcourt.arena.tournament.schedules.schedule import Design, Field, FormatOptions, Length
from ballcourt.cli.verify import still_missing
from ballcourt.engine.core import WrongInput
from tests.fuzz.limits import within_limits

MOST_SEATS: Final = 64
"""What a file may name."""


def manifest(folder: Path, entrants: int, seats: int, **values: str) -> Path:
    """Write a manifest with this number of entrants; return its folder."""
    table = {
        "game": "bluff", "seats": seats, "rules_version": "1", "length": "1000000 rounds", "blocks": 10**18,
        "format": "balanced", "seed": 1,
    } | values  # fmt: skip
    listed = (f'"e{number} 1" = ""' for number in range(entrants))
    text = "\n".join((*(f"{key} = {json.dumps(value)}" for key, value in table.items()), "[entrants]", *listed))
    (folder / MANIFEST).write_text(text)
    return folder


def joining(folder: Path, number: int) -> None:
    """Write a trail in which this number of entrants join."""
    lines: list[object] = []
    for one in range(1, number + 1):
        about = {"bot": f"j{one} 1", "table": {"path": "x"}, "content_hash": "", "owner": ""}
        lines += [
            {"action": "add", "who": "", "reason": "", "time": "", **about},
            {"action": "apply", "decision": one, "block": one},
        ]
    (folder / TRAIL).write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize("format", ["round-robin", "balanced", "adaptive", "swiss", "comparison", "single-elimination"])
@pytest.mark.parametrize(
    ("entrants", "seats"), [(MOST_SEATS, MOST_SEATS), (MOST_SEATS, 63), (12, 12), (MOST_ENTRANTS, 2)]
)
def test_the_schedule_of_any_field_is_begun_or_refused_at_once(
    tmp_path: Path, format: str, entrants: int, seats: int
) -> None:
    folder = manifest(tmp_path, entrants, seats, format=format)
    with suppress(WrongInput), within_limits():
        kept = kept_plan(folder)
        assert kept
        assert still_missing(kept, []) == "b000000-r0"


def test_an_event_of_too_many_entrants_is_refused(tmp_path: Path) -> None:
    with within_limits(), pytest.raises(FolderError, match=f"entrants .*{MOST_ENTRANTS}"):
        kept_plan(manifest(tmp_path, 20 * MOST_ENTRANTS, 2))


def test_a_trail_in_which_too_many_join_is_refused(tmp_path: Path) -> None:
    joining(manifest(tmp_path, 4, 2), 2 * MOST_JOINED)
    with within_limits(), pytest.raises(WrongInput, match=f"more than {MOST_JOINED} entrants have joined"):
        kept_plan(tmp_path)


def test_a_set_up_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    setup = '\n[[setup]]\ngame = "bluff"\nseats = 2\nrules_version = "1"'
    file = manifest(tmp_path, 4, 2) / MANIFEST
    file.write_text(file.read_text() + 2 * setup)
    with pytest.raises(FolderError, match="it has a set-up twice"):
        kept_plan(tmp_path)


def test_leftovers_of_a_swiss_round_find_their_tables_at_once() -> None:
    smaller = tuple(range(1, 12))
    design = Design("swiss", Length("rounds", 1), FormatOptions(), (MOST_SEATS, *range(2, 13)), (smaller, *((),) * 11))
    with within_limits():
        blocks = schedule_of(design, Field(2 * MOST_SEATS - 1, MOST_SEATS)).stage(())
        assert any(block.setup == 0 for block in blocks)


def test_a_round_robin_seats_each_group_in_all_orders() -> None:
    schedule = schedule_of(Design("round-robin", Length("rounds", 6), FormatOptions()), Field(4, 4))
    found = [block.tables[0] for block in schedule.stage(())]
    assert found == [(0, *order) for order in permutations((1, 2, 3))]


@pytest.mark.parametrize(
    ("name", "size"), [(INDEX, 1 << 20), (SIGNATURE, 1 << 20), (MANIFEST, 2 << 20), (TRAIL, 17 << 20)]
)
def test_a_member_of_a_bundle_that_is_too_large_is_refused(tmp_path: Path, name: str, size: int) -> None:
    members = {INDEX: b"{}", SIGNATURE: b"", MANIFEST: b"", TABLE: b"{}", PLACING: b"noise" * 100_000}
    members[name] = b" " * size
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for each, data in members.items():
            archive.writestr(each, data)
    (tmp_path / "out").mkdir()
    with within_limits(), pytest.raises(BundleError, match=rf"{name} is larger than a bundle of this size can hold"):
        unpack(tmp_path / "x.zip", tmp_path / "out")
