"""Setting the table up (RULES §1, §2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.engine.core import InvalidOption
from ballcourt.engine.core.observation import observe
from ballcourt.engine.games.tzolkin import GAME
from ballcourt.engine.games.tzolkin.actions import BEG, KEEP
from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.playing import at_table, board, gained, offered, play, seat, standing
from tests.engine.games.tzolkin.positions import dump
from tests.engine.games.tzolkin.procedures import PROCEDURES

WEALTH = {
    1: {"corn": 3, "quetzalcoatl": 1, "agriculture": 1},
    2: {"corn": 5, "gold": 1, "quetzalcoatl": 1},
    3: {"stone": 1, "gold": 1, "agriculture": 1},
    4: {"corn": 9, "stone": 1},
    5: {"wood": 1, "kukulcan": 1, "extraction": 1},
    6: {"corn": 2, "wood": 2, "kukulcan": 1},
    7: {"corn": 4, "wood": 1, "extraction": 1},
    8: {"corn": 3, "wood": 2, "stone": 1},
    9: {"corn": 2, "chaac": 1, "architecture": 1},
    10: {"corn": 6, "stone": 2},
    11: {"corn": 3, "gold": 1, "architecture": 1},
    12: {"corn": 6, "wood": 1, "stone": 1},
    13: {"corn": 5, "stone": 1, "chaac": 1},
    14: {"corn": 3, "wood": 1, "free_food": 1},
    15: {"workers": 1, "available": 1},
    16: {"corn": 8, "gold": 1},
    17: {"corn": 4, "wood": 1, "skull": 1},
    18: {"corn": 5, "stone": 1, "theology": 1},
    19: {"corn": 4, "wood": 3},
    20: {"corn": 2, "wood": 2, "theology": 1},
    21: {"corn": 7, "wood": 2},
}
DUMMY_SPACES = {
    1: ("palenque", 1),
    2: ("palenque", 3),
    3: ("palenque", 5),
    4: ("palenque", 7),
    5: ("yaxchilan", 1),
    6: ("yaxchilan", 3),
    7: ("yaxchilan", 5),
    8: ("yaxchilan", 7),
    9: ("tikal", 1),
    10: ("tikal", 3),
    11: ("tikal", 5),
    12: ("tikal", 7),
    13: ("uxmal", 1),
    14: ("uxmal", 3),
    15: ("uxmal", 5),
    16: ("uxmal", 7),
    17: ("chichen_itza", 0),
    18: ("chichen_itza", 3),
    19: ("chichen_itza", 5),
    20: ("chichen_itza", 7),
    21: ("chichen_itza", 10),
}


def new_match(seats: int, seed: int = 1, **options: str) -> TzolkinState:
    state = GAME.initial_state(seats, seed, options)
    assert isinstance(state, TzolkinState)
    return state


@pytest.mark.parametrize(("seats", "monuments", "dummies"), [(2, 4, 12), (3, 5, 6), (4, 6, 0)])
def test_the_table_is_set_for_the_number_of_players(seats: int, monuments: int, dummies: int) -> None:
    """§2.2, §2.3, §2.4, §2.6, §1.2"""
    table = dump(new_match(seats))
    assert len(table["monuments_displayed"]) == len(set(table["monuments_displayed"])) == monuments
    assert len(table["row"]) == 6
    assert table["jungle_corn"] == dict.fromkeys(("2", "3", "4", "5"), seats)
    assert table["jungle_wood"] == dict.fromkeys(("3", "4", "5"), seats)
    assert [slot for gear in table["gears"].values() for slot in gear.values()].count("D") == dummies
    assert {gear: len(slots) for gear, slots in table["gears"].items()} == {
        "palenque": 10,
        "yaxchilan": 10,
        "tikal": 10,
        "uxmal": 10,
        "chichen_itza": 13,
    }


@given(st.integers(2, 4), st.integers(0, 2**64 - 1))
def test_every_tile_is_dealt_once(seats: int, seed: int) -> None:
    """§2.1, §1.6"""
    table = dump(new_match(seats, seed))
    assert sorted(table["row"] + table["deck"]) == list(range(1, 15))
    assert sorted(table["deck_age2"]) == list(range(15, 33))
    offered_tiles = [tile for offer in table["wealth_offer"] for tile in offer]
    assert [len(offer) for offer in table["wealth_offer"]] == [4] * seats
    dealt = offered_tiles + table["wealth_drawn"]
    assert len(set(dealt)) == len(dealt)
    assert set(dealt) <= set(range(1, 22))


def test_a_match_starts_on_day_1_with_an_empty_calendar() -> None:
    """§2.9, §1.1, §1.3, §1.5"""
    table = dump(new_match(4))
    assert (table["day"], table["age"], table["next_food_day_index"]) == (1, 1, 0)
    assert (table["pot"], table["sp"], table["skull_bank"], table["chichen_used"]) == (0, None, 13, [])


def test_all_players_start_alike() -> None:
    """§2.5, §1.7"""
    for player in dump(new_match(3))["player"].values():
        assert player == {
            **dict.fromkeys(("corn", "wood", "stone", "gold", "skull", "corn_tiles", "wood_tiles"), 0),
            **dict.fromkeys(("free_food", "food_discount", "vp"), 0),
            "workers": 3,
            "available": 3,
            "light": True,
            "buildings": [],
            "monuments": [],
            "wealth": [],
            "temples": {"chaac": 1, "quetzalcoatl": 1, "kukulcan": 1},
            "tech": {"agriculture": 0, "extraction": 0, "architecture": 0, "theology": 0},
        }


def test_two_of_four_wealth_tiles_are_kept() -> None:
    """§2.7: any two."""
    state = at_table(players=2, wealth_offer=[[1, 5, 14, 15], [17, 3, 4, 6]])
    assert offered(state) == {"keep 1 5", "keep 1 14", "keep 1 15", "keep 5 14", "keep 5 15", "keep 14 15"}
    play(state, "keep 5 15", "keep 17 6")
    assert [seat(state, number)["wealth"] for number in (0, 1)] == [[5, 15], [6, 17]]


@pytest.mark.parametrize("tile", WEALTH)
def test_a_wealth_tile_gives_what_it_shows(tile: int) -> None:
    """§2.7, R-01: nothing is asked, the first turn follows at once. Tile 15 gives only a worker."""
    others = [other for other in (15, 16, 14) if other != tile][:1]
    rest = [other for other in range(1, 22) if other not in (tile, *others)]
    state = at_table(players=2, wealth_offer=[[tile, *others, *rest[:2]], rest[2:6]])
    before = seat(state)
    play(state, f"keep {tile} {others[0]}", f"keep {rest[2]} {rest[3]}")
    both = dict(WEALTH[others[0]])
    for name, count in WEALTH[tile].items():
        both[name] = both.get(name, 0) + count
    after = seat(state)
    kept = sorted([tile, others[0]])
    assert gained(before, after) == {**both, "wealth": kept}
    assert (board(state)["phase"], board(state)["turn"]) == ("turn", 0)


def test_nothing_is_given_before_the_last_player_has_chosen() -> None:
    """R-01, §2.7: the answers come in any order and stay secret until they are complete."""
    offers = [[1, 5, 14, 15], [17, 3, 4, 6], [7, 8, 9, 10]]
    state, other = at_table(players=3, wealth_offer=offers), at_table(players=3, wealth_offer=offers)
    for number in (0, 1, 2):
        state.apply(number, 1)
        shown = observe(state, (number + 1) % 3).public
        assert (shown == observe(other, 0).public) == (number < 2)
    for number in (2, 0, 1):
        other.apply(number, 1)
    assert other.to_rows() == state.to_rows()


def test_the_choice_of_tiles_is_seen_by_its_own_seat_only() -> None:
    """R-01, §1.7: every later action is open to all."""
    state = new_match(3)
    assert [state.seen_action(1, KEEP + 4, observer) for observer in (-1, 0, 1, 2)] == [0, 0, KEEP + 4, 0]
    assert [state.seen_action(1, BEG, observer) for observer in (-1, 0, 1, 2)] == [BEG] * 4


@pytest.mark.parametrize("start", [0, 1, 2])
def test_the_starting_player_can_be_chosen(start: int) -> None:
    """R-02, §2.8"""
    state = new_match(3, start_player=str(start))
    play(state, *[f"keep {offer[0]} {offer[1]}" for offer in state.offers])
    assert (board(state)["start_player"], board(state)["turn"]) == (start, start)


def test_the_starting_player_is_drawn_unless_named() -> None:
    """R-02, §2.8"""
    starts = [board(new_match(4, seed))["start_player"] for seed in range(40)]
    assert set(starts) == {0, 1, 2, 3}
    assert starts == [board(new_match(4, seed))["start_player"] for seed in range(40)]


def test_naming_the_starting_player_changes_nothing_else() -> None:
    """R-02"""
    one, other = (dump(new_match(4, 9, start_player=start)) for start in ("1", "2"))
    differing = {name for name in one if one[name] != other[name]}
    assert differing == {"start_player"}


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (1, {}, "tzolkin is not played by 1; it takes 2, 3, 4 seats"),
        (5, {}, "tzolkin is not played by 5"),
        (2, {"start_player": "2"}, "option start_player of tzolkin is '2', but 2 seats are numbered 0 to 1"),
        (4, {"start_player": "4"}, "option start_player of tzolkin is '4'; it must be one of seeded, 0, 1, 2, 3"),
        (4, {"colour": "red"}, "tzolkin has no option 'colour'; it has start_player"),
    ],
)
def test_an_impossible_setup_is_refused_in_one_sentence(seats: int, options: dict[str, str], sentence: str) -> None:
    """§2.8, R-02"""
    with pytest.raises(InvalidOption, match=sentence):
        GAME.initial_state(seats, 1, options)


def dummies(tiles: list[int], count: int) -> dict[str, list[int]]:
    state = at_table(players=2)
    PROCEDURES["place_dummies"](state, {"tiles": tiles, "count": count})
    gears = {gear: sorted(standing(state, gear)) for gear in board(state)["gears"]}
    return {gear: spaces for gear, spaces in gears.items() if spaces}


@pytest.mark.parametrize("tile", DUMMY_SPACES)
def test_the_first_dummy_of_a_small_gear_brings_its_opposite(tile: int) -> None:
    """§2.6: five spaces further round, out of sight from spaces 3 on; Chichen Itza has no opposite."""
    gear, space = DUMMY_SPACES[tile]
    twin = [] if gear == "chichen_itza" else [(space + 5) % 10]
    assert dummies([tile], 12) == {gear: sorted([space, *twin])}


@pytest.mark.parametrize(("gear", "tiles"), [("palenque", [1, 2]), ("yaxchilan", [5, 6]), ("uxmal", [13, 14])])
def test_later_dummies_of_a_gear_come_alone(gear: str, tiles: list[int]) -> None:
    """§2.6: the first draws space 1, the second space 3. On Chichen Itza all come alone."""
    assert dummies(tiles, 12) == {gear: [1, 3, 6]}
    assert dummies([17, 18, *tiles], 12) == {"chichen_itza": [0, 3], gear: [1, 3, 6]}


def test_the_last_dummy_may_have_no_opposite() -> None:
    """§2.6"""
    assert dummies([21, 3, 9], 2) == {"chichen_itza": [10], "palenque": [5]}


@given(st.permutations(range(1, 22)), st.sampled_from([(2, 12), (3, 6)]))
def test_dummies_never_collide(tiles: list[int], table: tuple[int, int]) -> None:
    """§2.6: for every draw, each dummy has its own slot and tiles are left over."""
    seats, count = table
    placed = dummies(tiles[4 * seats :], count)
    assert sum(len(spaces) for spaces in placed.values()) == count
