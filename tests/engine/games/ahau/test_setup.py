"""Setting the table up, its options, and what is secret (RULES §1, §2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.engine.core import InvalidOption
from ballcourt.engine.core.observation import observe
from ballcourt.engine.games.ahau import GAME
from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.decisions import apply, legal
from tests.engine.games.ahau.playing import COLOURS, EACH_ROLE, GODS, expected, play, turn, until
from tests.engine.games.ahau.positions import dump


def new_match(seats: int, seed: int = 1, **options: str) -> AhauState:
    state = GAME.initial_state(seats, seed, options)
    assert isinstance(state, AhauState)
    return state


@pytest.mark.parametrize("players", [2, 4, 5])
def test_the_table_is_set_up_for_the_number_of_players(players: int) -> None:
    """§2.1, §2.2, §2.3, §2.5, §1.6"""
    want, table = expected(f"setup-{players}p"), dump(new_match(players))
    assert len(table["regions"]) == {"a": 5, "b": 6}[want["side"]]
    assert len(table["bag"]) == want["bag_after_map"]
    assert len(table["building_stack"]) == want["building_stack"]
    assert len(table["role_deck"]) == want["role_deck"]
    assert sum(site is not None for site in table["sites"].values()) == want["sites_on_map"]
    assert len(table["calendar"]) == want["calendar_filled"]
    assert table["offer"][0] is None
    assert None not in table["offer"][1:]
    assert all(None not in region["tiles"] and region["building"] for region in table["regions"].values())


def test_might_is_stacked_clockwise_from_the_starting_player() -> None:
    """§2.7"""
    state = new_match(4, start_player="2")
    assert dump(state)["might"][0] == expected("setup-might-stack")["might_step0_bottom_to_top"]
    assert state.pending_seats() == [2]


@given(st.integers(2, 5), st.integers(0, 2**64 - 1))
def test_every_piece_is_dealt_once(players: int, seed: int) -> None:
    """§2.1, §2.2, §2.4, §1.5"""
    table = dump(new_match(players, seed))
    tiles = [*table["bag"], *(tile for region in table["regions"].values() for tile in region["tiles"])]
    assert len(set(tiles)) == len(tiles) == (80 if players == 5 else 55)
    assert sorted(table["city_gods"].values()) == sorted([*GODS, *GODS])
    assert sorted(table["summaries"].values()) == [f"pt0{number}" for number in range(1, 6)]
    assert len(set(table["scoring"].values())) == 5


def test_all_players_start_with_the_same_pieces() -> None:
    """§2.6, §2.9, R-03, R-35"""
    for who in dump(new_match(3))["player"].values():
        assert (who["pool"], who["weapons"], who["fame"], who["ruler"]) == (12, 0, 0, 0)
        assert who["hand"] == [1, 2, 3, 4, 5, 6]
        assert who["resources"] == dict.fromkeys(COLOURS, 0)


def test_summary_cards_are_picked_clockwise() -> None:
    """§2.8"""
    state = new_match(3, start_player="1")
    summaries = dump(state)["summaries"]
    for seat in (1, 2, 0):
        assert state.pending_seats() == [seat]
        card = legal(state)[-1]
        apply(state, card)
        who = dump(state)["player"][str(seat)]
        assert who["summary"] == card[2]
        assert who["reserve"] == [summaries[card[2]]]
        assert sum(who["resources"].values()) == 3
    assert state.pending_seats() == [0, 1, 2]
    assert dump(state)["phase"] == "round"
    assert dump(state)["summaries"] == {}


@pytest.mark.parametrize("start", ["0", "1", "2"])
def test_the_starting_player_is_an_option(start: str) -> None:
    """§2.7"""
    assert new_match(3, start_player=start).pending_seats() == [int(start)]


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (6, {}),
        (0, {}),
        (3, {"start_player": "3"}),
        (2, {"colour": "red"}),
        (2, {"difficulty": "hard"}),
        (1, {"shadow": "yes"}),
        (1, {"mode": "family"}),
    ],
)
def test_seats_and_options_that_do_not_combine_are_refused(seats: int, options: dict[str, str]) -> None:
    """§2.6, §14.2"""
    with pytest.raises(InvalidOption):
        GAME.initial_state(seats, 1, options)


# -- secrets


def test_no_seat_sees_who_has_selected() -> None:
    """§1.3, §4.1: the observations of others show neither the cards nor that there is an answer."""
    state = new_match(3)
    while legal(state)[0][1] == "pick_summary":
        apply(state, legal(state)[0])
    before = [observe(state, seat) for seat in range(3)]
    apply(state, next(words for words in legal(state) if words[0] == 1))
    for seat in (0, 2):
        after = observe(state, seat)
        assert (after.public, after.private) == (before[seat].public, before[seat].private)
    assert observe(state, 1).private != before[1].private


def test_the_order_of_decks_is_never_observed() -> None:
    """§1.2, §1.1, §1.4, R-02"""
    state = new_match(4)
    rows = state.to_rows()
    _, public, _ = rows[0]
    for position in (1 + public + 1, 1 + public + 2):
        changed = [row[:] for row in rows]
        changed[position] = changed[position][::-1]
        other = GAME.from_rows(changed)
        for seat in range(4):
            one, same = observe(state, seat), observe(other, seat)
            assert (one.public, one.private) == (same.public, same.private)


def taking_a_role(role: str) -> AhauState:
    seat = {"buildings": ["bt07", "bt11"], "resources": dict.fromkeys(COLOURS, 1)}
    state = turn(1, seat={0: seat}, offer=[None, "bt22", None], role_deck=EACH_ROLE)
    play(state, "place_worker uxmal")
    until(state, 0, "main")
    play(state, "main build", "build_offer 1", "pay yellow white", f"role_pick {role}")
    return state


def test_which_role_was_taken_is_secret() -> None:
    """§1.3, §8.5: another seat sees the same whichever card it was."""
    one, other = observe(taking_a_role("queen"), 1), observe(taking_a_role("dancer"), 1)
    assert (one.public, one.private) == (other.public, other.private)
    assert observe(taking_a_role("queen"), 0).private != observe(taking_a_role("dancer"), 0).private
