"""One row for each owner: its bots are rated as one."""

import numpy as np
import pytest

from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.standings import Standing, boards, by_ladder
from tests.leaderboard.made import entrant, match, owned

COPIES = [f"copy{number}" for number in range(8)]
OWNERS = dict.fromkeys(COPIES, "many") | {"rob": "one"}


def rows_of(matches: list[MatchResult], *, owners: bool) -> list[Standing]:
    [board] = boards(by_ladder(matches), owners=owners).values()
    return board.rows


def league(chance: np.random.Generator) -> list[MatchResult]:
    """Return a league of equal bots, of which one owner entered eight."""
    field = [*COPIES, "rob", "bob", "cid"]
    seated = [chance.permutation(field)[:2] for _ in range(100)]
    return [owned(match(f"b{number:03}", *map(str, two)), **OWNERS) for number, two in enumerate(seated)]


def test_eight_copies_are_not_more_often_first_than_one_equal_rival() -> None:
    chance = np.random.default_rng(8)
    leagues = [league(chance) for _ in range(60)]
    ahead = [[row.owners for row in rows_of(played, owners=True)] for played in leagues]
    assert 0.35 < np.mean([order.index(("many",)) < order.index(("one",)) for order in ahead]) < 0.6
    one_by_one = [[row.owners for row in rows_of(played, owners=False)] for played in leagues]
    assert np.mean([order.index(("many",)) < order.index(("one",)) for order in one_by_one]) > 0.75


def test_a_row_sums_up_the_matches_of_all_bots_of_its_owner() -> None:
    played = [owned(match("m1", "copy1", "rob"), **OWNERS), owned(match("m2", "copy2", "bob"), **OWNERS)]
    rows = {row.entrant: row.matches for row in rows_of(played, owners=True)}
    assert rows == {entrant("many", ""): 2, entrant("one", ""): 1, entrant("bob"): 1}


@pytest.mark.parametrize("owners", [("ann", "zoe"), (LADDER_ITSELF,)])
def test_bots_of_several_owners_and_of_the_ladder_itself_keep_a_row_of_their_own(owners: tuple[str, ...]) -> None:
    played = [owned(match(f"m{owner}", "copy1", "bob"), copy1=owner) for owner in owners]
    first = rows_of(played, owners=True)[0]
    assert (first.entrant, first.owners) == (entrant("copy1"), owners)


def test_a_match_among_bots_of_one_owner_says_nothing_of_it() -> None:
    two = [owned(match("m1", "copy1", "copy2"), **OWNERS), owned(match("m2", "copy1", "rob"), **OWNERS)]
    with_it, without = rows_of(two, owners=True), rows_of(two[1:], owners=True)
    assert [row.rating for row in with_it] == [row.rating for row in without]
