"""Helpers for the rule tests: positions by keyword, moves as text, matches played at random.

state = at_table(tiles={"E7": "0 corn:1"}, rack={0: ["corn:2"]}, supply={0: 5})
play(state, "plant corn:2 E8")
assert points(state) == [3, 0]
"""

from collections.abc import Iterable, Iterator
from typing import Any

from ballcourt.engine.core.chance import Stream
from ballcourt.engine.games.maya import GAME
from ballcourt.engine.games.maya.actions import STOP
from ballcourt.engine.games.maya.state import MayaState
from tests.engine.games.maya import vectors
from tests.engine.games.maya.decisions import NotLegal, step_of, values
from tests.engine.games.maya.positions import dump, state_from

TIKAL_AROUND = ["E7", "E8", "F7", "F9", "G7", "G8"]
HEMMED_IN = dict(zip(TIKAL_AROUND, ["1 corn:1", "0 corn:1"] * 3, strict=True))
"""Plantations all around Tikal: nothing can be expanded."""


def at_table(**given: Any) -> MayaState:  # noqa: ANN401
    """Build a position from the fields of the vectors, by default on blue and yellow, with seats as numbers."""
    if "players" not in given:
        given.setdefault("areas", ["blue", "yellow"])
    for name in ("rack", "supply"):
        given[name] = {str(seat): tiles for seat, tiles in given.get(name, {}).items()}
    return state_from(given)


def play(state: MayaState, *moves: str) -> None:
    """Play whole actions: "plant corn:1 E7 corn:2 E8", "expand corn:1 G7", "expand blind G7", "pass"."""
    for move in moves:
        name, *words = move.split()
        pairs = [list(pair) for pair in zip(words[::2], words[1::2], strict=True)]
        vectors.play(state, [name, *(pairs if name == "plant" else words)])


def answer(state: MayaState, *answers: str) -> None:
    """Answer one question after the other, e.g. "plant", "corn:1", "E7"."""
    for value in answers:
        vectors.apply(state, [*state.pending_seats(), step_of(state), value])


def possible(state: MayaState, move: str) -> bool:
    """Return whether a whole action could be played; the position does not change."""
    try:
        play(state.clone(), move)
    except NotLegal:
        return False
    return True


def offered(state: MayaState) -> set[str]:
    """Return the legal values of the seat in turn."""
    return set(values(state))


def cells_for(state: MayaState, *answers: str) -> set[str]:
    """Return the cells offered after these answers; the position does not change."""
    branch = state.clone()
    answer(branch, *answers)
    return offered(branch)


def seen(state: MayaState, name: str) -> Any:  # noqa: ANN401
    """Return one field of the dumped position."""
    return dump(state)[name]


def points(state: MayaState) -> list[int]:
    """List the points of all players."""
    score: list[int] = seen(state, "score")
    return score


def sizes(state: MayaState, field: str) -> list[int]:
    """Count the tiles on every rack or in every supply."""
    return [len(tiles) for tiles in seen(state, field).values()]


def new_match(seats: int, seed: int = 1, **options: str) -> MayaState:
    """Start a match."""
    state = GAME.initial_state(seats, seed, options)
    assert isinstance(state, MayaState)
    return state


def walk(state: MayaState, seed: int) -> Iterator[MayaState]:
    """Play to the end at random and yield before every decision and at the end; stopping is rare, to fill the board."""
    chance = Stream(seed)
    while state.pending_seats():
        yield state
        seat = state.pending_seats()[0]
        options = state.legal_actions(seat)
        going_on = [action for action in options if action != STOP]
        state.apply(seat, chance.choice(going_on if going_on and chance.below(3) else options))
    yield state


def between_turns(states: Iterable[MayaState]) -> Iterator[MayaState]:
    """Yield the positions between two turns."""
    return (state for state in states if step_of(state) in ("action", None))
