"""Positions, rules and legal actions as text for language models."""

import re
from hashlib import sha256
from random import Random

import pytest

from ballcourt.engine.core import Game, State, Stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.playout import decisions
from ballcourt.engine.core.view.prompts import (
    FORMAT,
    compact,
    played_rules,
    position_text,
    rules_text,
    tokens,
)
from ballcourt.engine.core.view.wording import Wording
from ballcourt.engine.registry import find_game
from tests.bluff import Bluff

GAMES = ("ahau", "maya", "tzolkin")
DIGESTS = {"ahau": "108ba2bee0be406d", "maya": "0ae6876277695633", "tzolkin": "7e89df9253d55a6c"}
"""Of the positions below, in `ballcourt-text-5`. What changes them changes the format: give it a new name."""


def midgame(game: Game, seats: int = 3, steps: int = 120) -> State:
    state = game.initial_state(seats, 1)
    for _ in decisions(state, Random(1).choice, limit=steps):
        pass
    return state


@pytest.mark.parametrize("name", GAMES)
def test_a_position_says_only_what_its_seat_may_know(name: str) -> None:
    game = find_game(name)
    state = midgame(game)
    for seat in range(state.seats):
        other = game.sample(observe(state, seat), Stream(7))
        assert position_text(game, other, seat) == position_text(game, state, seat)
        assert rules_text(game, other, seat, {}) == rules_text(game, state, seat, {})


@pytest.mark.parametrize("name", GAMES)
def test_the_format_is_what_its_version_says(name: str) -> None:
    game = find_game(name)
    state = midgame(game)
    seat = state.pending_seats()[0]
    written = position_text(game, state, seat) + Wording(game).legal(state, seat, state.legal_actions(seat))
    assert FORMAT == "ballcourt-text-5"
    assert sha256(written.encode()).hexdigest()[:16] == DIGESTS[name]


@pytest.mark.parametrize("name", GAMES)
def test_a_position_is_short_and_names_players_question_and_pieces(name: str) -> None:
    game = find_game(name)
    state = midgame(game)
    seat = state.pending_seats()[0]
    written, scene = position_text(game, state, seat), game.scene(state, seat)
    assert tokens(written) < 1500
    assert all(f"player {number} " in written for number in range(len(scene["players"])))
    assert f"player {seat} seat {seat} (you)" in written
    assert scene["question"] is not None
    assert f"question: {scene['question']['text']}" in written
    assert all(place in written for place in scene["at"])


def test_what_is_printed_on_cards_in_sight_is_shown_and_nothing_of_others() -> None:
    game = find_game("tzolkin")
    written = position_text(game, midgame(game), 0)
    scene = game.scene(midgame(game), 0)
    seen = {token["face"] for tokens in scene["at"].values() for token in tokens if "face" in token}
    assert all(f"\n{face}: " in written for face in seen)
    unseen = next(f"building.{n}" for n in range(1, 30) if f"building.{n}" not in str(scene))
    assert f"{unseen}:" not in written


@pytest.mark.parametrize("name", GAMES)
def test_legal_actions_have_their_number_and_words(name: str) -> None:
    game = find_game(name)
    state = midgame(game)
    seat = state.pending_seats()[0]
    legal = state.legal_actions(seat)
    lines = Wording(game).legal(state, seat, legal).splitlines()
    assert [int(line.partition(":")[0]) for line in lines] == legal
    assert lines[0].endswith(game.choice(state, seat, legal[0])["label"])


def test_the_rules_prompt_has_the_rules_the_seat_and_the_options() -> None:
    game = find_game("maya")
    written = rules_text(game, game.initial_state(2, 1), 1, {"variant": "none"})
    file = game.rules_file()
    assert file is not None
    assert played_rules(file.read_text()) in written
    assert written.startswith("You play Maya on seat 1 of 2, numbered from 0. Options: variant = none.")
    assert rules_text(Bluff(), Bluff().initial_state(2, 1), 0, {}).startswith("You play Bluff on seat 0 of 2")


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_prompt_says_nothing_of_where_rules_are_from(name: str) -> None:
    game = find_game(name)
    written = rules_text(game, game.initial_state(2, 1), 0, {})
    for word in ("rulebook", "reconstruction", "code and tests", " (§", " (R-"):
        assert word not in written
    labels = re.findall(r"\*\*(§[\d.]+)\*\*", written)
    assert all(re.search(rf"(?<!\*\*){re.escape(label)}(?![\d*])", written) for label in labels), "mentioned elsewhere"
    file = game.rules_file()
    assert file is not None
    headings = re.findall(r"\*\*§[\d.]+\*\* (\w+ \w+)", file.read_text())
    assert headings
    assert all(words in written for words in headings), "every rule is there"


def test_the_rules_prompt_says_which_places_are_adjacent() -> None:
    maya, ahau = (rules_text(game, game.initial_state(2, 1), 0, {}) for game in (find_game("maya"), find_game("ahau")))
    assert "; K6: J6 J7 K5 K7; " in maya
    assert "; tikal: lamanai quirigua; " in ahau
    assert "region.4.rulers: tulum lamanai tikal quirigua region.2.rulers region.5.rulers" in ahau


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_adjacent_places_exist_and_are_adjacent_both_ways_on_the_same_kind(name: str, seats: int) -> None:
    game = find_game(name)
    places = game.scenery(game.initial_state(seats, 1))["places"]
    for place, described in places.items():
        for other in described.get("adjacent", []):
            both = places[other].get("adjacent", [])
            assert place in both or places[other]["kind"] != described["kind"]


def test_values_are_written_in_few_words() -> None:
    assert compact({"a": 1, "b": [], "c": None, "d": True, "e": {"f": ["x", "y"]}}) == "a 1, d yes, e (f x y)"
    assert compact([{"a": 1}, None, "x"]) == "(a 1) - x"
    assert tokens("") == 0
    assert tokens("abcd") == 2
