"""A rating over matches and time, and the parts of its changes."""

from dataclasses import replace

import numpy as np
import pytest

from ballcourt.leaderboard.model.estimates import MODEL, estimate, tables_of
from ballcourt.leaderboard.model.fit.contributions import contributions, levers
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.studies.history import Unit, change, change_table, history, to_table
from tests.leaderboard.made import alone, entrant, match, random_tables

ANN = entrant("ann")


def dated(matches: list[MatchResult], per_day: int = 8) -> list[MatchResult]:
    return [
        replace(played, started=f"2026-11-{1 + n // per_day:02}T10:00:{n % per_day:02}Z")
        for n, played in enumerate(matches)
    ]


def league(seed: int, bots: int = 8, blocks: int = 50) -> list[MatchResult]:
    return dated(random_tables(np.random.default_rng(seed), bots=bots, blocks=blocks))


def test_the_last_checkpoint_is_the_published_rating_and_each_one_that_of_its_time() -> None:
    played, bot = league(1), entrant("bot03")
    found = history(played[::-1], bot)
    assert len(found) == 20
    assert found[-1].all_matches == len(played)
    for one in (found[4], found[-1]):
        now = {row.entrant: row for row in estimate(played[: one.all_matches]).estimates}
        assert one.rating == pytest.approx(now[bot].rating, abs=1e-6)
        assert one.sigma == pytest.approx(now[bot].error, abs=1e-6)
        assert one.matches == sum(bot in {seat.entrant for seat in match.seats} for match in played[: one.all_matches])
    assert [one.time for one in found] == sorted(one.time for one in found)
    assert to_table(played[0].ladder, "bot03 1", found).row_count == 20


def test_a_bot_with_few_matches_has_a_checkpoint_for_each() -> None:
    found = history(dated([match("m1", "ann", "bob"), match("m2", "bob", "cid"), match("m3", "bob", "ann")]), ANN)
    assert [(one.number, one.matches, one.all_matches) for one in found] == [(1, 1, 1), (2, 2, 3)]
    assert found[0].rating > 25 > found[1].low


@pytest.mark.slow
@pytest.mark.parametrize("unit", Unit)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_parts_of_a_change_add_up_to_it(seed: int, unit: Unit) -> None:
    """The rest is the difference between the published rating and the pairs model, small beside a standard error."""
    played, bot = league(seed), entrant("bot02")
    found = history(played, bot)
    why = change(played, bot, found[9], found[13], unit)
    assert sum(part.points for part in why.parts) + why.rest == pytest.approx(why.points)
    assert abs(why.rest) < 0.15 * found[13].sigma
    sizes = [abs(part.points) for part in why.parts]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(part.matches for part in why.parts) == found[13].all_matches - found[9].all_matches
    assert change_table(why).row_count == min(len(why.parts), 12) + (len(why.parts) > 12) + 1


@pytest.mark.parametrize("seats", [2, 4])
def test_contributions_of_tables_add_up_to_the_change_of_the_fit(seats: int) -> None:
    matches = random_tables(np.random.default_rng(seats), bots=8, seats=seats, blocks=60)
    entrants = sorted({seat.entrant for played in matches for seat in played.seats})
    start = len(matches) * 2 // 3
    tables = tables_of(matches, entrants)
    old, new = fit_pairs(tables_of(matches[:start], entrants), MODEL), fit_pairs(tables, MODEL)
    for bot in range(8):
        lever = levers(tables, old, new, bot, MODEL)
        found = contributions(tables_of(matches[start:], entrants), old, lever, MODEL).sum()
        assert found == pytest.approx(new.skill[bot] - old.skill[bot], abs=0.05)


def test_a_day_of_defeats_costs_points_and_a_day_of_wins_brings_them() -> None:
    even = [match(f"a{n}", *(("ann", "bob", "cid") if n % 2 else ("cid", "bob", "ann"))) for n in range(16)]
    won = [match(f"b{n}", "ann", "bob", "cid") for n in range(8)]
    lost = [match(f"c{n}", "cid", "bob", "ann") for n in range(4)]
    played = dated([*even, *won, *lost])
    found = history(played, ANN)
    start = next(one for one in found if one.matches >= 16)
    points = {part.name: part.points for part in change(played, ANN, start, found[-1], Unit.DAY).parts}
    assert points["2026-11-03"] > 0.5
    assert points["2026-11-04"] < -0.3


def solitary(seed: int, deals: int = 60) -> list[MatchResult]:
    """Matches of one seat: four bots of different strength on each deal, in any order."""
    chance = np.random.default_rng(seed)
    points = {"ann": 4.0, "bob": 4.5, "cid": 5.0, "dan": 5.5}
    played = [
        alone(f"d{deal:03}", name, round(chance.normal(mean, 1), 1))
        for deal in range(deals)
        for name, mean in points.items()
    ]
    return dated([played[number] for number in chance.permutation(len(played))])


@pytest.mark.slow
@pytest.mark.parametrize("unit", Unit)
def test_the_change_of_a_one_seat_rating_is_split_too(unit: Unit) -> None:
    played = solitary(1)
    found = history(played, ANN)
    why = change(played, ANN, found[13], found[17], unit)
    assert sum(part.points for part in why.parts) + why.rest == pytest.approx(why.points)
    assert abs(why.rest) < 0.25 * found[17].sigma
    assert sum(part.matches for part in why.parts) == found[17].all_matches - found[13].all_matches
    named = {Unit.MATCH: lambda one: one.key, Unit.BLOCK: lambda one: one.deal, Unit.DAY: lambda one: one.started[:10]}
    assert len(why.parts) == len({named[unit](one) for one in played[found[13].all_matches : found[17].all_matches]})


def test_a_one_seat_match_that_beats_others_on_its_deal_brings_points_and_the_first_of_a_deal_none() -> None:
    old = [alone(f"d{deal}", name, deal % 3) for deal in range(8) for name in ("ann", "bob")]
    new = [alone("new", "ann", 9.0), alone("new", "bob", 1.0), alone("d0", "cid", 5.0)]
    played = dated([*old, *new])
    found = history(played, ANN)
    start = found[7]
    parts = {part.name: part.points for part in change(played, ANN, start, found[-1], Unit.MATCH).parts}
    first, against, lost = (parts[match.key] for match in new)
    assert first == 0
    assert against > 0.1
    assert lost < -0.1
