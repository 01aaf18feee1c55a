"""What a running tournament shows, in a terminal and elsewhere."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from ballcourt.arena.durations import duration
from ballcourt.arena.tournament.folder.events import MatchPlayed
from ballcourt.cli import progress
from tests.arena.recorded import recorded


def shown(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, width: int = 120, height: int = 24) -> str:
    """Return the stderr after two of ten matches, with an update for each."""
    file = io.StringIO()
    monkeypatch.setattr(
        progress, "console", lambda err: Console(file=file, force_terminal=terminal, width=width, height=height)
    )
    monkeypatch.setattr(progress, "REDRAW_S", 0.0)
    monkeypatch.setattr(progress, "LINE_S", 0.0)
    with progress.Progress() as running:
        running.overview.expected = 10
        running(played("m0", is_new=False))
        running(played("m1", is_new=True))
    return file.getvalue()


def played(key: str, *, is_new: bool) -> MatchPlayed:
    record = recorded(key)
    placements = tuple(result.placement for result in record.results)
    return MatchPlayed(key, ("lowest", "highest", "lowest"), placements, (), Path(key), is_new, record)


def test_a_terminal_shows_standings_with_uncertainty_and_remaining_time(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, terminal=True)
    assert "95% interval" in text
    assert "highest" in text
    assert "2 of 10 matches" in text


def test_a_window_too_low_for_the_table_still_shows_how_far_the_tournament_is(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, terminal=True, height=4)
    assert "highest" not in text
    assert "2 of 10 matches" in text


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_narrow_window_gets_a_narrower_table(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    text = shown(monkeypatch, terminal=True, width=width)
    assert "highest" in text
    assert "95% interval" not in text or width >= 80


def test_progress_in_a_file_is_a_plain_line(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, terminal=False)
    assert text.startswith("2 of 10 matches, ")
    assert text.count("\n") == 1
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (59, "59 s"), (61, "1 min 01 s"), (7260, "2 h 01 min"), (360000, "100 h 00 min")]
)
def test_durations_have_two_units(seconds: int, text: str) -> None:
    assert duration(seconds) == text
