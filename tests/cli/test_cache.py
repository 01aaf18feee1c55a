"""`ballcourt admin cache show` shows what is cached, and removes what is not needed."""

import gc
import json
import os
import pickle
import time
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, load_bot
from ballcourt.arena.building.builds import built
from ballcourt.arena.tournament import play_tournament
from ballcourt.arena.tournament.folder.events import MatchPlayed
from tests.cli.conftest import Refused, Run, files, write_bot

DAY_S = 86_400
BUILD = """build = ["{python}", "-c", "open('large', 'wb').write(b'x' * 3_000_000)"]\n"""


@pytest.fixture
def cache() -> Path:
    """Where the commands of this test keep builds and images."""
    return Path(os.environ["BALLCOURT_CACHE"])


def with_build(folder: Path) -> Bot:
    """Give a bot a build step that makes a file of 3 MB."""
    file = folder / "bot.toml"
    file.write_text(file.read_text() + BUILD)
    return load_bot(folder)


def shown(run: Run) -> dict[str, dict[str, object]]:
    """What the cache holds, by name and version."""
    entries = json.loads(run("admin cache show --json").stdout)["entries"]
    return {f"{entry['name']} {entry['version']}".strip(): entry for entry in entries}


def test_an_empty_cache_is_shown_and_cleared_without_being_made(run: Run, cache: Path) -> None:
    for command in ("show", "clear"):
        result = run("admin", "cache", command)
        assert (result.exit_code, "0.0 MB" in result.stdout) == (0, True)
    assert not cache.exists()


def test_builds_are_shown_with_size_and_age_and_removed(run: Run, place: Path, cache: Path) -> None:
    built(with_build(place / "low"))
    entry = shown(run)["low 1"]
    assert 3_000_000 <= int(str(entry["bytes"])) < 4_000_000
    [line] = [line for line in run("admin cache show").stdout.splitlines() if line.startswith("low  1")]
    took = entry["build"]
    assert isinstance(took, dict)
    assert line.split()[2:] == ["3.0", "MB", "just", "now", f"{took['seconds']:.1f}", "s"]
    assert "removed 3.0 MB" in run("admin cache clear").stdout
    assert shown(run) == {}
    assert not [name for name in files(cache) if "/" in name]
    assert (built(load_bot(place / "low")).folder / "large").exists(), "it is built again"


def test_what_was_used_recently_is_kept_when_an_age_is_given(succeeds: Run, place: Path, cache: Path) -> None:
    for name in ("low", "any"):
        built(with_build(place / name))
    old = load_bot(place / "low").content_hash
    long_ago = time.time() - 31 * DAY_S
    os.utime(cache / "uses" / old, (long_ago, long_ago))
    assert "31 days ago" in succeeds("admin cache show").stdout
    succeeds("admin cache clear --older-than 30d")
    assert "low 1" not in shown(succeeds)
    assert "any 1" in shown(succeeds)


def test_a_use_makes_a_build_young_again(run: Run, place: Path, cache: Path) -> None:
    bot = with_build(place / "low")
    built(bot)
    os.utime(cache / "uses" / bot.content_hash, (0, 0))
    built(bot)
    run("admin cache clear --older-than 30d")
    assert "low 1" in shown(run)


def test_bots_are_chosen_by_name(succeeds: Run, refused: Refused, place: Path) -> None:
    for name in ("low", "any"):
        built(with_build(place / name))
    succeeds("admin cache clear low")
    assert [name for name in shown(succeeds) if name.startswith(("low", "any"))] == ["any 1", "any"]
    assert "holds nothing of 'lo'" in refused("admin cache clear lo")


@pytest.mark.parametrize("age", ["30", "d", "-1d", "1y", "9999999d", "٣d"])
def test_an_age_that_cannot_be_read_is_refused(refused: Refused, age: str) -> None:
    assert f"'{age}' is not a time, such as 30d, 12h or 90m" in refused(
        "admin", "cache", "clear", f"--older-than={age}"
    )


@pytest.mark.slow
def test_what_a_running_tournament_needs_is_kept(run: Run, place: Path) -> None:
    with_build(place / "low")
    events = play_tournament(game="bluff", bots=["./low", "./any"], rounds=1, seed=1, output="out", workers=1)
    while not isinstance(next(events), MatchPlayed):
        pass
    assert shown(run)["low 1"]["in_use"]
    result = run("admin cache clear")
    assert (result.exit_code, "low 1 is kept: a running command needs it" in result.stderr) == (0, True)
    assert "low 1" in shown(run)
    assert sum(isinstance(event, MatchPlayed) for event in events) == 1, "the second match was played too"
    del events
    gc.collect()
    run("admin cache clear")
    assert shown(run) == {}


def test_a_copy_of_a_bot_in_another_process_holds_nothing(run: Run, place: Path) -> None:
    ready = built(with_build(place / "low"))
    copy = pickle.loads(pickle.dumps(ready))
    assert copy == ready
    del ready
    assert not shown(run)["low 1"]["in_use"]


def test_a_cache_of_an_older_version_can_be_cleared(succeeds: Run, place: Path, cache: Path) -> None:
    """It has no folder of uses, and a build that was killed may have left anything."""
    half = cache / "builds" / "0123456789abcdef"
    write_bot(half, "half")
    (half / "bot.toml").write_text("no TOML")
    (half / "closed").mkdir(mode=0)
    assert "0123456789ab" in shown(succeeds)
    succeeds("admin cache clear")
    assert not half.exists()


def test_a_cache_that_is_a_file_is_a_sentence(run: Run, cache: Path) -> None:
    cache.write_text("")
    for command in ("show", "clear"):
        result = run("admin", "cache", command)
        assert (result.exit_code, result.stderr) == (
            2,
            f"ballcourt: the cache {cache} cannot be read: Not a directory\n",
        )


def test_a_bot_that_is_built_needs_a_cache_that_can_be_written(refused: Refused, place: Path, cache: Path) -> None:
    with_build(place / "low")
    cache.write_text("")
    complaint = refused("play bluff ./low ./any")
    assert f"the cache {cache} cannot be written: " in complaint
    assert "name another folder in BALLCOURT_CACHE" in complaint
