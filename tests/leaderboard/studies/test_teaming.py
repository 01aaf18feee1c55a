"""The search for bots that team up: it finds those that do, and hardly ever others."""

import csv
import io

import numpy as np
import pytest

from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.fit.teaming import gains
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.scale import BETA
from ballcourt.leaderboard.studies.teaming import explanation, pairs_tested, to_csv, to_table
from tests.calibrate.worlds import WORLDS, draw_bots, play
from tests.leaderboard.made import match, placed, random_tables


def league(chance: np.random.Generator, help: float, *, blocks: int = 250) -> list[MatchResult]:
    """Return matches in which bot00 performs better by `help` when bot01 sits at its table."""
    strengths = chance.normal(0, BETA, 8)
    found = []
    for block in range(blocks):
        order = chance.choice(8, 4, replace=False)
        for rotation in range(4):
            table = np.roll(order, rotation)
            performance = strengths[table] + chance.normal(0, BETA, 4)
            performance[table == 0] += help * (1 in table)
            found.append(placed(f"b{block:06d}-r{rotation}", f"deal {block}", table, performance, table < 0, 0.0))
    return found


@pytest.mark.slow
def test_bots_that_team_up_are_found_and_no_others() -> None:
    found = others = 0
    for seed in range(100, 106):
        suspicious = [pair for pair in pairs_tested(league(np.random.default_rng(seed), BETA)) if pair.suspicious]
        names = [(pair.entrant.name, pair.helper.name) for pair in suspicious]
        found += ("bot00", "bot01") in names
        others += any(name != ("bot00", "bot01") for name in names)
        assert all(pair.gain > 3 * pair.error for pair in suspicious)
    assert found == 6
    assert others <= 1


def test_being_good_against_a_bot_is_no_help_of_it() -> None:
    """Ann always beats bob, whatever the others do."""
    chance = np.random.default_rng(4)
    found = []
    for block in range(200):
        order = [str(name) for name in chance.permutation(["ann", "bob", "cid", "dan", "eve", "fay"])[:4]]
        if {"ann", "bob"} <= {*order} and order.index("bob") < order.index("ann"):
            order.remove("bob")
            order.append("bob")
        found.append(match(f"b{block:06d}-r0", *order))
    assert not any(pair.suspicious for pair in pairs_tested(found) if pair.entrant.name == "ann")


@pytest.mark.slow
@pytest.mark.parametrize(
    "world",
    ["own model, 60 blocks", "a deal suits a seat", "Maya's seats doubled, no rotation", "Plackett-Luce", "crashes"],
)
def test_without_teaming_hardly_a_ladder_has_a_suspicious_pair(world: str) -> None:
    chance, model, leagues = np.random.default_rng(8), TrueSkill(), 40
    flagged, small = 0, []
    for _ in range(leagues):
        tables = play(WORLDS[world], draw_bots(WORLDS[world], chance), chance)
        found = gains(tables, fit_pairs(tables, model), model)
        flagged += bool((found.corrected < 0.05).any())
        small += (found.p < 0.05).tolist()
    assert flagged <= 5, "of 40, where 2 are expected"
    assert 0.03 < np.mean(small) < 0.06


def test_pairs_that_always_or_seldom_meet_are_not_tested() -> None:
    always = [match(f"b{block:06d}-r0", "ann", "bob", "cid") for block in range(30)]
    assert pairs_tested(always) == []
    assert "No pair was tested" in explanation([])
    assert pairs_tested(random_tables(np.random.default_rng(1), bots=12, blocks=5)) == []


def test_tables_of_two_seats_have_no_third_to_help_against() -> None:
    assert pairs_tested([match("b000000-r0", "ann", "bob")]) == []
    assert pairs_tested([]) == []


def test_the_correction_is_holms() -> None:
    found = pairs_tested(league(np.random.default_rng(5), 0.0, blocks=60))
    count = len(found)
    highest = 0.0
    for place, pair in enumerate(found):
        highest = max(highest, min(1.0, pair.p * (count - place)))
        assert pair.corrected == pytest.approx(highest)


def test_text_and_csv_name_the_pairs() -> None:
    matches = league(np.random.default_rng(100), BETA)
    pairs = pairs_tested(matches)
    assert to_table(matches[0].ladder, pairs).row_count == 10
    assert explanation(pairs).startswith("1 of 56 ordered pairs are suspicious.")
    rows = [*csv.DictReader(io.StringIO(to_csv({matches[0].ladder: pairs})))]
    assert len(rows) == 56
    assert (rows[0]["bot"], rows[0]["helper"], rows[0]["suspicious"]) == ("bot00", "bot01", "True")
