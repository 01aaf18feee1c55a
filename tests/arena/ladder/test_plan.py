"""Bots of a ladder, made ready to be started."""

import shutil
from pathlib import Path

import pytest

from ballcourt.arena.tournament.folder.events import MatchPlayed
from tests.arena.ladder.in_process import play, put, settings_in

MEETS = "touch '{own}'; for try in $(seq 600); do test -e '{other}' && exit; sleep 0.1; done; exit 1"
"""A build that fails unless another one has begun within a minute."""


def test_a_ladder_that_goes_on_without_a_cache_builds_bots_of_several_owners_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, met = tmp_path / "cache", tmp_path / "met"
    monkeypatch.setenv("BALLCOURT_CACHE", str(cache))
    met.mkdir()
    settings = settings_in(tmp_path)
    for own, other in (("ann", "bob"), ("bob", "ann")):
        (met / own).touch()
        with (put(settings.bots, own) / "bot.toml").open("a") as file:
            file.write(f'build = ["sh", "-c", "{MEETS.format(own=met / own, other=met / other)}"]\n')
    for _ in play(settings, matches=4):
        pass
    for emptied in (cache, met):
        shutil.rmtree(emptied)
        emptied.mkdir()
    assert any(isinstance(event, MatchPlayed) for event in play(settings, matches=8))
    assert {file.name for file in met.iterdir()} == {"ann", "bob"}
