"""Scenes and scenery, which all games share."""

from typing import Any, TypedDict

import pytest
from jsonschema import Draft202012Validator

from ballcourt.engine.conformance.walk import Player
from ballcourt.engine.core import Game
from ballcourt.engine.core.chance import Stream, stream
from ballcourt.engine.core.messages.schema import json_schema
from ballcourt.engine.core.observation import SPECTATOR, observe
from ballcourt.engine.core.state import State
from ballcourt.engine.core.view.scene import Choice, Explanation, Lesson, Scene, Scenery
from ballcourt.engine.registry import games
from tests.bluff import GAME as BLUFF

ALL = [*games().values(), BLUFF]
TABLES = [(game, seats) for game in ALL for seats in game.seat_counts]
NAMES = [f"{game.name}-{seats}" for game, seats in TABLES]
EVERY = 40
"""Every n-th position is looked at."""


def validator(kind: type) -> Draft202012Validator:
    schema = json_schema(kind, "https://example.org/schema")
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


SCENE, SCENERY, CHOICE = validator(Scene), validator(Scenery), validator(Choice)
EXPLANATION, LESSON = validator(Explanation), validator(Lesson)


def positions(game: Game, seats: int) -> list[State]:
    """Return some positions of a random match, its first and last among them."""
    state = game.initial_state(seats, 7)
    walked = [state.clone()]
    for number, _ in enumerate(Player(stream(7, "scenes")).play(state, game.max_decisions)):
        if number % EVERY == 0:
            walked.append(state.clone())
    return [*walked, state]


def shape(value: object) -> object:
    """Return which names a nested value has; None stands for whatever is not known."""
    return {name: shape(part) for name, part in value.items()} if isinstance(value, dict) else type(value).__name__


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=NAMES)
def test_scenes_keep_to_the_schema_and_to_the_places_of_the_scenery(game: Game, seats: int) -> None:
    walked = positions(game, seats)
    scenery = game.scenery(walked[0])
    SCENERY.validate(scenery)
    for state in walked:
        assert game.scenery(state) == scenery
        for observer in (None, *range(SPECTATOR, seats)):
            scene = game.scene(state, observer)
            SCENE.validate(scene)
            assert len(scene["known"]) == seats <= len(scene["players"])
            assert set(scene["at"]) <= set(scenery["places"])
            for player in scene["players"]:
                assert all(0 <= step < len(scenery["tracks"][name]["steps"]) for name, step in player["tracks"].items())


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=NAMES)
def test_positions_that_differ_only_in_secrets_have_equal_scenes(game: Game, seats: int) -> None:
    chance = Stream(3)
    differed = False
    for state in positions(game, seats):
        for observer in range(SPECTATOR, seats):
            other = game.sample(observe(state, observer), chance)
            assert game.scene(other, observer) == game.scene(state, observer)
            differed |= game.scene(other) != game.scene(state)
    assert differed or game is BLUFF


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=NAMES)
def test_every_observer_gets_the_same_shape(game: Game, seats: int) -> None:
    for state in positions(game, seats):
        full = game.scene(state)
        for observer in range(SPECTATOR, seats):
            seen = game.scene(state, observer)
            assert shape({**seen, "known": 0, "piles": 0}) == shape({**full, "known": 0, "piles": 0})
            assert [set(known) for known in seen["known"]] == [set(known) for known in full["known"]]
            for seat, known in enumerate(seen["known"]):
                assert seat == observer or set(known.values()) <= {None}
            assert {name: pile["count"] for name, pile in seen["piles"].items()} == {
                name: pile["count"] for name, pile in full["piles"].items()
            }
            assert all(pile["pieces"] is None for pile in seen["piles"].values())


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_every_legal_action_is_described_in_words_and_by_places_of_the_scenery(game: Game) -> None:
    for state in positions(game, game.seat_counts[-1]):
        places = game.scenery(state)["places"]
        for seat in state.pending_seats():
            labels = []
            for action in state.legal_actions(seat):
                choice = game.choice(state, seat, action)
                CHOICE.validate(choice)
                assert choice["action"] == action
                assert "_" not in choice["label"]
                assert set(choice["places"]) <= set(places)
                labels.append(choice["label"])
            assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("game", [game for game in ALL if game is not BLUFF], ids=lambda game: game.name)
def test_every_question_is_put_in_words(game: Game) -> None:
    for state in positions(game, game.seat_counts[-1])[:-1]:
        question = game.scene(state)["question"]
        assert question is not None
        assert " " in question["text"]
        assert question["seats"] == state.pending_seats()


@pytest.mark.parametrize("game", [game for game in ALL if game is not BLUFF], ids=lambda game: game.name)
def test_every_action_is_explained_in_a_sentence_that_names_a_rule_and_reveals_no_secret(game: Game) -> None:
    file = game.rules_file()
    assert file is not None
    rules, chance = file.read_text(), Stream(5)
    for state in positions(game, game.seat_counts[-1]):
        for seat in state.pending_seats():
            other = game.sample(observe(state, seat), chance)
            for action in state.legal_actions(seat):
                explained = game.explain(state, seat, action)
                EXPLANATION.validate(explained)
                assert explained["text"].endswith(".")
                assert f"**§{explained['section']}**" in rules
                assert explained == game.explain(other, seat, action)


@pytest.mark.parametrize("game", [game for game in ALL if game is not BLUFF], ids=lambda game: game.name)
def test_texts_and_lessons_are_sentences_about_the_board(game: Game) -> None:
    scenery = game.scenery(game.initial_state(game.seat_counts[-1], 1))
    assert all(text.endswith(".") for text in scenery["texts"].values())
    for lesson in game.lessons():
        LESSON.validate(lesson)
        assert lesson["text"].endswith(".")
    assert len(game.lessons()) >= 5
    assert not BLUFF.lessons()


def test_an_observer_does_not_learn_who_has_answered_in_secret() -> None:
    state = BLUFF.initial_state(3, 1)
    state.apply(1, 1)
    waiting = [BLUFF.scene(state, observer)["question"] for observer in (None, SPECTATOR, 0)]
    assert [question and question["seats"] for question in waiting] == [[0, 2], [0, 1, 2], [0, 1, 2]]


def test_a_type_without_json_has_no_schema() -> None:
    class Wrong(TypedDict):
        moves: set[int]

    with pytest.raises(TypeError, match="has no JSON schema"):
        json_schema(Wrong, "https://example.org/wrong")


def test_the_schema_refuses_what_a_viewer_could_not_draw() -> None:
    scene: dict[str, Any] = {**BLUFF.scene(BLUFF.initial_state(2, 1))}
    assert SCENE.is_valid(scene)
    del scene["players"]
    assert not SCENE.is_valid(scene)
