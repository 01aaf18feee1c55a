"""Rewrite what TypeScript knows of our documents: `python -m tests.languages.declarations`.

The scripts of replays and pages read JSON documents that Python describes as TypedDicts. For each module that defines
some, a `.d.ts` file in the same folder declares the same types for `npx tsc`.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from ballcourt.arena.browser.personal import Asked
from ballcourt.arena.replays.document import Document
from ballcourt.engine import games
from ballcourt.engine.core.view.scene import Lesson
from ballcourt.leaderboard.pages.followed import FollowedState
from ballcourt.leaderboard.pages.live import Now

ROOT = Path(__file__).parents[2]
OF_A_GAME = ("Printed", "Board", "Own", "Known")
"""The TypedDicts of a game's scene that its board reads."""


def _of_game(game: str) -> tuple[type, ...]:
    """Return the TypedDicts that a game's board reads; each game has some of them."""
    view = f"{games.__name__}.{game}.view"
    modules = [import_module(f"{view}.{module.name}") for module in iter_modules(import_module(view).__path__)]
    return tuple(getattr(module, name) for name in OF_A_GAME for module in modules if hasattr(module, name))


FILES: dict[str, tuple[type, ...]] = {
    "arena/browser/personal.d.ts": (Asked, Lesson),
    "arena/replays/document.d.ts": (Document,),
    **{f"engine/games/{game.name}/view/scene.d.ts": _of_game(game.name) for game in iter_modules(games.__path__)},
    "leaderboard/pages/live.d.ts": (Now, FollowedState),
}
"""The TypedDicts that scripts read, by the file that declares them and what they refer to."""
HEAD = "// Written by `python -m tests.languages.declarations` from the TypedDicts of Python.\n"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", Any: "unknown"}


def declarations(*roots: type) -> str:
    """Return TypeScript's declarations of TypedDicts and of those they refer to; docstrings become comments."""
    found: dict[str, type] = {}
    for root in roots:
        _find(root, found)
    return "\n".join([HEAD, *(_declaration(found[name]) for name in sorted(found))])


def _find(kind: Any, found: dict[str, type]) -> None:  # noqa: ANN401
    """Add the TypedDicts that a type consists of."""
    if is_typeddict(kind):
        if found.setdefault(kind.__name__, kind) is not kind:
            raise ValueError(f"two TypedDicts of one file have the name {kind.__name__}; rename one")
        parts = tuple(get_type_hints(kind, include_extras=True).values())
    else:
        parts = get_args(kind) if get_origin(kind) is not Literal else ()
    for part in parts:
        _find(part, found)


def _declaration(kind: type) -> str:
    sentence = " ".join((kind.__doc__ or "").split())
    return "\n".join([f"/** {sentence} */", f"export type {kind.__name__} = {{", *_members(kind), "};", ""])


def _members(kind: type) -> Iterator[str]:
    for name, hint in get_type_hints(kind, include_extras=True).items():
        optional = get_origin(hint) is NotRequired
        yield f"  {name}{'?' if optional else ''}: {_in_typescript(get_args(hint)[0] if optional else hint)};"


def _in_typescript(kind: Any) -> str:  # noqa: ANN401
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in PLAIN:
        return PLAIN[kind]
    if is_typeddict(kind):
        return str(kind.__name__)
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin is list:
        return f"Array<{_in_typescript(arguments[0])}>"
    if origin is dict and arguments[0] is str:
        return f"Record<string, {_in_typescript(arguments[1])}>"
    if origin in (Union, UnionType):
        return " | ".join(_in_typescript(argument) for argument in arguments)
    raise TypeError(f"{kind} cannot be declared; use TypedDict, list, dict[str, ...], str, int, float, bool or None")


if __name__ == "__main__":
    for path, roots in FILES.items():
        (ROOT / path).write_text(declarations(*roots), encoding="utf-8")
