"""Sandboxes requested in a tournament file or by flags, and on a machine without any."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import tests.bots
from ballcourt.arena.records.store import read_record
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.tournament.folder.manifest import kept_plan
from ballcourt.contest.store.contest import Contest
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import need_gvisor, need_sandbox
from tests.cli.conftest import Refused, Run, files, write_bot

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
def records(succeeds: Run, place: Path) -> Callable[..., list[MatchRecord]]:
    """Play the cup in a tier, by default 1, and read its records."""

    def play(tier: int = 1) -> list[MatchRecord]:
        (place / "cup.toml").write_text(CUP.replace("tier = 1", f"tier = {tier}"))
        played = succeeds("tournament cup.toml --output out")
        assert f"sandbox tier {tier}, memory_mb 200, processes 128" in played.stderr
        return [read_record(path) for path in sorted((place / "out" / "records").iterdir())]

    return play


@pytest.mark.parametrize(
    ("tier", "need"), [(1, need_sandbox), pytest.param(2, need_gvisor, marks=[pytest.mark.slow, pytest.mark.gate])]
)
def test_a_hostile_bot_loses_its_seat_and_the_others_continue(
    records: Callable[..., list[MatchRecord]], place: Path, tier: int, need: Callable[[], None]
) -> None:
    need()
    write_bot(place / "third", "third", "orphan and crash", script="misbehaving.py")
    played = records(tier)
    assert len(played) == 6
    lost = {entrant.name for record in played for fault in record.faults for entrant in [record.entrants[fault.seat]]}
    assert lost == {"third"}
    assert {record.sandbox_tier for record in played} == {tier}
    assert {record.sandbox_limits.memory_mb for record in played} == {200}


@pytest.mark.slow
def test_a_tournament_is_resumed_only_with_its_own_sandbox(
    records: Callable[..., list[MatchRecord]], succeeds: Run, refused: Refused, place: Path, tier_1: Sandbox
) -> None:
    write_bot(place / "third", "third")
    records()
    assert "its sandbox.memory_mb is 200, not 300" in refused(
        "tournament cup.toml --output out --set sandbox.memory_mb=300"
    )
    succeeds("tournament cup.toml --output out --set sandbox.build.disk_mb=5")


@pytest.mark.slow
def test_a_confined_bot_can_read_the_paths_given_by_a_flag(run: Run, place: Path, tier_1: Sandbox) -> None:
    scripts = Path(tests.bots.__file__).parent
    flags = ["--sandbox", "1", "--set", f"sandbox.readable=['{scripts}']", "--json"]
    shown = json.loads(run("play", "bluff", "./low", "./any", *flags).stdout)
    assert [seat["termination"] for seat in shown["seats"]] == ["OK", "OK"]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["play bluff ./low ./any", "tournament --game bluff --bot ./low --bot ./any"])
def test_a_short_seed_is_cautioned_against_in_a_sandbox(run: Run, place: Path, command: str, tier_1: Sandbox) -> None:
    readable = ("--set", f"sandbox.readable=['{Path(tests.bots.__file__).parent}']")
    confined = run(*command.split(), "--seed", "7", "--sandbox", "1", *readable)
    assert "seed 7 can be guessed by trying" in confined.stderr
    drawn = ("--output", "drawn") if command.startswith("tournament") else ()
    assert "can be guessed" not in run(*command.split(), "--sandbox", "1", *readable, *drawn).stderr


def test_a_flag_that_needs_a_sandbox_is_refused_without_one(refused: Refused) -> None:
    assert "readable needs tier 1, and the tier is 0" in refused("play bluff ./low ./any --set sandbox.readable=['.']")


def test_a_match_shows_its_sandbox(run: Run, place: Path) -> None:
    flags = ["--set", "sandbox.memory_mb=300", "--json"]
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


@pytest.mark.parametrize("flags", [(), ("--set", "sandbox.memory_mb=300")])
def test_without_the_sandbox_that_an_evaluation_takes_by_default_both_ways_out_are_said(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...]
) -> None:
    monkeypatch.setattr("ballcourt.arena.sandbox.tiers.missing", lambda: "there is no program 'bwrap'; install it")
    asked = ("evaluate", "./low", "--game", "bluff", "--against", "./any", *flags)
    assert refused(*asked) == (
        "ballcourt: candidates are confined to sandbox tier 1 by default, which is not available: there is no program "
        "'bwrap'; install it; or choose tier 0 (--sandbox 0), in which they have all your rights"
    )
    assert "sandbox tier 1 is not available" in refused(*asked, "--sandbox", "1")


def test_a_contest_without_a_sandbox_is_refused_unless_it_is_asked_for(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ballcourt.arena.sandbox.tiers.missing", lambda: "there is no program 'bwrap'; install it")
    refused = run("contest", "new", "cup", "--game", "maya")
    assert refused.exit_code == 2
    assert refused.stderr == (
        "ballcourt: a contest confines bots to sandbox tier 1, which is not available: there is no program "
        "'bwrap'; install it; or give --unconfined: everybody who may enter a bot can read and change what you can\n"
    )
    assert not (place / "cup").exists()
    assert run("contest", "new", "cup", "--game", "maya", "--unconfined").exit_code == 0
    for command in (["serve", "--contest", "cup"], ["examiner", "cup"], ["ladder", "cup/ladder.toml"]):
        refused = run(*command)
        assert refused.exit_code == 2
        assert "sandbox tier 1, which is not available: there is no program 'bwrap'; install it" in refused.stderr
        assert "--unconfined" in refused.stderr
    settings = place / "cup/ladder.toml"
    settings.write_text(settings.read_text().partition("[sandbox]")[0])
    for command in (["serve", "--contest", "cup"], ["examiner", "cup"]):
        refused = run(*command)
        assert refused.exit_code == 2
        assert refused.stderr.startswith("ballcourt: ")
        assert "ladder.toml confines no bot (its sandbox tier is 0): everybody who may" in refused.stderr
        assert refused.stderr.endswith("write tier = 1 below [sandbox] in it, or give --unconfined\n")


def test_what_began_without_a_sandbox_takes_the_first_that_this_machine_has(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def field(contest: Contest, *_: object) -> tuple[str, str]:
        return f"tier {contest.ladder.sandbox.sandbox().tier}", "olga"

    monkeypatch.setattr("ballcourt.cli.contest.write_entrants", field)
    monkeypatch.setattr("ballcourt.cli.examiner.examine_for_ever", lambda *_: None)
    monkeypatch.setattr("ballcourt.arena.sandbox.tiers.missing", lambda: "there is no program 'bwrap'; install it")
    assert run("contest", "new", "cup", "--game", "bluff", "--unconfined").exit_code == 0
    settings = place / "cup/ladder.toml"
    settings.write_text(settings.read_text().replace('["random"]', '["random", "first-legal"]\nprovisional = 0'))

    def first_line(command: str) -> str:
        return run(*command.split(), "--unconfined").stderr.split("\n")[0]

    risk = "sandbox tier 0: everybody who may enter a bot can read and change what you can"
    assert (first_line("examiner cup"), first_line("serve --contest cup")) == (risk, risk)  # no ladder to serve yet
    finals = ("contest", "entrants", "cup", "finals.toml", "--key", "key.pem", "--reason", "over")
    assert run(*finals).stdout == "finals.toml: tier 1 entrants, signed by olga\n", "this machine was not asked for it"
    assert run(*finals, "--unconfined").stdout == "finals.toml: tier 0 entrants, signed by olga\n"
    played = first_line("ladder cup/ladder.toml --matches 2")
    assert played == "sandbox tier 0: bots and their builds have all your rights; bubblewrap confines them"
    monkeypatch.setattr("ballcourt.arena.sandbox.tiers.missing", str)
    assert first_line("ladder cup/ladder.toml --matches 2").startswith("sandbox tier 1, memory_mb 1024")
    assert first_line("examiner cup") == "sandbox tier 1"
    kept = kept_plan(place / "cup/ladder")
    assert kept
    assert kept.sandbox.tier == 1
    settings.write_text(settings.read_text().partition("[sandbox]")[0])
    offer = f"{risk}; this machine offers tier 1: write it below [sandbox] in {Path('cup/ladder.toml')}"
    assert first_line("examiner cup") == offer


def test_a_contest_elsewhere_that_sets_no_tier_confines_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BALLCOURT_CONTEST_TOKEN", "secret")
    monkeypatch.setattr("ballcourt.cli.examiner.ContestServer.about", lambda _: {"name": "cup", "sandbox": {}})
    refused = run("examiner", "http://127.0.0.1:8000")
    assert refused.exit_code == 2
    assert "the ladder of cup confines no bot (its sandbox tier is 0)" in refused.stderr


@pytest.mark.slow
def test_the_build_step_of_an_untrusted_bot_runs_confined(
    succeeds: Run, place: Path, tier_1: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BALLCOURT_CACHE", str(place / "cache"))
    monkeypatch.setenv("BALLCOURT_TOKEN", "secret")
    toml = place / "low" / "bot.toml"
    toml.write_text(
        toml.read_text() + f"""build = ["sh", "-c", "ls '{place}/any' || echo $BALLCOURT_TOKEN > told"]\n"""
    )
    succeeds("play bluff ./low ./any --sandbox 1")
    assert [path.read_text() for path in place.glob("cache/builds/*/told")] == ["\n"]
