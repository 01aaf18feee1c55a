"""The cache of pip while environments are made: what a step adds counts against its limits, what was kept does not."""

from pathlib import Path

import pytest

from ballcourt.arena.building.watching import Watch
from ballcourt.arena.processes.cache import cached, discard, linked_pip_cache
from ballcourt.arena.sandbox.tiers import BuildLimits

MB = 1 << 20


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "home").mkdir()
    return tmp_path / "cache" / "pip"


def add(place: Path, name: str, size_mb: int) -> None:
    (place / "a/b").mkdir(parents=True, exist_ok=True)
    (place / "a/b" / name).write_bytes(b"x" * (size_mb * MB))


def fetch(home: Path, name: str, size_mb: int, most_mb: int = 0) -> None:
    with linked_pip_cache(home / "pip", most_mb):
        add(home / "pip", name, size_mb)


def test_what_a_step_fetches_is_kept_for_the_next_one(tmp_path: Path, cache: Path) -> None:
    home = tmp_path / "home"
    fetch(home, "one", 1)
    with linked_pip_cache(home / "pip", 0):
        assert (home / "pip/a/b/one").stat().st_ino == (cache / "a/b/one").stat().st_ino
        (home / "pip/a/b/one").unlink()
    fetch(home, "two", 1)
    assert sorted(path.name for path in (cache / "a/b").iterdir()) == ["one", "two"]
    assert not (home / "pip").exists()


def test_a_step_that_fails_adds_nothing(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(ValueError, match="ended"), linked_pip_cache(tmp_path / "home/pip", 0):
        add(tmp_path / "home/pip", "one", 1)
        raise ValueError("it was ended")
    assert not [*cache.rglob("one")]
    assert not (tmp_path / "home/pip").exists()


def test_what_is_kept_stays_below_the_limit_of_a_build(tmp_path: Path, cache: Path) -> None:
    fetch(tmp_path / "home", "one", 2, most_mb=3)
    assert [*cache.rglob("one")]
    fetch(tmp_path / "home", "two", 2, most_mb=3)
    assert not cache.exists()


def test_what_a_step_adds_to_the_cache_of_pip_counts_and_what_was_kept_does_not(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fetch(home, "kept", 5)
    with linked_pip_cache(home / "pip", 0):
        watch = Watch(BuildLimits(disk_mb=2), (home,), home / "pip")
        (home / "again").hardlink_to(home / "pip/a/b/kept")
        assert not watch.disk_excess()
        add(home / "pip", "new", 3)
        assert watch.disk_excess().startswith("took more than 2 MB on the disk")


def test_the_cache_can_be_cleared_while_a_step_uses_it(tmp_path: Path, cache: Path) -> None:
    home = tmp_path / "home"
    fetch(home, "one", 1)
    with linked_pip_cache(home / "pip", 0):
        [entry] = cached()
        assert discard(entry) and not cache.exists()
        assert (home / "pip/a/b/one").stat().st_size == MB
