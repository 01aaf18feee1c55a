"""`ballcourt doctor` on this machine, and on one that lacks a tool."""

import json

import pytest

from ballcourt.arena.sandbox import bubblewrap, machine
from tests.arena.cli.conftest import Run


@pytest.fixture
def poor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "missing", lambda: "there is no program 'bwrap'; install it")


def test_doctor_shows_tiers_limits_clock_and_versions(run: Run) -> None:
    shown = run("doctor")
    assert shown.exit_code == 0
    for words in ("tier 0", "tier 1", "memory of a bot", "Unix sockets", "timers late by", "resolution", "rules"):
        assert words in shown.stdout


def test_doctor_prints_the_same_report_as_json(run: Run) -> None:
    shown = json.loads(run("doctor", "--json").stdout)
    assert shown["tiers"][0] == {"tier": 0, "available": True, "reason": ""}
    assert shown["tiers"][1]["available"] == (bubblewrap.missing() == "")
    assert {"sandbox", "limits", "sockets", "processors", "clock", "versions"} == {
        finding["topic"] for finding in shown["findings"]
    }


@pytest.mark.usefixtures("poor")
def test_doctor_fails_for_an_unavailable_tier_and_says_what_to_do(run: Run) -> None:
    shown = run("doctor", "--tier", "1")
    assert shown.exit_code == 1
    assert "sandbox tier 1 is not available: there is no program 'bwrap'; install it" in shown.stderr
    assert "-> there is no program 'bwrap'; install it" in shown.stdout


@pytest.mark.usefixtures("poor")
def test_doctor_succeeds_if_a_missing_tier_was_not_requested(run: Run) -> None:
    assert run("doctor").exit_code == run("doctor", "--tier", "0").exit_code == 0
