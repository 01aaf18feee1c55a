"""Replay documents: whole, true, and without what their observer could not know."""

import json
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ballcourt.arena.records.replay import positions
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.replays.document import THOUGHTS, Document, document, observers, schema
from ballcourt.arena.replays.operations import scene_after
from ballcourt.arena.replays.sheets import OTHERS
from ballcourt.arena.replays.view import scene_at
from ballcourt.engine.core import State
from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.core.view.scene import Observer, Scene
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.recorded import alike_to, recorded, recorded_crash
from tests.arena.replays.matches import GAMES, NAMES, played
from tests.arena.replays.test_operations import carry_out

SCHEMA = Draft202012Validator(schema())


@cache
def view(game: str, seats: int, observer: int | None = None) -> Document:
    return document(played(game, seats), observer)


def copied(record: MatchRecord) -> MatchRecord:
    return MatchRecord.FromString(record.SerializeToString())


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=NAMES)
def test_the_steps_lead_from_scene_to_scene(game: str, seats: int) -> None:
    record, rules = played(game, seats), find_game(game)
    for observer in (None, seats - 1):
        replay = view(game, seats, observer)
        scene: Any = replay["first"]
        following = positions(record)
        next(following)
        for number, (step, state) in enumerate(zip(replay["steps"], following, strict=True)):
            scene = carry_out(scene, step["ops"])
            if number % 25 == 0:
                assert without_sources(scene) == rules.scene(state, observer)
        assert without_sources(scene) == rules.scene(state, observer)


def without_sources(scene: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in scene.items() if name != "sources"}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), GAMES, ids=NAMES)
def test_the_sources_of_points_are_those_of_the_rules_and_add_up_in_every_scene(game: str, seats: int) -> None:
    replay = view(game, seats, SPECTATOR)
    named = [*vars(import_module(f"ballcourt.engine.games.{game}.sources")).values()]
    for number in range(0, len(replay["steps"]) + 1, 40):
        scene = scene_after(replay["first"], replay["steps"][:number])
        sums = [sum(sheet.values()) for sheet in scene["sources"]]
        assert sums == [player["score"] for player in scene["players"]]
        assert {source for sheet in scene["sources"] for source in sheet} <= {
            one for one in named if isinstance(one, str)
        }


def test_points_that_no_rule_accounts_for_count_for_the_question_that_was_answered() -> None:
    replay = document(recorded())
    scene = scene_after(replay["first"], replay["steps"])
    assert [sum(sheet.values()) for sheet in scene["sources"]] == [seat["score"] for seat in replay["seats"]]
    assert {source for sheet in scene["sources"] for source in sheet} == {"bid", OTHERS}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), GAMES, ids=NAMES)
def test_a_document_keeps_to_its_schema(game: str, seats: int) -> None:
    for observer in (None, seats - 1):
        SCHEMA.validate(json.loads(json.dumps(view(game, seats, observer))))


def test_the_schema_refuses_another_format() -> None:
    replay: dict[str, Any] = {**document(recorded())}
    assert SCHEMA.is_valid(replay)
    assert not SCHEMA.is_valid({**replay, "format": "ballcourt-replay-9"})


def test_there_is_a_view_for_everything_for_spectators_and_for_each_seat() -> None:
    assert observers(recorded()) == [None, -1, 0, 1, 2]


@pytest.mark.parametrize("observer", [SPECTATOR, 1])
def test_records_that_differ_in_what_an_observer_cannot_know_give_equal_documents(observer: int) -> None:
    plain, revealing = alike_to(observer)
    if observer == SPECTATOR:
        plain.decisions.thoughts.clear()
        plain.decisions.thoughts[0] = "mine too"
    assert document(revealing, observer) == document(plain, observer)
    assert document(revealing) != document(plain)


def test_a_secret_choice_of_another_seat_has_neither_number_nor_words() -> None:
    steps = document(recorded(), observer=0)["steps"]
    others = [step for step in steps if step["seat"] != 0]
    assert {(step["action"], step["label"], step["thoughts"], step["by"]) for step in others} == {
        (0, "(hidden)", "", None)
    }
    own = [step for step in steps if step["seat"] == 0]
    assert {(step["label"], step["by"]) for step in own} == {("Bid 1", "bot")}


def test_what_a_lost_bot_printed_is_in_no_document() -> None:
    replay = document(recorded_crash())
    assert "KeyError" not in json.dumps(replay)
    assert (replay["seats"][1]["detail"], replay["seats"][1]["vacated_at"]) == ("it left", 4)


def test_long_thoughts_are_cut_so_that_all_fit() -> None:
    record = recorded()
    for number in range(len(record.decisions.seats)):
        record.decisions.thoughts[number] = "x" * 40_000
    thoughts = [step["thoughts"] for step in document(record)["steps"]]
    assert "characters left out" in thoughts[0]
    assert sum(len(thought) for thought in thoughts) < THOUGHTS + 1000


def test_a_record_with_an_illegal_action_is_refused() -> None:
    record = recorded()
    record.decisions.actions[2] = 4000
    with pytest.raises(RecordError, match="decision 2 of match match cannot be executed"):
        document(record)


@pytest.mark.parametrize("name", ["tzolkin-4", "ahau-1", "bluff"])
def test_a_scene_that_is_gone_to_at_once_is_that_of_the_steps_that_lead_there(name: str) -> None:
    record = recorded() if name == "bluff" else played(*GAMES[NAMES.index(name)])
    last = len(record.decisions.seats)
    for observer in (None, 0):
        view = document(record, observer)
        for number in (0, 1, last // 2, last):
            assert scene_at(record, number, observer) == scene_after(view["first"], view["steps"][:number])


def test_on_the_way_to_a_scene_one_is_drawn_for_each_decision_that_gave_points(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played("maya", 2)
    steps = view("maya", 2)["steps"]
    giving = sum(any(operation[0][0] == "sources" for operation in step["ops"]) for step in steps)
    rules, drawn = find_game("maya"), 0

    def counted(state: State, observer: Observer = None) -> Scene:
        nonlocal drawn
        drawn += 1
        return scene(state, observer)

    scene = rules.scene
    monkeypatch.setattr(rules, "scene", counted)
    scene_at(record, len(steps))
    assert (giving > 20, drawn) == (True, giving + 2)  # those of the opening and of the end
