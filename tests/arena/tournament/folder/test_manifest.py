"""Which tournament may be resumed in a folder."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.event.reading import output_folder, read_event
from ballcourt.arena.tournament.event.tables import BotTable, ClockTable
from ballcourt.arena.tournament.folder.manifest import FolderError
from ballcourt.arena.tournament.folder.output import open_folder
from ballcourt.arena.tournament.folder.planning import plan
from tests.arena.tournament.conftest import write_bot


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": 6}, "holds another tournament: its seed is 5, not 6; choose another output folder"),
        ({"options": {"rounds": "1"}}, "its options.rounds is 3, not 1"),
        ({"clock": {"cap_ms": 9}}, "its clock.cap_ms is 10000, not 9"),
        ({"faults": {"illegal": "retry 1"}}, "its faults.illegal is forfeit, not retry 1"),
        ({"seats": 3, "rounds": 9}, "its seats is 2, not 3"),
        ({"rounds": 1}, "was begun with 12 matches, more than the 6 asked for"),
    ],
)
def test_a_folder_refuses_another_tournament(
    settings: Event, tmp_path: Path, change: dict[str, object], sentence: str
) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    before = (tmp_path / "out" / MANIFEST).read_text()
    with (
        pytest.raises(FolderError, match=sentence),
        open_folder(tmp_path / "out", plan(settings.replaced(**change))),
    ):
        pass
    assert (tmp_path / "out" / MANIFEST).read_text() == before


def test_a_longer_tournament_continues_a_shorter_one_in_its_folder(settings: Event, tmp_path: Path) -> None:
    for rounds in (2, 3):
        with open_folder(tmp_path / "out", plan(settings.replaced(rounds=rounds))):
            pass


def test_a_tournament_that_was_begun_before_clocks_could_be_scaled_is_continued(
    settings: Event, tmp_path: Path
) -> None:
    slow = BotTable(path=write_bot(tmp_path / "bots" / "dee", "dee"), clock=ClockTable(bank_ms=5000))
    planned = plan(settings.replaced(bot=(slow,)))
    with open_folder(tmp_path / "out", planned):
        pass
    manifest = tmp_path / "out" / MANIFEST
    now = manifest.read_text()
    manifest.write_text(re.sub(r'"scale" = "none"(\n|, )?|, "scale" = "none"', "", now))
    assert "scale" not in manifest.read_text()
    with open_folder(tmp_path / "out", planned):
        assert manifest.read_text() == now
    manifest.write_text(re.sub(r'"scale" = "none"(\n|, )?|, "scale" = "none"', "", now))
    with (
        pytest.raises(FolderError, match=r"its clock.scale is none, not reference"),
        open_folder(tmp_path / "out", plan(settings.replaced(bot=(slow,), clock={"scale": "reference"}))),
    ):
        pass


def test_a_bot_whose_files_changed_is_named(settings: Event, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    (tmp_path / "bots" / "bob" / "brain.py").write_text("smarter")
    with (
        pytest.raises(
            FolderError,
            match=r"the files of bob 1 have changed since .*\(brain\.py of bob 1\).*give the bot a new version",
        ),
        open_folder(tmp_path / "out", plan(settings)),
    ):
        pass


def test_different_bots_are_named(settings: Event, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    with (
        pytest.raises(
            FolderError,
            match=r"another tournament: cid 1 played in it; `ballcourt event` lets bots join.*; one database",
        ),
        open_folder(tmp_path / "out", plan(settings.replaced(bots=(settings.bots or ())[:2], rounds=9))),
    ):
        pass


def test_a_name_that_needs_quoting_in_toml_survives(settings: Event, tmp_path: Path) -> None:
    quoted = Entrant(BotVersion('a "b" \\ é', "1", "hash"))
    planned = replace(plan(settings), entrants=(quoted, *plan(settings).entrants))
    for _ in range(2):
        with open_folder(tmp_path / "out", planned):
            pass


def test_all_differences_are_named(settings: Event, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    other = settings.replaced(clock={"cap_ms": 9, "grace_ms": 7}, seed=6, bots=(settings.bots or ())[:2])
    with (
        pytest.raises(
            FolderError,
            match=r"its seed is 5, not 6; its clock.cap_ms is 10000, not 9; its clock.grace_ms is .*; cid 1 played",
        ),
        open_folder(tmp_path / "out", plan(other)),
    ):
        pass


def test_the_manifest_of_a_folder_can_be_run_as_a_tournament_file(settings: Event, tmp_path: Path) -> None:
    drawn = settings.replaced(seed=None, clock={"cap_ms": 900}, format=None)
    with open_folder(tmp_path / "out", planned := plan(drawn)):
        pass
    again = read_event(tmp_path / "out" / MANIFEST)
    folder = output_folder(tmp_path / "out" / MANIFEST, again)
    assert folder.resolve() == tmp_path / "out"
    resumed = plan(again, folder=folder)
    assert (resumed.seed, resumed.entrants, resumed.clock) == (planned.seed, planned.entrants, planned.clock)
    assert resumed.matches == planned.matches
    with open_folder(folder, resumed):
        pass


def test_a_manifest_that_does_not_name_its_bots_is_refused_in_one_sentence(settings: Event, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    file = tmp_path / "out" / MANIFEST
    file.write_text("".join(line for line in file.open() if not line.startswith("bots = ")))
    with pytest.raises(SettingsError, match="it does not name its bots; run the tournament file that it came from"):
        read_event(file)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("setup = [1]", r"tournament.toml: setup is 1; it must be tables, \[\[setup\]\] each"),
        ("focus = [[]]", r"tournament.toml: focus is \[\]; it must be a whole number"),
        ("focus = [1.0]", r"tournament.toml: focus is 1\.0; it must be a whole number"),
        ("focus = [9]", r"its focus is \[9\]; there are entrants from 0 to 2"),
        ("length = []", r"tournament.toml: length is \[\]; it must be a number and a unit, such as '10 rounds'"),
        ('format = "ladder"', "it is a ladder, which `ballcourt ladder` plays"),
    ],
)
def test_a_manifest_with_a_damaged_entry_is_refused_in_one_sentence(
    settings: Event, tmp_path: Path, entry: str, why: str
) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    file = tmp_path / "out" / MANIFEST
    name = entry.partition(" ")[0]
    file.write_text("\n".join([entry, *(line for line in file.read_text().splitlines() if not line.startswith(name))]))
    with pytest.raises(SettingsError, match=f"cannot be run: {why}; run the tournament file that it came from"):
        read_event(file)
