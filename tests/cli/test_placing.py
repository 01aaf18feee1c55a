"""Who is where by the rules of a format, and entrants without a match: in every command that shows an event."""

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.placing import read_placing
from tests.arena.tournament.in_process import play_all
from tests.cli.conftest import Run

BOTS = ("ann", "bob", "cid", "dan", "eve")


@pytest.fixture
def cup(place: Path) -> Event:
    """Five bots at three seats: in its one round, two have a bye."""
    bots = tuple(f"{name}={place / 'low'}" for name in BOTS)
    return Event().replaced(game="bluff", bots=bots, seats=3, rounds=1, seed=7, format="swiss")


@pytest.fixture
def played(cup: Event, place: Path) -> dict[str, Any]:
    play_all(place / "cup", cup)
    found: dict[str, Any] = json.loads((place / "cup" / "placing.json").read_text())
    return found


def test_a_leaderboard_begins_with_the_order_by_the_rules(run: Run, played: dict[str, Any]) -> None:
    shown = run("leaderboard cup").stdout
    assert "By the rules of swiss" in shown.splitlines()[0]
    assert shown.index("By the rules") < shown.index("bluff, rules")
    assert json.loads(run("leaderboard cup --json").stdout)["placing"] == played
    assert run("leaderboard cup --markdown").stdout.startswith("### By the rules of swiss\n")
    assert "By the rules" not in run("leaderboard cup --bot ann").stdout
    assert run("leaderboard cup --rebuild").stdout == shown
    assert run("event watch cup").stdout == shown


def test_bots_without_a_match_are_in_every_table(run: Run, played: dict[str, Any]) -> None:
    assert sorted(bot["name"] for bot in played["bots"]) == [*BOTS]
    assert Counter(row["byes"] for row in played["placing"]["places"]) == {0: 3, 1: 2}
    (ladder,) = json.loads(run("leaderboard cup --json").stdout)["ladders"]
    unplayed = [row["bot"] for row in ladder["unplayed"]]
    assert sorted([*unplayed, *(row["bot"] for row in ladder["standings"])]) == [*BOTS]
    rows = list(csv.DictReader(io.StringIO(run("leaderboard cup --csv").stdout)))
    assert [(row["bot"], row["matches"], row["rating"]) for row in rows[3:]] == [(bot, "0", "") for bot in unplayed]
    for form in ([], ["--markdown"]):
        rated = run("leaderboard", "cup", *form).stdout.partition("bluff, rules")[2]
        assert all(bot in rated for bot in BOTS)
    assert unplayed[0] in run("leaderboard", "cup", "--bot", unplayed[0]).stdout


def test_a_plan_says_how_many_bots_have_a_bye(run: Run, place: Path) -> None:
    flags = [word for name in BOTS for word in ("--bot", f"{name}=./low")]
    planned = run("tournament", "--game", "bluff", "--seats", "3", *flags, "--format", "swiss", "--plan")
    assert "2 bots of 5 have a bye in the first round" in planned.stdout


def test_a_certificate_names_the_bots_without_a_match(run: Run, played: dict[str, Any]) -> None:
    resting = [row["entrant"] for row in played["placing"]["places"] if row["byes"]]
    printed = run("event certificate cup").stdout
    assert f"without a match: {', '.join(BOTS[entrant] for entrant in sorted(resting))}" in printed
    assert f"byes: {', '.join(f'{BOTS[entrant]} (1)' for entrant in resting)}" in printed


def test_a_format_that_ranks_by_ratings_has_one_table(run: Run, cup: Event, place: Path) -> None:
    play_all(place / "all", cup.replaced(format="round-robin"))
    assert "By the rules" not in run("leaderboard all").stdout
    assert json.loads(run("leaderboard all --json").stdout)["placing"] is None
    assert read_placing(place / "all") is None
