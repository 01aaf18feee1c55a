"""`ballcourt doctor` on this machine, and on one that lacks a tool."""

import errno
import json
import shutil
from pathlib import Path

import pytest

import tests.bots
from ballcourt.arena.sandbox import bubblewrap, cgroups, entry, machine, tiers, walls
from ballcourt.cli import doctor
from tests.arena.conftest import need_sandbox
from tests.cli.conftest import Refused, Run, write_bot


@pytest.fixture
def rich(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with every wall."""
    here = Path("/")
    for module in (machine, walls):
        monkeypatch.setattr(module, "unavailable", lambda _: "")
    monkeypatch.setattr(walls, "proxy_failure", lambda: "")
    monkeypatch.setattr(cgroups, "found", lambda: cgroups.Places(here, here, here, here))
    monkeypatch.setattr(entry, "version", lambda: 7)


@pytest.fixture
def poor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "unavailable", lambda tier: "there is no program 'bwrap'; install it" if tier else "")


def refuse(file: Path, value: str) -> None:
    raise OSError(errno.EINVAL, f"{file} takes no {value}")


def test_doctor_shows_tiers_limits_clock_and_versions(succeeds: Run) -> None:
    shown = succeeds("doctor")
    for words in ("tier 0", "tier 1", "memory of a bot", "Unix sockets", "timers late by", "resolution", "rules"):
        assert words in shown.stdout


def test_doctor_prints_the_same_report_as_json(run: Run) -> None:
    shown = json.loads(run("doctor --json").stdout)
    assert shown["tiers"][0] == {"tier": 0, "available": True, "reason": ""}
    assert shown["tiers"][1]["available"] == (bubblewrap.missing() == "")
    assert {"sandbox", "limits", "sockets", "processors", "clock", "versions", "workers"} == {
        finding["topic"] for finding in shown["findings"]
    }


@pytest.mark.usefixtures("rich")
def test_doctor_and_play_agree_about_a_controller_that_the_kernel_refuses(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, words in (("cgroup.controllers", "cpu memory pids"), ("cgroup.subtree_control", "memory pids")):
        (tmp_path / name).write_text(words)
    monkeypatch.setattr(cgroups, "found", lambda: cgroups.Places(tmp_path, tmp_path, tmp_path, tmp_path))
    monkeypatch.setattr(cgroups, "write", refuse)
    assert cgroups.passed_on(cgroups.found()) == cgroups.Places(tmp_path, tmp_path, tmp_path)
    shown = run("doctor --strict")
    assert shown.exit_code == 1
    assert "fair processors: by session" in shown.stderr
    assert "memory of the kernel" not in shown.stderr


@pytest.mark.usefixtures("poor")
def test_doctor_fails_for_an_unavailable_tier_and_says_what_to_do(run: Run) -> None:
    shown = run("doctor --tier 1")
    assert shown.exit_code == 1
    assert "sandbox tier 1 is not available: there is no program 'bwrap'; install it" in shown.stderr
    assert "-> there is no program 'bwrap'; install it" in shown.stdout


@pytest.mark.usefixtures("rich")
def test_doctor_says_what_each_missing_wall_would_give_and_fails_if_it_is_strict(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroups, "found", cgroups.Places)
    monkeypatch.setattr(entry, "version", lambda: 3)
    monkeypatch.setattr(walls, "proxy_failure", lambda: "bwrap failed with 'no network namespaces'")
    shown = run("doctor --strict")
    assert shown.exit_code == 1
    assert "bots can signal the processes of their sandbox, but not trace them" in shown.stdout
    assert "memory of the kernel: not counted" in shown.stderr
    assert "fair processors: by session" in shown.stderr
    assert "network of builds: not confined" in shown.stderr
    assert "-> bwrap failed with 'no network namespaces'" in shown.stdout
    assert "Delegate=yes" in shown.stderr


def test_a_strict_match_is_refused_on_a_machine_without_all_walls(
    refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroups, "found", cgroups.Places)
    assert "not everything that sandbox tier 1 promises can be enforced here" in refused(
        "play tzolkin random random --sandbox 1 --strict"
    )


def test_a_strict_match_in_tier_2_is_refused_on_a_machine_without_gvisor(
    refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walls, "unavailable", lambda tier: "there is no program 'runsc'" if tier == 2 else "")
    monkeypatch.setattr(walls, "lacking", lambda: "")
    assert "sandbox tier 2 promises can be enforced here: there is no program 'runsc'" in refused(
        "play tzolkin random random --sandbox 2 --strict"
    )


@pytest.mark.slow
def test_a_strict_tournament_looks_at_the_tier_of_its_file(
    refused: Refused, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walls, "lacking", lambda: "")
    monkeypatch.setattr(tiers, "unavailable", lambda _: "")  # else a machine without them says so first
    monkeypatch.setattr(walls, "unavailable", lambda tier: f"there is no tier {tier}")
    cup = place / "cup.toml"
    for tier, warning in (
        (0, "bots would not be confined at all"),
        (1, "there is no tier 1"),
        (2, "there is no tier 2"),
    ):
        cup.write_text(f'game = "bluff"\nbots = ["./low", "./any"]\n[sandbox]\ntier = {tier}\n')
        assert warning in refused("tournament cup.toml --strict")
        assert not (place / "runs").exists()


@pytest.mark.usefixtures("rich")
def test_a_strict_doctor_succeeds_where_every_wall_is_there(succeeds: Run) -> None:
    succeeds("doctor --strict")
    succeeds("doctor --strict --tier 2")


@pytest.mark.usefixtures("poor")
def test_doctor_succeeds_if_a_missing_tier_was_not_requested(run: Run) -> None:
    assert run("doctor").exit_code == run("doctor --tier 0").exit_code == 0


FLOCK = """
import fcntl
with open("/tmp/own", "w") as file:
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError:
        pass
"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace (apt install strace)")
def test_doctor_names_the_calls_that_a_bot_is_refused(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_sandbox()
    monkeypatch.delenv("BALLCOURT_GAMES")  # which the child could not import
    honest = Path(tests.bots.__file__).with_name("honest.py").read_text()
    (write_bot(tmp_path / "locks", "locks") / "own.py").write_text(FLOCK + honest)
    bot_file = tmp_path / "locks" / "bot.toml"
    bot_file.write_text('name = "locks"\nversion = "1"\ncommand = ["{python}", "own.py"]\n')
    shown = run("doctor", "--json", "--bot", str(tmp_path / "locks"))
    assert shown.stderr == ""
    calls = [found for found in json.loads(shown.stdout)["findings"] if found["topic"] == "refused calls"]
    assert [call["name"] for call in calls] == ["flock"]


def test_doctor_says_that_it_needs_strace_to_name_refused_calls(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "unavailable", lambda _: "")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    shown = run("doctor --bot low")
    assert shown.exit_code == 2
    assert "there is no program 'strace', which names refused calls; install it" in shown.stderr
