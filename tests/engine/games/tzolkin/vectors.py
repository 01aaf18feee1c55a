"""Runs worked examples of the rules: `python -m tests.engine.games.tzolkin.vectors FILE.json`.

A vector gives a position, steps through it and says what must hold; the format is described under `conventions` in
vectors.json. To run another implementation in lockstep with the engine import `state_from`, `legal`, `apply` and
`dump` from here.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.decisions import Decision, NotLegal, apply, legal, normal
from tests.engine.games.tzolkin.positions import BadPosition, Fields, dump, state_from
from tests.engine.games.tzolkin.procedures import PROCEDURES

__all__ = ["BadPosition", "NotLegal", "apply", "dump", "failure", "legal", "load", "state_from"]

SCHEMA = "tzolkin-vectors/1"
UNORDERED = ("buildings", "monuments", "chichen_used", "winners", "wealth", "monuments_displayed")


class BadFile(ValueError):
    """A file that holds no vectors; the sentence says why."""


def load(path: Path) -> list[Fields]:
    """Read the vectors of a file. Raises BadFile."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise BadFile(f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict) or content.get("schema") != SCHEMA or not _are_vectors(content.get("vectors")):
        raise BadFile(f'{path} holds no vectors; it must be {{"schema": "{SCHEMA}", "vectors": [{{"id": ...}}, ...]}}')
    vectors: list[Fields] = content["vectors"]
    return vectors


def _are_vectors(vectors: object) -> bool:
    return isinstance(vectors, list) and all(isinstance(vector, dict) and "id" in vector for vector in vectors)


def failure(vector: Fields) -> str:
    """Run one vector; return what is wrong, or an empty text."""
    try:
        state = state_from(vector.get("given", {}))
        for number, step in enumerate(vector.get("steps", []), 1):
            wrong = _step(state, step)
            if wrong:
                return f"step {number}: {wrong}"
        wrong = differences(vector.get("expect", {}), dump(state))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        return f"the vector cannot be run: {error!r}"
    return f"at the end: {wrong}" if wrong else ""


def _step(state: TzolkinState, step: Fields) -> str:
    """Carry out one step; return what is wrong."""
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
    return "" if normal(decision) in spelled else f"expected {decision} to be legal; legal are {offered}"


def _illegal(state: TzolkinState, decision: Decision) -> str:
    return "" if _legal(state, decision) else f"expected {decision} to be illegal; legal are {legal(state)}"


def _options(state: TzolkinState, decisions: list[Decision]) -> str:
    offered = legal(state)
    same = sorted(map(normal, decisions)) == sorted(map(normal, offered))
    return "" if same else f"expected exactly {decisions}; legal are {offered}"


def _expect(state: TzolkinState, fields: Fields) -> str:
    return differences(fields, dump(state))


CHECKS: dict[str, Callable[[TzolkinState, Any], str]] = {
    "do": _do,
    "legal": _legal,
    "illegal": _illegal,
    "options": _options,
    "expect": _expect,
}


def differences(expected: Fields, found: Fields, where: str = "") -> str:
    """Compare the fields that are expected with what `dump` returned; return the first difference."""
    for name, value in expected.items():
        path = f"{where}{name}"
        if name not in found:
            return f"expected {path} to be {value!r}, there is no such field"
        if isinstance(value, dict):
            wrong = differences(value, found[name], f"{path}.")
            if wrong:
                return wrong
        elif _comparable(name, value) != _comparable(name, found[name]):
            return f"expected {path} to be {value!r}, it is {found[name]!r}"
    return ""


def _comparable(name: str, value: Any) -> Any:  # noqa: ANN401
    """Leave out the blank spaces of the building row and the order of what has none."""
    if name == "row":
        return [tile for tile in value if tile is not None]
    return sorted(value) if name in UNORDERED else value


def main(arguments: list[str]) -> int:
    """Run the vectors of one file; print one line per failure and the totals, return the exit code."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m tests.engine.games.tzolkin.vectors FILE.json\n")
        return 2
    try:
        vectors = load(Path(arguments[0]))
    except BadFile as error:
        sys.stderr.write(f"{error}\n")
        return 2
    failures = [(vector["id"], wrong) for vector in vectors if (wrong := failure(vector))]
    for name, wrong in failures:
        sys.stdout.write(f"{name} {wrong}\n")
    sys.stdout.write(f"{len(vectors) - len(failures)} passed, {len(failures)} failed\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
