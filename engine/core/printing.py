"""Positions as text, for a person with a debugger or a REPL."""

import sys
from collections.abc import Iterator

WIDTH = 116
INDENT = "  "


def outline(value: object, indent: str = "") -> Iterator[str]:
    """Yield the lines of an outline of nested dicts and lists: what fits on a line stands on one."""
    for name, part in _parts(value):
        line = f"{indent}{name} {_inline(part)}"
        if len(line) <= WIDTH or not isinstance(part, dict | list):
            yield line
        else:
            yield f"{indent}{name}"
            yield from outline(part, indent + INDENT)


def _parts(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        yield from ((f"{name}:", part) for name, part in value.items())
    elif isinstance(value, list):
        yield from ((f"{index}:", part) for index, part in enumerate(value))
    else:
        yield "", value


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_inline(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(part) for part in value) + "]"
    return "-" if value is None else str(value)


def game_of(module: str) -> object:
    """Return the `GAME` of the package that a module is in; None without one."""
    while module:
        if game := getattr(sys.modules.get(module), "GAME", None):
            return game
        module = module.rpartition(".")[0]
    return None
