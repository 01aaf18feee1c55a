"""Tournament files of strangers: what they decide about safety is said before anything runs, and flags overrule it."""

import sqlite3
from pathlib import Path

import pytest

from ballcourt.arena.records.store import read_record
from ballcourt.arena.sandbox.tiers import Sandbox
from tests.cli.conftest import Refused, Run, write_bot

STRANGE = """
game = "bluff"
bots = ["./low", "./built"]
rounds = 1
workers = 1
database = "sqlite:///theirs.sqlite"
[sandbox]
tier = 0
"""
OPEN = """
tier = 1
memory_mb = 0
processes = 0
readable = ["/etc"]
"""


@pytest.fixture
def file(place: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A tournament file with a bot that has to be built."""
    monkeypatch.setenv("BALLCOURT_CACHE", str(place / "cache"))
    folder = write_bot(place / "built", "built", "low")
    with (folder / "bot.toml").open("a") as toml:
        toml.write('build = ["true"]\n')
    (place / "strange.toml").write_text(STRANGE)
    return "strange.toml"


def test_that_bots_are_not_confined_is_said_before_they_are_built(run: Run, file: str) -> None:
    messages = run("tournament", file).stderr.splitlines()
    assert messages[0] == "sandbox tier 0: bots and their builds have all your rights; --sandbox 1 confines them"
    assert messages[1].startswith("building built 1")


@pytest.mark.slow
def test_limits_and_paths_that_a_file_opens_are_said_before_the_builds(
    run: Run, file: str, place: Path, tier_1: Sandbox
) -> None:
    (place / file).write_text(STRANGE.replace("tier = 0", OPEN))
    messages = run("tournament", file).stderr.splitlines()
    assert messages[:5] == [
        "sandbox tier 1, file_mb 64, tmp_mb 64",
        "caution: bots have no limit on memory_mb; --set sandbox.memory_mb=1024 sets the usual one",
        "caution: bots have no limit on processes; --set sandbox.processes=128 sets the usual one",
        "caution: bots and their builds may read /etc; --set sandbox.readable=[] takes it back",
        "building built 1; the first time this may take minutes ...",
    ]


@pytest.mark.slow
def test_flags_overrule_what_a_file_says_about_safety(run: Run, file: str, place: Path, tier_1: Sandbox) -> None:
    (place / file).write_text(STRANGE.replace("tier = 0", OPEN))
    keys = ("sandbox.memory_mb=300", "sandbox.processes=50", "sandbox.readable=[]", "database=none")
    flags = [word for key in keys for word in ("--set", key)]
    messages = run("tournament", file, "--output", "out", *flags).stderr
    assert "caution" not in messages
    assert not (place / "theirs.sqlite").exists()
    record = read_record(next((place / "out" / "records").iterdir()))
    assert (record.sandbox_limits.memory_mb, record.sandbox_limits.processes) == (300, 50)
    assert len(record.faults) == 2
    assert all("No such file" in fault.stderr_tail for fault in record.faults)  # their script is not in their folders


def test_a_second_database_and_the_output_are_named_without_the_password(run: Run, file: str, place: Path) -> None:
    messages = run("tournament", file, "--output", "out").stderr.splitlines()
    assert "output: out; the results also go to sqlite:///theirs.sqlite" in messages
    with sqlite3.connect(place / "theirs.sqlite") as theirs:
        assert theirs.execute("select count(*) from matches").fetchone() == (2,)


@pytest.mark.parametrize("path", ["/", "/tmp", "/proc", "/dev", "/run"])
def test_a_path_that_bots_have_to_themselves_cannot_be_made_readable(
    refused: Refused, file: str, tier_1: Sandbox, path: str
) -> None:
    assert f"sandbox: readable names {path}, but every bot has a " in refused(
        "tournament", file, "--sandbox", "1", "--set", f"sandbox.readable=['{path}']"
    )
