"""Runs worked examples of the rules: `python -m tests.engine.games.maya.vectors FILE.json`.

A vector has a kind, which is a question to the rules; a position or some numbers in `given`; for some kinds what is
done in `do`; and the fields of the answer in `expect`. `FINDERS` answers each kind. To run another implementation in
lockstep with the engine, import `state_from`, `legal`, `apply` and `dump` from here.
"""

import sys
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

from ballcourt.engine.games.maya.board import expandable, plantable
from ballcourt.engine.games.maya.cities import award
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import (
    AREA_NAMES,
    AREA_OF,
    BORDERS,
    CELL_NAMES,
    CROP_NAMES,
    KIND_NAMES,
    MIX,
    NEIGHBOURS,
    TEMPLE_AT,
)
from tests.engine.games import vectors
from tests.engine.games.maya.decisions import NotLegal, apply, legal, step_of, values
from tests.engine.games.maya.positions import BadPosition, dump, state_from
from tests.engine.games.vectors import Fields

__all__ = ["BadPosition", "NotLegal", "apply", "dump", "failure", "legal", "load", "state_from"]

HEAD: Fields = {}
UNORDERED = {"plant_starts", "expand_cells", "legal_actions", "neighbours", "opened", "winners"}


def load(path: Path) -> list[Fields]:
    """Read the vectors of a file. Raises BadFile."""
    return vectors.load(path, HEAD)


def failure(vector: Fields) -> str:
    """Run one vector; return what is wrong, or an empty string."""
    kind = vector.get("kind")
    if kind not in FINDERS:
        return f"there is no kind {kind!r} of vector; a kind is one of {', '.join(FINDERS)}"
    try:
        found = FINDERS[kind](vector)
    except NotLegal as error:
        return str(error)
    return vectors.differences(vector["expect"], found, _comparable)


def _comparable(name: str, value: Any) -> Any:  # noqa: ANN401
    """Return a comparable value: without the order of sets, and without steps that had a single choice."""
    if name in UNORDERED:
        return sorted(value)
    if name == "scored":
        return sorted(value.items())
    if name == "choices":
        return sorted(sorted([choice] if isinstance(choice, str) else choice) for choice in value)
    if name == "steps":
        return [[step, sorted(options)] for step, options in value if len(options) > 1]
    return value


# -- components


def _tiles(_: Fields) -> Fields:
    """Count the tiles of one colour and the crops on them."""
    kinds = [name.split(":") for name in KIND_NAMES]
    return {
        "tiles": sum(MIX),
        "crops": sum(count * int(value) for count, (_, value) in zip(MIX, kinds, strict=True)),
        "per_crop": {
            name: sum(count for count, (crop, _) in zip(MIX, kinds, strict=True) if crop == name) for name in CROP_NAMES
        },
    }


def _board(vector: Fields) -> Fields:
    """Count the spaces of a playing area and the border tiles around it."""
    areas = vector["given"]["areas"]
    cells = [cell for cell, area in enumerate(AREA_OF) if AREA_NAMES[area] in areas]
    temples = [cell for cell in cells if TEMPLE_AT[cell] >= 0]
    border = [tile.split() for tile in BORDERS[tuple(name for name in AREA_NAMES[1:] if name in areas)]]
    return {
        "spaces": len(cells),
        "temple_spaces": len(temples),
        "plantable": len(cells) - len(temples),
        "border_doubles": sum(len(tile) == 2 for tile in border),
        "border_singles": sum(len(tile) == 1 for tile in border),
    }


def _neighbours(vector: Fields) -> Fields:
    return {"neighbours": [CELL_NAMES[cell] for cell in NEIGHBOURS[CELL_NAMES.index(vector["given"]["cell"])]]}


# -- single rules


def _draw(vector: Fields) -> Fields:
    """Expand once with the given numbers of tiles on the rack and in the supply."""
    rack, supply = vector["given"]["rack_size"], vector["given"]["supply_size"]
    state = state_from({"rack": {"0": ["corn:1"] * rack, "1": ["corn:1"]}, "supply": {"0": supply}})
    play(state, ["expand", "corn:1" if rack else "blind", "G7"])
    after, left = len(dump(state)["rack"]["0"]), len(dump(state)["supply"]["0"])
    drawn = supply - left - (0 if rack else 1)
    return {"drawn": drawn, "rack_after": after, "supply_after": left, "game_over": not state.frames}


def _award(vector: Fields) -> Fields:
    return {"points": award(vector["given"]["size"], vector["given"]["crops"])}


def _rank(vector: Fields) -> Fields:
    """Return the end of a game with the given results."""
    given = vector["given"]
    left = {str(seat): count for seat, count in enumerate(given["left"])}
    state = state_from({"score": given["score"], "turns": given["turns"], "supply": left, "turn": None})
    return {"winners": dump(state)["winners"]}


