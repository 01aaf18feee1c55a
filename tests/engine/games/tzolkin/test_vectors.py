"""The worked examples of vectors.json, and the tool that runs such files."""

import json
from pathlib import Path

import pytest

from ballcourt.engine.core.chance import Stream
from ballcourt.engine.games.tzolkin import GAME
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.turn import TurnStart
from tests.engine.games.tzolkin.positions import BadPosition, Fields
from tests.engine.games.tzolkin.vectors import NotLegal, apply, dump, failure, legal, load, main, state_from

VECTORS = load(Path(__file__).with_name("vectors.json"))


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_the_engine_agrees_with(vector: Fields) -> None:
    assert failure(vector) == ""


def written(folder: Path, *vectors: Fields) -> str:
    path = folder / "some.json"
    path.write_text(json.dumps({"schema": "tzolkin-vectors/1", "vectors": vectors}), encoding="utf-8")
    return str(path)


def test_the_exit_code_is_0_if_all_vectors_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([written(tmp_path, *VECTORS[:3])]) == 0
    assert capsys.readouterr().out == "3 passed, 0 failed\n"


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        ({"steps": [{"do": ["end"]}]}, "step 1: ['end'] is not legal; legal decisions: [['beg', 'chaac']"),
        ({"steps": [{"legal": ["end"]}]}, "step 1: expected ['end'] to be legal; legal decisions:"),
        ({"steps": [{"illegal": ["place", "sp"]}]}, "step 1: expected ['place', 'sp'] to be illegal; legal decisions:"),
        ({"steps": [{"options": [["end"]]}]}, "step 1: expected exactly [['end']]; legal decisions:"),
        ({"steps": [{"expect": {"day": 2}}]}, "step 1: expected day to be 2, it is 1"),
        (
            {"expect": {"player": {"0": {"tech": {"theology": 1}}}}},
            "at the end: expected player.0.tech.theology to be 1",
        ),
        ({"expect": {"moon": 2}}, "at the end: expected moon to be 2, there is no such field"),
        (
            {"steps": [{"run": "monument_vp", "player": 0, "monument": 4, "equals": 1}]},
            "step 1: expected 1 points, it scores 0",
        ),
        ({"steps": [{"hope": 1}]}, "step 1: no such step: {'hope': 1}; a step is one of run, do, legal"),
        ({"given": {"moon": 1}}, "the vector cannot be run: BadPosition(\"a position has no field 'moon'"),
        ({"steps": [{"run": "away"}]}, "the vector cannot be run: KeyError('away')"),
    ],
)
def test_a_failing_vector_is_reported_with_step_expectation_and_finding(
    wrong: Fields, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([written(tmp_path, VECTORS[0], {"id": "X-1", "given": {}, **wrong})]) == 1
    output = capsys.readouterr().out.splitlines()
    assert output[0].startswith(f"X-1 {line}")
    assert output[1] == "1 passed, 1 failed"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"gears": {"moon": {}}}, "the board has no field 'moon'"),
        ({"gears": {"tikal": {"10": 0}}}, "no such space"),
        ({"gears": {"tikal": {"1": 4}}}, "no such player"),
        ({"gears": {"tikal": {"1": 0, "2": 0, "3": 0, "4": 0}}}, "player 0 has 3 workers in play and more"),
        ({"player": {"0": {"luck": 1}}}, "player 0 has no field 'luck'"),
        ({"player": {"0": {"tech": {"luck": 1}}}}, "tech has no field 'luck'"),
    ],
)
def test_an_impossible_position_is_refused(given: Fields, sentence: str) -> None:
    with pytest.raises(BadPosition, match=sentence):
        state_from(given)


def test_an_illegal_decision_is_refused_and_changes_nothing() -> None:
    state = state_from({})
    before = dump(state)
    with pytest.raises(NotLegal, match="legal decisions:"):
        apply(state, ["advance", 1])
    assert dump(state) == before


def at_a_turn(state: TzolkinState) -> bool:
    top = state.frames[-1]
    return isinstance(top, TurnStart) and not top.begged


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_dumped_position_reads_back_the_same(seats: int) -> None:
    """Draft, starts of turns, advances and the end of whole random matches."""
    state = GAME.initial_state(seats, seed=seats)
    assert isinstance(state, TzolkinState)
    chance = Stream(seats)
    while legal(state):
        described = json.loads(json.dumps(dump(state)))
        if described["phase"] in ("draft", "advance") or at_a_turn(state):
            again = state_from(described)
            assert dump(again) == described
            assert again.public_rows() == state.public_rows()
            assert legal(again) == legal(state)
            assert [again.private_rows(seat) for seat in range(seats)] == [
                state.private_rows(seat) for seat in range(seats)
            ]
        options = legal(state)
        apply(state, options[chance.below(len(options))])
    assert dump(state_from(dump(state))) == dump(state)
    assert dump(state)["winners"] == state.placements()[0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_legal_decision_has_its_own_name_and_is_understood(seats: int) -> None:
    state = GAME.initial_state(seats, seed=10 + seats)
    assert isinstance(state, TzolkinState)
    chance = Stream(seats)
    while legal(state):
        decisions = legal(state)
        assert len({repr(decision) for decision in decisions}) == len(decisions)
        chosen = chance.below(len(decisions))
        seat = state.pending_seats()[0]
        expected = state.clone()
        expected.apply(seat, expected.legal_actions(seat)[chosen])
        apply(state, decisions[chosen])
        assert state.to_rows() == expected.to_rows()
