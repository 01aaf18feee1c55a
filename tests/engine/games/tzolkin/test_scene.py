"""The scene of Tzolk'in: what a viewer draws."""

from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.core.view.scene import Scene
from ballcourt.engine.games.tzolkin import GAME
from ballcourt.engine.games.tzolkin.actions import (
    BUILD,
    BUILD_WITH_TRACK,
    GO,
    GO_STRIDE,
    KEEP,
    MONUMENT,
    USE,
    WAIVE,
)
from ballcourt.engine.games.tzolkin.columns import BUILDINGS, DUMMY, MONUMENTS, TIKAL, VP
from ballcourt.engine.games.tzolkin.gears.spaces import UseAction
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.view.scenery import SCENERY


def opening() -> TzolkinState:
    state = GAME.initial_state(2, 3)
    assert isinstance(state, TzolkinState)
    return state


def drawn(state: TzolkinState, seat: int | None = None) -> Scene:
    return GAME.scene(state, seat)


def test_the_spaces_of_a_gear_say_who_stands_there() -> None:
    state = opening()
    state.slots[10:14] = [-1, 1, DUMMY, 0]
    at = drawn(state)["at"]
    assert "yaxchilan.0" not in at
    assert at["yaxchilan.1"] == [{"kind": "worker", "player": 1}]
    assert at["yaxchilan.2"] == [{"kind": "dummy"}]


def test_tiles_are_printed_with_category_price_and_effects() -> None:
    state = opening()
    state.players[1][BUILDINGS], state.players[1][MONUMENTS] = 1 << 12, 1 << 13
    own = drawn(state)["players"][1]["own"]
    assert (own["buildings"], own["monuments"]) == (["building.12"], ["monument.13"])
    tiles = SCENERY["board"]["tiles"]
    tomb = {"category": "tomb", "cost": {"wood": 1, "gold": 1}, "effects": ["1 on a temple", "build once more"]}
    assert tiles["building.12"] == tomb
    assert tiles["monument.13"]["cost"] == {"gold": 4, "skulls": 1}


def test_an_empty_building_space_holds_nothing() -> None:
    state = opening()
    state.row[2] = 0
    assert "row.2" not in drawn(state)["at"]
    assert "row.3" in drawn(state)["at"]


def test_victory_points_are_exact_to_the_quarter() -> None:
    state = opening()
    state.players[0][VP] = -7
    assert drawn(state)["players"][0]["score"] == -1.75


def test_a_seat_sees_its_own_offer_only() -> None:
    state = opening()
    state.apply(0, KEEP + 5)
    offers = [[f"wealth.{tile}" for tile in offer] for offer in state.offers]
    nothing = {"offered": None, "kept": None}
    assert drawn(state, 0)["known"] == [{"offered": offers[0], "kept": offers[0][2:]}, nothing]
    assert drawn(state, 1)["known"] == [nothing, {"offered": offers[1], "kept": []}]
    assert drawn(state, SPECTATOR)["known"] == [nothing, nothing]


def test_the_full_view_shows_the_stacks() -> None:
    state = opening()
    assert len(drawn(state)["piles"]["age 1"]["pieces"] or []) == drawn(state, 0)["piles"]["age 1"]["count"] == 8


def test_neighbouring_spaces_are_one_tooth_apart_on_a_small_gear() -> None:
    gear, places = SCENERY["board"]["gears"]["tikal"], SCENERY["places"]
    assert gear["teeth"] == 10
    assert places["tikal.0"]["y"] > gear["y"] or places["tikal.7"]["y"] > gear["y"]
    assert places["tikal.0"]["label"] == ""
    assert places["tikal.1"]["label"] == "a technology"


def test_choices_name_the_space_a_worker_will_take() -> None:
    state = opening()
    while state.frames[-1].name != "TURN":
        seat = state.pending_seats()[0]
        state.apply(seat, state.legal_actions(seat)[0])
    (seat,) = state.pending_seats()
    words = {choice["label"]: choice for choice in (GAME.choice(state, seat, n) for n in state.legal_actions(seat))}
    (place,) = words["Place on Tikal"]["places"]
    assert place.startswith("tikal.")
    assert place not in drawn(state)["at"]


def test_choices_name_the_card_that_would_be_built_and_the_action_that_would_be_used() -> None:
    state = opening()
    display, row = list(state.display), list(state.row)
    monument, building = (GAME.choice(state, 0, action) for action in (MONUMENT - 1 + display[2], BUILD - 1 + row[3]))
    assert [monument["places"], building["places"]] == [["display.2"], ["row.3"]]
    assert GAME.choice(state, 0, MONUMENT - 1 + next(n for n in range(1, 14) if n not in display))["places"] == []
    assert GAME.choice(state, 0, GO + GO_STRIDE)["places"] == ["yaxchilan.1"]


def test_choices_say_what_an_action_of_a_gear_or_a_monument_gives() -> None:
    state = opening()
    state.then(UseAction(0, TIKAL, 2))
    words = [GAME.choice(state, 0, action)["label"] for action in (USE, MONUMENT)]
    assert words == ["Take action 1: a technology", "Build a monument: 4 VP for each of your tombs"]


def test_choices_of_a_building_say_what_is_on_the_card_and_not_its_number() -> None:
    words = [GAME.choice(opening(), 0, action)["label"] for action in (BUILD + 5, BUILD_WITH_TRACK + 5, WAIVE)]
    assert words == [
        "Build a civic building of 2 wood: 1 Agriculture",
        "Build a civic building of 2 wood: 1 Agriculture; with architecture",
        "Build a farm of 1 wood: feeds 1; 1 wood less",
    ]


def test_a_building_is_explained_by_what_it_costs_and_not_again_by_what_its_choice_says() -> None:
    texts = [GAME.explain(opening(), 0, action)["text"] for action in (BUILD + 5, BUILD_WITH_TRACK + 5, WAIVE)]
    track = "Your level of architecture gives something too."
    assert texts == ["Costs 2 wood.", f"Costs 2 wood. {track}", f"Costs nothing. {track}"]


def test_choices_of_starting_wealth_say_what_the_tiles_give() -> None:
    state = opening()
    state.offers[0] = [1, 6, 7, 20]
    words = [GAME.choice(state, 0, n)["label"] for n in state.legal_actions(0)]
    given = "3 corn, 1 on Quetzalcoatl, 1 Agriculture"
    assert words[0].startswith(f"Keep wealth tiles 1 and 2: {given}; ")
    assert len(set(words)) == len(words) == 6
