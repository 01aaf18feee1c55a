"""The published ratings: independent of order and names, equal to TrueSkill's fixed point, honest in small cases."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import log
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.estimates import MODEL, Field, estimate, tables_of
from ballcourt.leaderboard.model.fit.ep import solve
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.fit.questions import ahead_in_duels
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult
from ballcourt.leaderboard.model.scale import MU, SIGMA
from tests.leaderboard.made import alone, entrant, match, random_tables
from tests.leaderboard.oracle import fixed_point

NAMES = ("ann", "bob", "cid", "dan")


@some.composite
def tables(draw: some.DrawFn) -> list[MatchResult]:
    """Some matches of two to four entrants, ties among them."""
    made = []
    seats = draw(some.integers(2, 4))
    for number in range(draw(some.integers(1, 12))):
        names = draw(some.permutations(NAMES))[:seats]
        cuts = draw(some.lists(some.booleans(), min_size=len(names) - 1, max_size=len(names) - 1))
        line = names[0] + "".join(("|" if cut else " ") + name for cut, name in zip(cuts, names[1:], strict=True))
        made.append(match(f"m{number:02}", *line.split("|")))
    return made


def solo(chance: np.random.Generator) -> list[MatchResult]:
    """Matches of one seat, many with equal points."""
    return [
        alone(f"deal {deal}", f"bot{bot:02}", float(round(bot / 3 + chance.normal(0, 2))))
        for deal in range(12)
        for bot in range(7)
    ]


def by_name(field: Field) -> dict[str, tuple[float, float]]:
    return {found.entrant.name: (found.rating, found.error) for found in field.estimates}


def renamed(matches: list[MatchResult], names: dict[str, str]) -> list[MatchResult]:
    return [
        replace(
            played,
            seats=tuple(replace(seat, entrant=entrant(names[seat.entrant.name])) for seat in played.seats),
        )
        for played in matches
    ]


@settings(max_examples=20, deadline=None)
@given(tables(), some.randoms())
def test_ratings_do_not_depend_on_the_order_or_the_keys_of_matches(matches: list[MatchResult], chance: object) -> None:
    shuffled = [replace(played, key=f"other {number}") for number, played in enumerate(matches)]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = by_name(estimate(matches)), by_name(estimate(shuffled))
    for name in first:
        assert second[name] == pytest.approx(first[name], abs=1e-6)


@pytest.mark.parametrize("make", [random_tables, solo])
def test_ratings_do_not_depend_on_the_names_of_bots(make: object) -> None:
    matches = make(np.random.default_rng(5))  # type: ignore[operator]
    names = sorted({seat.entrant.name for played in matches for seat in played.seats})
    other = dict(zip(names, names[::-1], strict=True))
    first, second = by_name(estimate(matches)), by_name(estimate(renamed(matches, other)))
    for name in names:
        assert second[other[name]] == pytest.approx(first[name], abs=1e-6)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_rating_is_the_fixed_point_of_trueskill(seats: int) -> None:
    """With ties, and with a bot that loses its seat now and then."""
    check_fixed_point(random_tables(np.random.default_rng(seats), bots=6, seats=seats, blocks=12 // seats))


def test_the_rating_of_one_seat_matches_is_the_fixed_point_of_their_comparisons() -> None:
    field = [alone(f"deal {deal}", name, deal % 3 + skill) for deal in range(6) for skill, name in enumerate(NAMES)]
    check_fixed_point(field[:-2])


def check_fixed_point(matches: list[MatchResult]) -> None:
    entrants = sorted({seat.entrant for played in matches for seat in played.seats})
    tables = tables_of(matches, entrants)
    fit = fit_pairs(tables, MODEL)
    without_seats = replace(fit, seat=np.zeros_like(fit.seat))
    skills = solve(tables.with_ties_by(fit.skill), without_seats, MODEL)
    theirs = fixed_point(matches, fit.margin)
    for row, one in enumerate(entrants):
        assert (skills.mu[row], skills.sigma[row]) == pytest.approx(theirs[one], abs=5e-4)


def test_the_winner_of_more_of_the_same_matches_is_rated_higher() -> None:
    """A single pass fails this: later matches count more."""
    won = "bbbbbbaaaa"
    matches = [match(f"m{n}", *(("bob", "ann") if who == "b" else ("ann", "bob"))) for n, who in enumerate(won)]
    assert [found.entrant.name for found in estimate(matches).estimates] == ["bob", "ann"]


def owned(matches: Sequence[MatchResult], owners: Mapping[str, str]) -> list[MatchResult]:
    """Return matches with these owners of bots, by name."""
    return [
        replace(found, seats=tuple(replace(seat, owner=owners.get(seat.entrant.name, "")) for seat in found.seats))
        for found in matches
    ]


def test_equal_records_give_equal_ratings() -> None:
    found = by_name(estimate([match("m1", "ann", "bob"), match("m2", "bob", "ann")]))
    assert found["ann"] == pytest.approx(found["bob"], abs=1e-6)
    assert found["ann"][0] == pytest.approx(MU, abs=1e-6)


def test_the_mean_of_all_ratings_is_the_prior_mean() -> None:
    field = estimate([match(f"m{n}", *NAMES) for n in range(9)])
    assert np.mean([found.rating for found in field.estimates]) == pytest.approx(MU)


def test_ratings_relative_to_anchors_have_their_mean_at_25() -> None:
    matches = random_tables(np.random.default_rng(3))
    field = {found.entrant.name: found for found in estimate(matches, ["bot01", "bot02"]).estimates}
    assert (field["bot01"].rating + field["bot02"].rating) / 2 == pytest.approx(MU)
    assert field["bot01"].error == pytest.approx(field["bot02"].error)
    only = {found.entrant.name: found for found in estimate(matches, ["bot01"]).estimates}
    assert only["bot01"].error == pytest.approx(0, abs=1e-6)


def test_the_residents_of_a_ladder_are_its_anchors_unless_others_are_asked_for() -> None:
    matches = owned(random_tables(np.random.default_rng(3)), {"bot01": LADDER_ITSELF, "bot02": LADDER_ITSELF})
    assert estimate(matches).estimates == estimate(matches, ["bot01", "bot02"]).estimates
    other = {found.entrant.name: found.rating for found in estimate(matches, ["bot03"]).estimates}
    assert other["bot03"] == pytest.approx(MU)
    none = estimate(matches, ()).estimates
    assert np.mean([found.rating for found in none]) == pytest.approx(MU)
    assert none == estimate(owned(matches, {})).estimates


def test_the_spread_of_a_rating_does_not_depend_on_anchors() -> None:
    matches = random_tables(np.random.default_rng(3))
    plain = {found.entrant: found for found in estimate(matches).estimates}
    for found in estimate(matches, ["bot01"]).estimates:
        assert found.spread == plain[found.entrant].spread == plain[found.entrant].error
        assert found.error != pytest.approx(found.spread)


def test_an_anchor_that_has_not_played_is_refused() -> None:
    with pytest.raises(LeaderboardError, match="no bot is named 'zoe'"):
        estimate([match("m", "ann", "bob")], ["ann", "zoe"])


def test_a_single_match_leaves_ranks_open_and_many_separate_them() -> None:
    once = estimate([match("m", "ann", "bob")]).estimates
    often = estimate([one for number in range(12) for one in turned(f"b{number:06}", "ann", "bob")])
    assert [found.ranks for found in once] == [(1, 2), (1, 2)]
    assert [found.ranks for found in often.estimates] == [(1, 1), (2, 2)]
    assert [found.separated for found in once] == [None, False]
    assert [found.separated for found in often.estimates] == [None, True]
    assert often.estimates[0].best > 0.99
    assert often.estimates[0].above_next is not None
    assert often.estimates[0].above_next > 0.9
    assert often.estimates[1].above_next is None


def turned(block: str, *places: str) -> list[MatchResult]:
    """Return a block of two matches with this result, each in the seats of the other."""
    first, second = (match(f"{block}-r{turn}", *places) for turn in range(2))
    return [first, replace(second, deal=first.deal, seats=second.seats[::-1])]


def test_ranks_stay_open_where_the_seat_may_be_why_one_always_wins() -> None:
    found = estimate([match(f"m{number}", "ann", "bob") for number in range(60)])
    assert [one.ranks for one in found.estimates] == [(1, 2), (1, 2)]


def test_more_evidence_is_needed_the_more_pairs_there_are() -> None:
    def ranges(rivals: Sequence[str], blocks: int) -> tuple[int, int]:
        """Return the range of "ann", who wins all blocks with "bob", with rivals that have met each other alone."""
        played = [one for number in range(blocks) for one in turned(f"b{number:06}", "ann", "bob")]
        others = [one for pair in pairwise(rivals) for one in turned(f"c-{pair[0]}", *pair)]
        (found,) = (one for one in estimate([*played, *others]).estimates if one.entrant.name == "ann")
        return found.ranks

    assert ranges((), 9) == (1, 1)
    assert ranges(("cid", "dan", "eve", "fay"), 9)[1] == 6
    assert ranges(("cid", "dan", "eve", "fay"), 20)[1] == 5


@pytest.mark.parametrize(("wins", "separated"), [(20, True), (17, True), (13, False), (10, False), (0, True)])
def test_who_is_ahead_in_duels_follows_from_the_blocks_in_which_both_seats_turned(wins: int, separated: bool) -> None:
    played = [
        one
        for number in range(20)
        for one in turned(f"b{number:06}", *(("ann", "bob") if number < wins else ("bob", "ann")))
    ]
    tables = tables_of(played, [entrant("ann"), entrant("bob")])
    asked = ~np.eye(2, dtype=np.bool_)
    found = ahead_in_duels(tables, asked, log(2 / 0.05))
    assert found.tolist() == [[False, separated and wins > 10], [separated and wins < 10, False]]
    assert not ahead_in_duels(tables, ~asked, log(2 / 0.05)).any(), "nothing else is looked at"
    same_seats = [one for one in played if one.key.endswith("r0")]
    assert not ahead_in_duels(tables_of(same_seats, [entrant("ann"), entrant("bob")]), asked, log(2 / 0.05)).any()


def test_a_long_series_of_one_sided_matches_stays_finite() -> None:
    field = estimate([match(f"m{n:03}", *NAMES) for n in range(60)])
    assert [found.entrant.name for found in field.estimates] == list(NAMES)
    assert all(abs(found.rating) < 200 and 0 < found.error < SIGMA for found in field.estimates)


@pytest.mark.parametrize("played", [match("m", "ann"), match("m", "ann", "ann")])
def test_uninformative_matches_leave_the_prior(played: MatchResult) -> None:
    assert by_name(estimate([played])) == {"ann": pytest.approx((MU, SIGMA))}


def test_no_matches_give_no_ratings() -> None:
    assert estimate([]).estimates == []


def test_a_match_with_a_bot_at_two_seats_counts() -> None:
    """New, new, old, old: tables as in a test of versions; the seats rotate."""
    tables = [match(f"m{n}", "new", "new old", "old") for n in range(20)]
    rotated = [replace(one, seats=one.seats[n % 4 :] + one.seats[: n % 4]) for n, one in enumerate(tables)]
    found = by_name(estimate(rotated))
    assert found["new"][0] > found["old"][0] + 3


def test_an_advantage_of_a_seat_does_not_affect_ratings() -> None:
    """Seat 0 always wins; ann sat there three times in four, so she is not better."""
    ann_first, bob_first = match("m", "ann", "bob"), match("m", "bob", "ann")
    swapped = replace(bob_first, seats=bob_first.seats[::-1])
    matches = [replace(ann_first if n % 4 else swapped, key=f"m{n}", deal=f"d{n}") for n in range(200)]
    found = by_name(estimate(matches))
    assert abs(found["ann"][0] - found["bob"][0]) < 2.0  # 4.0 without seat effects


def test_a_field_without_cycles_shows_none_and_rock_paper_scissors_does() -> None:
    chance = np.random.default_rng(8)
    ranked = estimate(random_tables(chance, bots=6, seats=2, blocks=400)).cycles
    assert ranked is not None
    assert ranked.share < 3 * ranked.error
    beats = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
    played = [match(f"m{n}", *beats[n % 3]) for n in range(300)]
    seated = [replace(one, seats=one.seats[::-1]) if n % 2 else one for n, one in enumerate(played)]
    circle = estimate(seated).cycles
    assert circle is not None
    assert circle.share > 0.9
    assert [share for _, share in circle.mix] == pytest.approx([1 / 3] * 3, abs=1e-3)


def test_a_large_field_that_met_rarely_has_no_cycles_either() -> None:
    """With a dozen blocks for each of 100 bots, what the fit has adapted to is a part of the results that counts."""
    shares = [
        (found.share, found.error)
        for seed in range(3)
        if (found := estimate(random_tables(np.random.default_rng(seed), bots=100, blocks=300, margin=0.0)).cycles)
    ]
    assert [abs(share) < 1.96 * error for share, error in shares] == [True] * 3


def test_pairs_that_met_once_say_nothing_of_cycles() -> None:
    pairs = [match(f"m{one}-{other}", f"bot{one}", f"bot{other}") for one in range(24) for other in range(one)]
    assert len(pairs) > 200
    assert estimate(pairs).cycles is None


def test_cycles_are_not_reported_from_a_few_blocks() -> None:
    assert estimate([match(f"m{n}", *NAMES) for n in range(199)]).cycles is None


def names_of(field: Field) -> list[BotVersion]:
    return [found.entrant for found in field.estimates]


def test_entrants_with_equal_ratings_are_listed_by_name() -> None:
    assert names_of(estimate([match("m", "ann bob")])) == [entrant("ann"), entrant("bob")]


def test_bots_that_always_tie_in_all_seats_have_the_same_rating_and_error() -> None:
    """Ties in the order of names would give others to the entrant in the middle of the alphabet."""
    blocks = []
    for block in range(7):
        table = match(f"b{block:06}-r0", "ann bob cid")
        turned = [table.seats[turn:] + table.seats[:turn] for turn in range(3)]
        blocks += [replace(table, key=f"b{block:06}-r{turn}", seats=seats) for turn, seats in enumerate(turned)]
    found = by_name(estimate(blocks))
    assert found["ann"] == pytest.approx(found["bob"], abs=1e-6)
    assert found["ann"] == pytest.approx(found["cid"], abs=1e-6)


def test_a_few_ties_say_how_often_equals_are_tied() -> None:
    played = [match(f"m{number:02}", *(("ann bob",) if number % 5 else ("ann", "bob"))) for number in range(30)]
    fit = fit_pairs(tables_of(played, [entrant("ann"), entrant("bob")]), MODEL)
    assert 0.7 < 2 * NormalDist().cdf(fit.margin / MODEL.spread) - 1 < 0.85


def test_a_bot_that_wins_duels_with_a_better_one_is_not_ranked_above_it() -> None:
    played = []
    for number in range(14):
        played += turned(f"a{number:06}", "ann", "bob")
        for name in ("cid", "dan", "eve"):
            played += turned(f"{name}-a{number:06}", name, "ann") + turned(f"{name}-b{number:06}", "bob", name)
    found = estimate(played).estimates
    assert found[0].entrant.name == "bob"
    assert all(one.ranks[0] <= rank <= one.ranks[1] for rank, one in enumerate(found, start=1))
