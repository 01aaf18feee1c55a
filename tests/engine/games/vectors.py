"""The common part of running a file of worked examples: reading, comparing fields, counting, exit codes."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

Fields: TypeAlias = Mapping[str, Any]


class BadFile(ValueError):
    """A file without valid vectors; the message says why."""


def load(path: Path, head: Fields) -> list[Fields]:
    """Read the vectors of a file that also has the fields of `head`. Raises BadFile."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise BadFile(f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict) or not head.items() <= content.items() or not _are_vectors(content.get("vectors")):
        shown = "".join(f"{json.dumps(name)}: {json.dumps(value)}, " for name, value in head.items())
        raise BadFile(f'{path} holds no vectors; it must be {{{shown}"vectors": [{{"id": ...}}, ...]}}')
    vectors: list[Fields] = content["vectors"]
    return vectors


def _are_vectors(vectors: object) -> bool:
    return isinstance(vectors, list) and all(isinstance(vector, dict) and "id" in vector for vector in vectors)


def run_file(arguments: list[str], module: str, head: Fields, failure: Callable[[Fields], str]) -> int:
    """Run the vectors of one file; print one line per failure and the totals, return the exit code.

    `failure` runs one vector and returns what is wrong, or an empty string.
    """
    if len(arguments) != 1:
        sys.stderr.write(f"usage: python -m {module} FILE.json\n")
        return 2
    try:
        vectors = load(Path(arguments[0]), head)
    except BadFile as error:
        sys.stderr.write(f"{error}\n")
        return 2
    failures = [(vector["id"], wrong) for vector in vectors if (wrong := _failure(vector, failure))]
    for name, wrong in failures:
        sys.stdout.write(f"{name} {wrong}\n")
    sys.stdout.write(f"{len(vectors) - len(failures)} passed, {len(failures)} failed\n")
    return 1 if failures else 0


def _failure(vector: Fields, failure: Callable[[Fields], str]) -> str:
    """Run one vector; an error in it counts as a failure."""
    try:
        return failure(vector)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        return f"the vector cannot be run: {error!r}"


def differences(expected: Fields, found: Fields, comparable: Callable[[str, Any], Any], where: str = "") -> str:
    """Compare the fields that are expected with those found; return the first difference.

    `comparable` converts a value so that values with the same meaning are equal.
    """
    for name, value in expected.items():
        path = f"{where}{name}"
        if name not in found:
            return f"expected {path} to be {value!r}, there is no such field"
        wanted, actual = comparable(name, value), comparable(name, found[name])
        if isinstance(wanted, dict) and isinstance(actual, dict):
            wrong = differences(wanted, actual, comparable, f"{path}.")
            if wrong:
                return wrong
        elif wanted != actual:
            return f"expected {path} to be {value!r}, it is {found[name]!r}"
    return ""
