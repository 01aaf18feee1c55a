"""Seeds that are drawn stay secret, and deals that follow from them."""

from pathlib import Path

import pytest

from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.event.seeds import Deals, Seed, caution
from ballcourt.arena.tournament.folder.manifest import SEED, FolderError
from ballcourt.arena.tournament.folder.output import open_folder
from ballcourt.arena.tournament.folder.planning import plan


@pytest.fixture
def folder(settings: Event, tmp_path: Path) -> Path:
    """A folder in which a tournament with a drawn seed was begun."""
    with open_folder(tmp_path / "out", plan(settings.replaced(seed=None))):
        return tmp_path / "out"


def test_a_drawn_seed_is_kept_where_only_its_owner_may_read_it(settings: Event, folder: Path) -> None:
    assert (folder / SEED).stat().st_mode & 0o777 == 0o600
    number, salt = (folder / SEED).read_text().split()
    assert number not in (folder / MANIFEST).read_text()
    resumed = plan(settings.replaced(seed=None), folder=folder)
    assert resumed.seed == Seed(int(number), salt)
    with open_folder(folder, resumed):
        pass


def test_a_typed_seed_is_in_the_manifest(settings: Event, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    assert "seed = 5\n" in (tmp_path / "out" / MANIFEST).read_text()
    assert not (tmp_path / "out" / SEED).exists()
    assert plan(settings.replaced(seed=None), folder=tmp_path / "out").seed == Seed(5)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "cannot read .*seed, the seed that was drawn"),
        ("x", "seed is damaged"),
        ("8", "seed is damaged"),
        (f"8 {'0' * 32}", "is not the seed of"),
    ],
)
def test_a_seed_that_was_lost_or_changed_is_refused(
    settings: Event, folder: Path, text: str | None, sentence: str
) -> None:
    (folder / SEED).unlink()
    if text:
        (folder / SEED).write_text(text)
    with pytest.raises(FolderError, match=sentence):
        plan(settings.replaced(seed=None), folder=folder)


def test_a_deal_does_not_reveal_the_next_one() -> None:
    deals = [Seed(7).deal(mode, block, f"b{block}-r{turn}") for mode in Deals for block in (0, 1) for turn in (0, 1)]
    assert len(set(deals)) == 6
    assert deals[4] == deals[5]


@pytest.mark.parametrize(("seed", "tier", "warns"), [(7, 1, True), (7, 0, False), (1 << 62, 1, False)])
def test_a_short_seed_is_cautioned_against_where_bots_are_confined(seed: int, tier: int, warns: bool) -> None:
    assert caution(seed, tier).startswith(f"seed {seed} can be guessed") == warns
