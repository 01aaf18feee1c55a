"""The two variants (RULES §9)."""

import pytest

from ballcourt.engine.core import InvalidOption
from ballcourt.engine.games.maya import GAME
from tests.engine.games.maya.decisions import legal, step_of
from tests.engine.games.maya.playing import new_match, seen, sizes, walk
from tests.engine.games.maya.vectors import apply, dump

MARKED = {"blue": "tikal", "green": "palenque", "yellow": "uxmal", "red": "coba"}
TEMPLES = {
    "blue": {"tikal", "yaxchilan", "caracol", "copan"},
    "green": {"edzna", "palenque", "tonina"},
    "yellow": {"uxmal", "mayapan", "chichen_itza"},
    "red": {"coba", "tulum", "lamanai"},
}
TABLES = [(2, "green"), (2, "yellow"), (2, "red"), (3, "green+yellow"), (3, "green+red"), (4, "green+yellow+red")]
EVERY_TABLE = pytest.mark.parametrize(("seats", "areas"), TABLES)


@EVERY_TABLE
def test_a_new_beginning_is_any_temple_space_in_play(seats: int, areas: str) -> None:
    """§9.1, §2.4"""
    state = new_match(seats, areas=areas, variant="new_beginning")
    chosen = [temple for area in ("blue", *areas.split("+")) for temple in TEMPLES[area]]
    assert sorted(value[0] for _, _, value in legal(state)) == sorted(chosen)


@EVERY_TABLE
def test_two_cities_are_any_two_marked_spaces_in_play(seats: int, areas: str) -> None:
    """§9.2, R-V2: two players have no choice."""
    state = new_match(seats, areas=areas, variant="two_cities")
    marked = sorted(MARKED[area] for area in ("blue", *areas.split("+")))
    pairs = [[one, other] for one in marked for other in marked if one < other]
    assert sorted(sorted(value) for _, _, value in legal(state)) == pairs


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("variant", ["new_beginning", "two_cities"])
def test_the_last_seat_chooses_before_racks_are_drawn(seats: int, variant: str) -> None:
    """R-V1: then seat 0 begins."""
    state = new_match(seats, variant=variant)
    assert (state.pending_seats(), step_of(state)) == ([seats - 1], "start_temples")
    assert (sizes(state, "rack"), sizes(state, "supply"), seen(state, "temples")) == ([0] * seats, [32] * seats, [])
    supplies = seen(state, "supply")
    choice = legal(state)[-1]
    apply(state, choice)
    assert set(seen(state, "temples")) == set(choice[2])
    assert (seen(state, "turn"), step_of(state)) == (0, "action")
    for seat, supply in supplies.items():
        assert sorted(seen(state, "rack")[seat]) == sorted(supply[:5])
        assert seen(state, "supply")[seat] == supply[5:]


def test_tikal_is_open_only_if_it_is_chosen() -> None:
    """§9.1, §9.2, §2.5"""
    state = new_match(4, variant="two_cities")
    apply(state, [3, "start_temples", ["uxmal", "coba"]])
    assert seen(state, "temples") == ["coba", "uxmal"]
    state = new_match(2, areas="red", variant="new_beginning")
    apply(state, [1, "start_temples", ["lamanai"]])
    assert seen(state, "temples") == ["lamanai"]


def test_the_order_of_two_cities_makes_no_difference() -> None:
    """§9.2"""
    one, other = new_match(4, variant="two_cities"), new_match(4, variant="two_cities")
    apply(one, [3, "start_temples", ["uxmal", "coba"]])
    apply(other, [3, "start_temples", ["coba", "uxmal"]])
    assert one.to_rows() == other.to_rows()


@pytest.mark.parametrize("variant", ["new_beginning", "two_cities"])
def test_the_other_rules_stay_as_they_are(variant: str) -> None:
    """§9.1, §9.2: a position reached with a variant is like any other."""
    state = new_match(3, variant=variant)
    apply(state, legal(state)[0])
    twin = GAME.from_rows(state.to_rows())
    assert twin.to_rows() == state.to_rows()
    for position in walk(state, 1):
        assert GAME.violations(position) == []
    assert dump(state)["over"] == "out"


def test_there_is_one_variant_at_a_time() -> None:
    """R-V3, §2.1"""
    with pytest.raises(InvalidOption, match="it must be one of none, new_beginning, two_cities"):
        new_match(3, variant="new_beginning+two_cities")
