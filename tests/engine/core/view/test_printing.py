"""Positions and frames as text: what a person sees in a debugger."""

import pytest

from ballcourt.engine.core import Game
from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.playout import playout
from ballcourt.engine.core.view.printing import WIDTH, outline
from ballcourt.engine.games.maya import GAME as MAYA
from ballcourt.engine.games.maya.turns.planting import PlantCell
from ballcourt.engine.games.tzolkin import GAME as TZOLKIN
from ballcourt.engine.games.tzolkin.calendar import RoundEnd, TurnEnd
from ballcourt.engine.registry import games
from tests.bluff import GAME as BLUFF

ALL = [*games().values(), BLUFF]


def test_a_frame_names_its_fields() -> None:
    assert repr(PlantCell(1, 3)) == "PlantCell(seat=1, tile=3)"
    assert repr(TurnEnd(2)) == "TurnEnd(actor=2)"
    assert repr(RoundEnd()) == "RoundEnd()"


def test_a_position_says_whose_decision_it_waits_for() -> None:
    assert repr(MAYA.initial_state(3, 1)) == "<MayaState, 3 seats: seat 0 is asked Act(seat=0)>"


def test_a_position_names_everybody_who_still_owes_a_simultaneous_answer() -> None:
    state = TZOLKIN.initial_state(3, 1)
    state.apply(1, state.legal_actions(1)[0])
    assert repr(state) == "<TzolkinState, 3 seats: seats [0, 2] are asked Draft()>"


def test_a_position_that_is_about_to_take_an_automatic_step_says_which() -> None:
    state = TZOLKIN.initial_state(2, 1)
    state.then(TurnEnd(1))
    assert repr(state) == "<TzolkinState, 2 seats: about to run TurnEnd(actor=1)>"


def test_a_finished_match_says_that_it_is_over() -> None:
    state = BLUFF.initial_state(2, 1)
    playout(state, Stream(1).choice)
    assert repr(state) == "<BluffState, 2 seats: the match is over>"


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_printing_a_position_shows_everything_in_its_scene(game: Game) -> None:
    state = game.initial_state(game.seat_counts[-1], 3)
    first, *lines = str(state).splitlines()
    assert first == repr(state)
    top = [line.partition(":")[0] for line in lines if not line.startswith(" ")]
    assert top == [name for name in game.scene(state) if name != "question"]
    assert max(len(line) for line in lines) <= WIDTH


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_printing_does_not_change_the_position(game: Game) -> None:
    state = game.initial_state(game.seat_counts[0], 3)
    before = state.to_rows()
    str(state)
    assert state.to_rows() == before


def test_an_outline_keeps_short_values_on_one_line_and_folds_long_lists() -> None:
    lines = list(outline({"few": [1, None], "many": list(range(100)), "deep": {"text": "x" * 90, "other": "y" * 40}}))
    assert lines[0] == "few: [1, -]"
    assert lines[1] == "many:"
    assert lines[2].startswith("  0, 1, 2, ")
    assert lines[-3:] == ["deep:", "  text: " + "x" * 90, "  other: " + "y" * 40]
