"""Which tournament may be resumed in a folder."""

from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.match.entrant import Entrant
from ballcourt.arena.tournament.folder import open_folder
from ballcourt.arena.tournament.manifest import MANIFEST, FolderError
from ballcourt.arena.tournament.plan import plan
from ballcourt.arena.tournament.settings import Settings


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
    settings: Settings, tmp_path: Path, change: dict[str, object], sentence: str
) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    before = (tmp_path / "out" / MANIFEST).read_text()
    with (
        pytest.raises(FolderError, match=sentence),
        open_folder(tmp_path / "out", plan(replace(settings, **change))),  # type: ignore[arg-type]
    ):
        pass
    assert (tmp_path / "out" / MANIFEST).read_text() == before


def test_a_longer_tournament_continues_a_shorter_one_in_its_folder(settings: Settings, tmp_path: Path) -> None:
    for rounds in (2, 3):
        with open_folder(tmp_path / "out", plan(replace(settings, rounds=rounds))):
            pass


def test_a_bot_whose_files_changed_is_named(settings: Settings, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    (tmp_path / "bots" / "bob" / "brain.py").write_text("smarter")
    with (
        pytest.raises(FolderError, match=r"the files of bot bob 1 have changed since .*give the bot a new version"),
        open_folder(tmp_path / "out", plan(settings)),
    ):
        pass


def test_different_bots_are_named(settings: Settings, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    with (
        pytest.raises(FolderError, match="its bots are ann 1, bob 1, cid 1, not ann 1, bob 1;"),
        open_folder(tmp_path / "out", plan(replace(settings, bots=(settings.bots or ())[:2], rounds=9))),
    ):
        pass


def test_a_name_that_needs_quoting_in_toml_survives(settings: Settings, tmp_path: Path) -> None:
    quoted = Entrant('a "b" \\ é', "1", "hash")
    planned = replace(plan(settings), entrants=(quoted, *plan(settings).entrants))
    for _ in range(2):
        with open_folder(tmp_path / "out", planned):
            pass
