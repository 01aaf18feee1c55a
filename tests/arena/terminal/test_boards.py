"""What a person sees of a board on a terminal of 40 rows: what one decides by is not scrolled away."""

import io
import random

import pytest
from rich.console import Console

from ballcourt.arena.terminal.boards import drawn
from ballcourt.arena.terminal.dialogue import numbered
from ballcourt.engine.core.view.drawing import LETTERS
from ballcourt.engine.registry import find_game

ROWS = 40
AROUND = 4
"""Rows besides the board and the choices: an empty one, the question on up to two, and the prompt."""


def _choices(labels: list[str]) -> int:
    """Return how many rows choices take."""
    screen = Console(file=io.StringIO(), width=80)
    with screen.capture() as shown:
        screen.print(numbered(labels))
    return shown.get().count("\n")


@pytest.mark.parametrize(
    ("name", "seats", "top"), [("tzolkin", 4, "Palenque"), ("maya", 4, ""), ("ahau", 5, "{own} pyramid")]
)
def test_the_question_the_choices_and_ones_own_board_are_on_40_rows(name: str, seats: int, top: str) -> None:
    game, chance = find_game(name), random.Random(7)
    state = game.initial_state(seats, 7)
    scenery, decisions = game.scenery(state), 0
    while asked := state.pending_seats():
        seat, decisions = asked[0], decisions + 1
        legal = state.legal_actions(seat)
        if decisions % 40 == 0:
            lines = drawn(game.drawing(), scenery, game.scene(state, seat)).plain.split("\n")
            first = next(row for row, line in enumerate(lines) if top.format(own=LETTERS[seat]) in line)
            players = [line[0] for line in lines[first:] if line[1:6] == " seat"]
            assert players[-1] == LETTERS[seat]
            choices = _choices([game.choice(state, seat, action)["label"] for action in legal])
            assert len(lines) - first + AROUND + choices <= ROWS
        state.apply(seat, chance.choice(legal))
