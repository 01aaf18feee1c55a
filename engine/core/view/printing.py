"""Positions as text, for a person with a debugger or a REPL."""

from collections.abc import Iterator
from textwrap import wrap

WIDTH = 116
INDENT = "  "
SHORT = 20
"""Parts up to this length share lines when the whole is too long for one."""


def outline(value: object, indent: str = "") -> Iterator[str]:
    """Yield the lines of an outline of nested dicts and lists of JSON values; what fits on one line stands on one."""
    for name, part in _parts(value):
        line = f"{indent}{name}: {_inline(part)}"
        if len(line) <= WIDTH or not isinstance(part, dict | list):
            yield line
            continue
        yield f"{indent}{name}:"
        if all(len(_inline(inner)) <= SHORT for _, inner in _parts(part)):
            yield from wrap(
                _inline(part)[1:-1], WIDTH, initial_indent=indent + INDENT, subsequent_indent=indent + INDENT
            )
        else:
            yield from outline(part, indent + INDENT)


def _parts(value: object) -> list[tuple[object, object]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_inline(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(part) for part in value) + "]"
    return "-" if value is None else str(value)
