"""Formats and studies of other distributions, which register them as entry points."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ballcourt.arena.tournament.schedules import formats
from ballcourt.cli.commands import plugged_in
from tests.cli.conftest import Run

MODULE = """
from ballcourt.arena.tournament.schedules.formats.round_robin import schedule
from ballcourt.cli.flags import Place
from ballcourt.cli.output import say


def luck(place: Place) -> None:
    \"""Show how much is luck.\"""
    say([f"luck in {place}"])
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a distribution with a format and a study."""
    about = tmp_path / "plugin" / "ballcourt_fair-1.dist-info"
    about.mkdir(parents=True)
    (about.parent / "ballcourt_fair.py").write_text(MODULE)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ballcourt-fair\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[ballcourt.formats]\nfair = ballcourt_fair\n\n[ballcourt.studies]\nluck = ballcourt_fair:luck\n"
    )
    monkeypatch.syspath_prepend(str(about.parent))
    caches = (formats.registered, plugged_in)
    for cached in caches:
        cached.cache_clear()
    yield
    sys.modules.pop("ballcourt_fair", None)
    monkeypatch.undo()
    for cached in caches:
        cached.cache_clear()


@pytest.mark.usefixtures("plugin")
def test_a_format_of_another_distribution_can_be_played(succeeds: Run) -> None:
    cup = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./any", "--plan")
    succeeds(*cup, "--format", "fair")
    assert "fair" in formats.known_formats()


@pytest.mark.usefixtures("plugin")
def test_a_study_of_another_distribution_is_a_command(run: Run) -> None:
    assert "Show how much is luck." in run("study --help").stdout
    assert run("study luck runs/cup").stdout == "luck in runs/cup\n"
