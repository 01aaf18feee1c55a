"""Boards as characters."""

from random import Random

import pytest

from ballcourt.engine.core import Game, State
from ballcourt.engine.core.playout import decisions
from ballcourt.engine.core.view.drawing import WIDTH, Canvas, Line, plain_drawing, side_by_side
from ballcourt.engine.registry import find_game
from tests.bluff import Bluff

GAMES = ("ahau", "maya", "tzolkin")


def words(line: Line) -> str:
    return "".join(text for text, _ in line)


def drawn(game: Game, opening: State, state: State, observer: int | None) -> str:
    return "\n".join(map(words, game.drawing()(game.scenery(opening), game.scene(state, observer))))


def walk(game: Game, seats: int, seed: int) -> list[State]:
    """Return positions of a match of random actions, the opening first and the end last."""
    chance, state = Random(seed), game.initial_state(seats, seed)
    positions = [state.clone()]
    for _ in decisions(state, chance.choice):
        if chance.random() < 0.03:
            positions.append(state.clone())
    return [*positions, state]


@pytest.mark.parametrize("name", GAMES)
def test_every_position_fits_on_80_columns_for_every_observer(name: str) -> None:
    game = find_game(name)
    for seats in game.seat_counts:
        positions = walk(game, seats, seats)
        for state in positions:
            for observer in (None, -1, 0):
                board = drawn(game, positions[0], state, observer)
                assert max(map(len, board.splitlines())) <= WIDTH
                assert all(line.isprintable() for line in board.splitlines())


@pytest.mark.parametrize("name", GAMES)
def test_a_board_shows_a_seat_only_what_the_seat_may_know(name: str) -> None:
    game = find_game(name)
    positions = walk(game, game.seat_counts[-1], 3)
    assert any(drawn(game, positions[0], state, None) != drawn(game, positions[0], state, 0) for state in positions)


def test_maya_shows_tiles_where_they_lie() -> None:
    game = find_game("maya")
    opening, *_, end = walk(game, 2, 1)
    board = drawn(game, opening, end, None).splitlines()
    rows = [row for row in board if row.strip()][:11]
    for place, tokens in game.scene(end)["at"].items():
        for token in tokens:
            if token["kind"] == "plantation":
                sign = "AB"[token["player"]] + {"potato": "t"}.get(token["face"][:-2], token["face"][0])
                assert sign + token["face"][-1] in rows[ord(place[0]) - ord("A")]


def test_tzolkin_shows_workers_beside_the_number_of_their_space() -> None:
    game = find_game("tzolkin")
    opening, *positions = walk(game, 4, 2)
    for state in positions:
        board = drawn(game, opening, state, None)
        gears = "\n".join(board.splitlines()[-12:])
        for place, tokens in game.scene(state)["at"].items():
            gear, _, space = place.partition(".")
            if gear == "uxmal" and tokens[0]["kind"] == "worker" and int(space) <= 7:
                assert f"{space}{'ABCD'[tokens[0]['player']]}" in gears


def test_tzolkin_explains_the_signs_on_its_gears_and_counts_in_words() -> None:
    game = find_game("tzolkin")
    opening = game.initial_state(2, 7)
    board = drawn(game, opening, opening, 0)
    assert "# nobody's worker, x crystal skull, . out of sight" in board
    assert "1 skull: " in board
    assert "1 skulls" not in board


def test_ahau_shows_workers_in_cities_and_tiles_in_pyramids() -> None:
    game = find_game("ahau")
    opening, *positions = walk(game, 3, 1)
    for state in positions:
        scene, board = game.scene(state), drawn(game, opening, state, None)
        for token in scene["at"].get("tikal", []):
            assert f"{'ABC'[token['player']]}{token['count']}" in board
        for player in scene["players"]:
            for face, paint in player["own"]["pyramid"].values():
                assert f"{paint[:3]} {face.split()[1][:3]}" in board


def test_a_game_without_a_drawing_is_shown_plainly() -> None:
    game = Bluff()
    opening = game.initial_state(2, 1)
    assert game.drawing() is plain_drawing
    assert drawn(game, opening, opening, 0).splitlines() == ["A seat 0: 0 points", "B seat 1: 0 points"]


@pytest.mark.parametrize("name", GAMES)
def test_the_plain_drawing_names_players_and_pieces_of_any_game(name: str) -> None:
    game = find_game(name)
    opening, *positions = walk(game, 3, 1)
    scene = game.scene(positions[len(positions) // 2])
    board = "\n".join(map(words, plain_drawing(game.scenery(opening), scene)))
    assert all(f"{'ABCDE'[index]} {player['name']}: " in board for index, player in enumerate(scene["players"]))
    assert all(token["kind"] in board for tokens in scene["at"].values() for token in tokens)


def test_a_canvas_joins_characters_of_a_style_and_drops_what_is_left_of_it() -> None:
    canvas = Canvas()
    canvas.put(1, 0, "ab", "strong")
    canvas.put(-1, 2, "xy")
    assert canvas.lines() == [[(" ", ""), ("ab", "strong")], [], [("y", "")]]
    assert [words(line) for line in side_by_side([[("l", "")]], [[("r", "")], [("s", "")]], 3)] == ["l  r", "   s"]
