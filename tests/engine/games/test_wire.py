"""Observations of every game on the wire: what they have in common."""

from typing import Any

import pytest

from ballcourt.engine.core import MalformedRows
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.playout import playout
from ballcourt.engine.registry import find_game
from ballcourt.v1.maya_pb2 import MayaObservation
from ballcourt.v1.tzolkin_pb2 import TzolkinObservation

GAMES: dict[str, tuple[Any, str]] = {
    "maya": (MayaObservation, "cells of an observation of maya has 0 entries instead of 155"),
    "tzolkin": (TzolkinObservation, "jungle_corn of an observation of tzolkin has 0 entries instead of 4"),
}
"""The message of each, and what is wrong with one that has two players and nothing else."""


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_match_has_no_question(game: str) -> None:
    state = find_game(game).initial_state(2, 7)
    playout(state, min)
    assert GAMES[game][0].FromString(Encoder(find_game(game).wire()).encode(state, 0)).question == 0


@pytest.mark.parametrize("game", GAMES)
def test_unknown_fields_of_a_later_version_are_ignored(game: str) -> None:
    state, wire = find_game(game).initial_state(2, 7), find_game(game).wire()
    assert wire.decode(Encoder(wire).encode(state, 0) + b"\xfa\x3f\x03new") == observe(state, 0)


@pytest.mark.parametrize("game", GAMES)
def test_a_message_that_is_not_an_observation_is_refused_in_one_sentence(game: str) -> None:
    message, lacking = GAMES[game]
    for wrong, sentence in (
        (message(), "cannot have 0 seats"),
        (message(players=[{}, {}]), lacking),
        (message(players=[{}] * 3, seat=3), "cannot have 3 seats, seen by seat 3"),
    ):
        with pytest.raises(MalformedRows, match=sentence):
            find_game(game).wire().decode(wrong.SerializeToString())
    with pytest.raises(MalformedRows, match=f"these bytes are not an observation of {game}"):
        find_game(game).wire().decode(b"\xff\xff")