def _start_temples(variant: str) -> Callable[[Fields], Fields]:
    """List the start temples that can be chosen in a variant."""

    def find(vector: Fields) -> Fields:
        return {"choices": values(state_from({**vector["given"], "variant": variant, "temples": []}))}

    return find


def _legal(vector: Fields) -> Fields:
    """Return what is legal at the start of a turn; `plant` and `expand` in `given` ask about one such action."""
    given = dict(vector["given"])
    moves = [[name, *_listed(given.pop(name))] for name in ("plant", "expand") if name in given]
    state = state_from(given)
    return {
        "plant_starts": [CELL_NAMES[cell] for cell in plantable(state.cells)],
        "expand_cells": [CELL_NAMES[cell] for cell in expandable(state.cells)],
        "legal_actions": values(state),
        "legal": all(_possible(state, move) for move in moves),
    }


def _listed(asked: Any) -> list[Any]:  # noqa: ANN401
    """Return the words of a move from the tiles of a planting or the cell of an expansion."""
    return asked if isinstance(asked, list) else ["any", asked]


def _possible(state: MayaState, move: list[Any]) -> bool:
    try:
        play(state.clone(), move)
    except NotLegal:
        return False
    return True


# -- whole actions


def _play(vector: Fields) -> Fields:
    """Play moves and return their results."""
    state = state_from(vector["given"])
    before = dump(state)
    for move in vector["do"]:
        play(state, move)
    return _outcome(before, dump(state))


def _outcome(before: Fields, after: Fields) -> dict[str, Any]:
    return {
        **after,
        "points": [now - then for then, now in zip(before["score"], after["score"], strict=True)],
        "opened": [temple for temple in after["temples"] if temple not in before["temples"]],
        "rack_sizes": [len(rack) for rack in after["rack"].values()],
        "supply_sizes": [len(supply) for supply in after["supply"].values()],
    }


def play(state: MayaState, move: list[Any]) -> None:
    """Play ["plant", [kind, cell], ...], ["expand", kind, cell] or ["pass"]. Raises NotLegal.

    The tiles of a planting may come in any order. An expansion with "any" takes the first kind on the rack; one with
    "blind" needs an empty rack.
    """
    name, *rest = move
    if name == "plant":
        _plant(state, rest)
        return
    _answer(state, name)
    if name == "expand":
        kind, cell = rest
        if step_of(state) == "expand_tile":
            _answer(state, values(state)[0] if kind == "any" else kind)
        elif kind not in ("any", "blind"):
            raise NotLegal(f"{kind} is not on the rack, which is empty")
        _answer(state, cell)


def _plant(state: MayaState, tiles: list[list[str]]) -> None:
    """Plant tiles in the order given or, if that is not possible, in any other."""
    for order in permutations(tiles):
        branch = state.clone()
        try:
            _plant_in_order(branch, order)
        except NotLegal:
            continue
        _plant_in_order(state, order)
        return
    raise NotLegal(f"{tiles} cannot be planted in any order; legal decisions: {legal(state)}")


def _plant_in_order(state: MayaState, tiles: tuple[list[str], ...]) -> None:
    _answer(state, "plant")
    for place, (kind, cell) in enumerate(tiles):
        if step_of(state) != ("plant_more" if place else "plant_tile"):
            raise NotLegal(f"no tile can be planted after {tiles[:place]}")
        _answer(state, kind)
        _answer(state, cell)
    if step_of(state) == "plant_more":
        _answer(state, "stop")


def _answer(state: MayaState, value: Any) -> None:  # noqa: ANN401
    """Answer the current question."""
    apply(state, [*state.pending_seats(), step_of(state), value])


def _steps(vector: Fields) -> Fields:
    """Answer questions in order and note the choices of each; forced answers may be omitted."""
    state = state_from(vector["given"])
    before = dump(state)
    asked = []
    for value in vector["do"]:
        if value == "blind" and step_of(state) == "expand_cell":
            continue
        while value not in values(state) and len(values(state)) == 1:
            asked.append([step_of(state), values(state)])
            _answer(state, values(state)[0])
        asked.append([step_of(state), values(state)])
        _answer(state, value)
    after = dump(state)
    return {**_outcome(before, after), "steps": asked, "next": [after["turn"], after["step"]]}


FINDERS: dict[str, Callable[[Fields], Fields]] = {
    "tiles": _tiles,
    "board": _board,
    "neighbours": _neighbours,
    "draw": _draw,
    "award": _award,
    "rank": _rank,
    "new_beginning": _start_temples("new_beginning"),
    "two_cities": _start_temples("two_cities"),
    "legal": _legal,
    "play": _play,
    "steps": _steps,
}


def main(arguments: list[str]) -> int:
    """Run the vectors of one file, print the results and return the exit code."""
    return vectors.run_file(arguments, "tests.engine.games.maya.vectors", HEAD, failure)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
