"""Runs worked examples of the rules: `python -m tests.engine.games.tzolkin.vectors FILE.json`.

A vector gives a position, steps to play from it and the expected results; the format is described under `conventions`
in vectors.json. To run another implementation in lockstep with the engine, import `state_from`, `legal`, `apply` and
`dump` from here.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games import vectors
from tests.engine.games.tzolkin.decisions import Decision, NotLegal, apply, legal, normal
from tests.engine.games.tzolkin.positions import BadPosition, Fields, dump, state_from
from tests.engine.games.tzolkin.procedures import PROCEDURES

__all__ = ["BadPosition", "NotLegal", "apply", "dump", "failure", "legal", "load", "state_from"]

HEAD = {"schema": "tzolkin-vectors/1"}
UNORDERED = ("buildings", "monuments", "chichen_used", "winners", "wealth", "monuments_displayed")


def load(path: Path) -> list[Fields]:
    """Read the vectors of a file. Raises BadFile."""
    return vectors.load(path, HEAD)


def failure(vector: Fields) -> str:
    """Run one vector; return what is wrong, or an empty string."""
    state = state_from(vector.get("given", {}))
    for number, step in enumerate(vector.get("steps", []), 1):
        wrong = _step(state, step)
        if wrong:
            return f"step {number}: {wrong}"
    wrong = _expect(state, vector.get("expect", {}))
    return f"at the end: {wrong}" if wrong else ""


def _step(state: TzolkinState, step: Fields) -> str:
    """Run one step; return what is wrong."""
    if "run" in step:
        return PROCEDURES[step["run"]](state, step)
    checks = [name for name in CHECKS if name in step]
    if not checks:
        return f"no such step: {dict(step)}; a step is one of run, {', '.join(CHECKS)}"
    return CHECKS[checks[0]](state, step[checks[0]])


def _do(state: TzolkinState, decision: Decision) -> str:
    try:
        apply(state, decision)
    except NotLegal as error:
        return str(error)
    return ""


def _legal(state: TzolkinState, decision: Decision) -> str:
    offered = legal(state)
    spelled = [normal(other) for other in offered]
    return "" if normal(decision) in spelled else f"expected {decision} to be legal; legal decisions: {offered}"


def _illegal(state: TzolkinState, decision: Decision) -> str:
    return "" if _legal(state, decision) else f"expected {decision} to be illegal; legal decisions: {legal(state)}"


def _options(state: TzolkinState, decisions: list[Decision]) -> str:
    offered = legal(state)
    same = sorted(map(normal, decisions)) == sorted(map(normal, offered))
    return "" if same else f"expected exactly {decisions}; legal decisions: {offered}"


def _expect(state: TzolkinState, fields: Fields) -> str:
    return vectors.differences(fields, dump(state), _comparable)


CHECKS: dict[str, Callable[[TzolkinState, Any], str]] = {
    "do": _do,
    "legal": _legal,
    "illegal": _illegal,
    "options": _options,
    "expect": _expect,
}


def _comparable(name: str, value: Any) -> Any:  # noqa: ANN401
    """Return a comparable value: without blank spaces of the building row, and without the order of sets."""
    if name == "row":
        return [tile for tile in value if tile is not None]
    return sorted(value) if name in UNORDERED else value


def main(arguments: list[str]) -> int:
    """Run the vectors of one file, print the results and return the exit code."""
    return vectors.run_file(arguments, "tests.engine.games.tzolkin.vectors", HEAD, failure)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
