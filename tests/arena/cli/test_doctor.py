"""`ballcourt doctor` on this machine, and on one that lacks something."""

import json

import pytest

from ballcourt.arena.sandbox import bubblewrap, machine
from tests.arena.cli.conftest import Run


@pytest.fixture
def poor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "missing", lambda: "there is no program 'bwrap'; install it")


def test_it_tells_tiers_limits_clock_and_versions(run: Run) -> None:
    told = run("doctor")
    assert told.exit_code == 0
    for words in ("tier 0", "tier 1", "memory of a bot", "Unix sockets", "timers late by", "resolution", "rules"):
        assert words in told.stdout


def test_programs_get_the_same(run: Run) -> None:
    told = json.loads(run("doctor", "--json").stdout)
    assert told["tiers"][0] == {"tier": 0, "available": True, "reason": ""}
    assert told["tiers"][1]["available"] == (bubblewrap.missing() == "")
    assert {"sandbox", "limits", "sockets", "processors", "clock", "versions"} == {
        finding["topic"] for finding in told["findings"]
    }


@pytest.mark.usefixtures("poor")
def test_a_demand_that_is_not_met_fails_and_says_what_to_do(run: Run) -> None:
    told = run("doctor", "--tier", "1")
    assert told.exit_code == 1
    assert "sandbox tier 1 is not available: there is no program 'bwrap'; install it" in told.stderr
    assert "-> there is no program 'bwrap'; install it" in told.stdout


@pytest.mark.usefixtures("poor")
def test_what_is_missing_is_no_failure_while_nobody_demands_it(run: Run) -> None:
    assert run("doctor").exit_code == run("doctor", "--tier", "0").exit_code == 0
