"""Every public method says what it does, unless one of our base classes does so already.

Ruff asks for the docstrings of modules, packages, classes and functions. It cannot know which methods override another.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = (
    "arena",
    "bots",
    "engine",
    "leaderboard",
    "src/ballcourt/contest",
    "src/ballcourt/web",
    "src/ballcourt/env",
    "src/ballcourt/evaluation",
)
EXEMPT = ("bots/starters/", "/bot.py")
"""Bots are examples to read; their methods are those of `Bot`."""


def classes() -> dict[str, list[ast.ClassDef]]:
    """Return our classes by name."""
    found: dict[str, list[ast.ClassDef]] = {}
    for _, node in _definitions():
        found.setdefault(node.name, []).append(node)
    return found


def _definitions() -> Iterator[tuple[str, ast.ClassDef]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            yield from (
                (name, node) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)
            )


def _bases(node: ast.ClassDef) -> Iterator[str]:
    """Yield the names of the base classes, without modules and type arguments."""
    for base in node.bases:
        plain = base.value if isinstance(base, ast.Subscript) else base
        yield plain.attr if isinstance(plain, ast.Attribute) else getattr(plain, "id", "")


def _inherited(node: ast.ClassDef, known: dict[str, list[ast.ClassDef]]) -> set[str]:
    """Return the names of all methods of the base classes that are ours."""
    names = set()
    for base in (definition for name in _bases(node) for definition in known.get(name, ()) if definition is not node):
        names |= {method.name for method in _methods(base)} | _inherited(base, known)
    return names


def _methods(node: ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef))


def test_every_public_method_except_overrides_has_a_docstring() -> None:
    known = classes()
    silent = [
        f"{path}:{method.lineno} {node.name}.{method.name}"
        for path, node in _definitions()
        if not node.name.startswith("_") and not any(part in path for part in EXEMPT)
        for method in _methods(node)
        if not method.name.startswith("_") and not ast.get_docstring(method)
        if method.name not in _inherited(node, known) and not _is_overload_or_setter(method)
    ]
    assert silent == []


def _is_overload_or_setter(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = [getattr(decorator, "attr", getattr(decorator, "id", "")) for decorator in method.decorator_list]
    return bool({"overload", "setter"}.intersection(names))
