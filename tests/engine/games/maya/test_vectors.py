"""The worked examples of vectors.json, the tool that runs such files, and positions as plain data."""

import json
from pathlib import Path

import pytest

from ballcourt.engine.core.chance import Stream
from tests.engine.games.maya.decisions import NotLegal, step_of
from tests.engine.games.maya.playing import between_turns, new_match, walk
from tests.engine.games.maya.positions import BadPosition
from tests.engine.games.maya.vectors import apply, dump, failure, legal, load, main, state_from
from tests.engine.games.vectors import Fields

VECTORS = load(Path(__file__).with_name("vectors.json"))
EMPTY_CORN = {"rack": {"0": ["corn:1"], "1": ["corn:1"]}, "supply": {"0": 5, "1": 5}}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_the_engine_agrees_with(vector: Fields) -> None:
    assert failure(vector) == ""


def test_the_tool_runs_the_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(Path(__file__).with_name("vectors.json"))]) == 0
    assert capsys.readouterr().out == f"{len(VECTORS)} passed, 0 failed\n"


@pytest.mark.parametrize(
    ("vector", "line"),
    [
        ({"kind": "hope"}, "there is no kind 'hope' of vector; a kind is one of tiles, board"),
        ({"kind": "award", "given": {"size": 2, "crops": [1, 0]}, "expect": {"points": [6, 3]}}, "expected points"),
        ({"kind": "play", "given": EMPTY_CORN, "do": [["pass"]], "expect": {}}, "[0, 'action', 'pass'] is not legal"),
        (
            {
                "kind": "play",
                "given": EMPTY_CORN,
                "do": [["expand", "corn:1", "G7"]],
                "expect": {"scored": {"tikal": 2}},
            },
            "expected scored to be {'tikal': 2}, it is {}",
        ),
        (
            {"kind": "play", "given": EMPTY_CORN, "do": [["plant", ["corn:1", "G1"]]], "expect": {}},
            "[['corn:1', 'G1']] cannot be planted in any order",
        ),
        (
            {"kind": "steps", "given": EMPTY_CORN, "do": ["plant"], "expect": {"next": [1, "action"]}},
            "expected next to be [1, 'action'], it is [0, 'plant_tile']",
        ),
        ({"kind": "legal", "given": EMPTY_CORN, "expect": {"legal_actions": ["plant"]}}, "expected legal_actions"),
    ],
)
def test_a_failing_vector_reports_expected_and_actual_values(vector: Fields, line: str) -> None:
    wrong = failure({"id": "X", **vector})
    assert wrong
    assert wrong.startswith(line)


@pytest.mark.parametrize(
    "vector",
    [
        {
            "kind": "steps",
            "given": {
                "areas": ["blue", "yellow"],
                "rack": {"0": ["corn:1", "corn:2", "pepper:1"], "1": []},
                "supply": {"0": 9, "1": 9},
            },
            "do": ["plant", "corn:2", "E7", "corn:1", "E8"],
            "expect": {
                "steps": [
                    ["action", ["expand", "plant"]],
                    ["plant_tile", ["corn:2", "corn:1", "pepper:1"]],
                    ["plant_cell", ["E7", "E8", "F7", "F9", "G7", "G8"]],
                    ["plant_more", ["corn:1", "stop"]],
                    ["plant_cell", ["D7", "D8", "E6", "E8", "F7"]],
                ],
                "next": [1, "action"],
                "points": [3, 0],
            },
        },
        {
            "kind": "steps",
            "given": {"supply": {"0": 5, "1": 5}},
            "do": ["expand", "blind", "G7"],
            "expect": {"steps": [["expand_cell", ["E7", "E8", "F7", "F9", "G7", "G8"]]], "rack_sizes": [2, 0]},
        },
        {
            "kind": "new_beginning",
            "given": {"areas": ["blue", "red"]},
            "expect": {"choices": ["tikal", "yaxchilan", "caracol", "copan", "coba", "tulum", "lamanai"]},
        },
    ],
)
def test_rare_kinds_of_vectors_are_understood(vector: Fields) -> None:
    assert failure({"id": "X", **vector}) == ""


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"moon": 1}, "a position has no field 'moon'"),
        ({"players": 5}, "5 players cannot play; it must be 2, 3 or 4"),
        ({"areas": ["blue", "pink"]}, "there is no 'pink'; known names: blue, green, yellow, red"),
        ({"temples": ["rome"]}, "there is no 'rome'"),
        ({"tiles": {"F8": "0 corn:1"}}, "cell F8 is not an empty space"),
        ({"tiles": {"Z1": "0 corn:1"}}, "there is no 'Z1'"),
        ({"tiles": {"E7": "2 corn:1"}}, "'2 corn:1' is not a tile of a player 0 to 1"),
        ({"tiles": {"E7": "0 wheat:1"}}, "there is no 'wheat:1'"),
        ({"tiles": {"E7": "0 corn:1"}, "city": {"E7": "tikal"}}, "cell E7 is not an empty space"),
    ],
)
def test_an_impossible_position_is_refused(given: Fields, sentence: str) -> None:
    with pytest.raises(BadPosition, match=sentence):
        state_from(given)


def test_an_illegal_decision_is_refused_and_changes_nothing() -> None:
    state = state_from(EMPTY_CORN)
    before = dump(state)
    for decision in ([0, "action", "pass"], [1, "action", "plant"], [0, "plant_cell", "E7"]):
        with pytest.raises(NotLegal, match="legal decisions:"):
            apply(state, decision)
    assert dump(state) == before


def test_decisions_that_follow_a_position_are_played() -> None:
    after = [[0, "action", "plant"], [0, "plant_tile", "corn:1"], [0, "plant_cell", "E7"]]
    assert dump(state_from({**EMPTY_CORN, "after": after}))["tiles"] == {"E7": "0 corn:1"}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("variant", ["none", "new_beginning", "two_cities"])
def test_a_dumped_position_reads_back_the_same(seats: int, variant: str) -> None:
    """The derived data of cells and cities must also be restored."""
    start = new_match(seats, seats, variant=variant)
    assert dump(state_from(dump(start))) == dump(start)
    for state in between_turns(walk(start, seats)):
        described = json.loads(json.dumps(dump(state)))
        again = state_from(described)
        assert dump(again) == described
        assert (again.cells, again.cities) == (state.cells, state.cities)
        assert legal(again) == legal(state)
    assert dump(start)["winners"] == start.placements()[0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_matches_can_be_played_in_words(seats: int) -> None:
    state, chance = new_match(seats, variant="two_cities"), Stream(seats)
    while decisions := legal(state):
        assert len({repr(decision) for decision in decisions}) == len(decisions)
        assert {(decision[0], decision[1]) for decision in decisions} == {(state.pending_seats()[0], step_of(state))}
        assert (step_of(state), len(decisions)) != ("plant_more", 1)
        apply(state, decisions[chance.below(len(decisions))])
    assert dump(state)["over"] == "out"
