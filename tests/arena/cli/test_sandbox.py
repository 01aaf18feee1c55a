"""Sandboxes requested in a tournament file or by flags, and on a machine without any."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import tests.bots
from ballcourt.arena.records.store import read_record
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.cli.conftest import Run, files, write_bot

CUP = f"""
game = "bluff"
bots = ["./low", "./any", "./third"]
seats = 2
seed = 3
workers = 1
[sandbox]
tier = 1
memory_mb = 200
readable = ["{Path(tests.bots.__file__).parent}"]
"""


@pytest.fixture
def records(run: Run, place: Path) -> Callable[[], list[MatchRecord]]:
    """Play the cup and read its records."""
    (place / "cup.toml").write_text(CUP)

    def play() -> list[MatchRecord]:
        played = run("tournament", "cup.toml", "--output", "out")
        assert played.exit_code == 0, played.stderr
        assert "sandbox tier 1, memory_mb 200, processes 128" in played.stderr
        return [read_record(path) for path in sorted((place / "out" / "records").iterdir())]

    return play


def test_a_hostile_bot_loses_its_seat_and_the_others_continue(
    records: Callable[[], list[MatchRecord]], place: Path, tier_1: Sandbox
) -> None:
    write_bot(place / "third", "third", "orphan and crash", script="misbehaving.py")
    played = records()
    assert len(played) == 6
    lost = {entrant.name for record in played for fault in record.faults for entrant in [record.entrants[fault.seat]]}
    assert lost == {"third"}
    assert {record.sandbox_tier for record in played} == {1}
    assert {record.sandbox_limits.memory_mb for record in played} == {200}


def test_a_tournament_is_resumed_only_with_its_own_sandbox(
    records: Callable[[], list[MatchRecord]], run: Run, place: Path, tier_1: Sandbox
) -> None:
    write_bot(place / "third", "third")
    records()
    refused = run("tournament", "cup.toml", "--output", "out", "--limit", "memory_mb=300")
    assert refused.exit_code == 2
    assert "its sandbox.memory_mb is 200, not 300" in refused.stderr


def test_a_confined_bot_can_read_the_paths_given_by_a_flag(run: Run, place: Path, tier_1: Sandbox) -> None:
    scripts = Path(tests.bots.__file__).parent
    flags = ["--sandbox", "1", "--readable", str(scripts), "--json"]
    shown = json.loads(run("play", "bluff", "./low", "./any", *flags).stdout)
    assert [seat["termination"] for seat in shown["seats"]] == ["OK", "OK"]


def test_a_flag_that_needs_a_sandbox_is_refused_without_one(run: Run) -> None:
    refused = run("play", "bluff", "./low", "./any", "--readable", ".")
    assert refused.exit_code == 2
    assert "readable needs tier 1, and the tier is 0" in refused.stderr


def test_a_match_shows_its_sandbox(run: Run, place: Path) -> None:
    flags = ["--limit", "memory_mb=300", "--json"]
    shown = json.loads(run("play", "bluff", "./low", "./any", *flags).stdout)
    assert shown["sandbox"] == {"tier": 0, "memory_mb": 300}
    assert "sandbox tier 0, memory_mb 300" in run("replay", "show", shown["record"]).stdout


@pytest.mark.parametrize("command", ["play bluff ./low ./any", "tournament --game bluff --bot ./low --bot ./any"])
def test_without_a_sandbox_a_run_is_refused_and_writes_nothing(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("ballcourt.arena.sandbox.tiers.missing", lambda: "there is no program 'bwrap'; install it")
    before = files(place)
    refused = run(*command.split(), "--sandbox", "1")
    assert refused.exit_code == 2
    assert refused.stderr == "ballcourt: sandbox tier 1 is not available: there is no program 'bwrap'; install it\n"
    assert files(place) == before


def test_the_build_step_of_an_untrusted_bot_runs_confined(
    run: Run, place: Path, tier_1: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BALLCOURT_CACHE", str(place / "cache"))
    monkeypatch.setenv("BALLCOURT_TOKEN", "secret")
    toml = place / "low" / "bot.toml"
    toml.write_text(toml.read_text() + f'build = ["sh", "-c", "ls {place} || echo $BALLCOURT_TOKEN > told"]\n')
    played = run("play", "bluff", "./low", "./any", "--sandbox", "1")
    assert played.exit_code == 0, played.stderr
    assert [path.read_text() for path in place.glob("cache/builds/*/told")] == ["\n"]
