"""Words and habits that STYLE.md bans, in docstrings, comments, names and documents."""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BANNED = {
    "so many": r"\bso many\b",
    "anew": r"\banew\b",
    "tell of": r"\b(?:tell|tells|told) of\b",
    "that are none": r"\bthat (?:is|are) none\b|\bif it is none\b|\bis none of (?:a|the|our|his)\b",
    "is no X": r"(?<!there )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|later\b|one\b|limit is)[a-z]",
    "a text": r"\ba text\b(?! file)",
    "as far as": r"\bas far as (?:there|it|they) (?:is|are|has|have)\b",
    "nobody": r"(?<![\"'`~./-])(?<!by )(?<!lay down )\b(?:nobody|whoever|somebody)\b(?![\"'`-]| or record)",
    "what became of": r"\bwhat (?:has become|became|becomes) of\b",
    "none of ours": r"\bnone of ours\b",
    "allowed are": r"\ballowed are\b",
}
"""Patterns of prose, in small letters."""
EXAMPLES = {
    "so many": "after so many steps",
    "anew": "it begins anew",
    "tell of": "how many a feed tells of",
    "that are none": "addresses that are none",
    "is no X": "which is no part of it",
    "a text": "returns a text",
    "as far as": "groups, as far as there are any",
    "nobody": "so nobody waits, whoever comes",
    "what became of": "what became of it",
    "none of ours": "it is none of ours",
    "allowed are": "allowed are three",
}
MADE = {"build", "dist", "node_modules", "target", "gen", "__pycache__"}
"""Folders of what tools write."""
MAY = {"STYLE.md", "tests/test_style.py"}
KEPT = {"arena/terminal/saved.py"}
"""Files in which a name is a key of a format: `said` in saved matches."""


def _files(*endings: str) -> list[str]:
    found = [ROOT / name for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")]
    for folder in ("arena", "bots", "docs", "engine", "leaderboard", "src", "tests"):
        found += (ROOT / folder).rglob("*.*")
    return sorted(
        name
        for path in found
        if path.name.endswith(endings)
        and not path.name.endswith(("_pb2.py", "RULES.md"))  # the rules of games speak to players
        and not MADE.intersection(path.parts)
        and (name := path.relative_to(ROOT).as_posix()) not in MAY
    )


def _python(name: str) -> Iterator[tuple[int, str]]:
    """Yield the comments and docstrings of a file with their lines; of the product, also the prose of its strings."""
    with (ROOT / name).open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            is_docstring = token.type == tokenize.STRING and token.string.startswith('"""')
            is_prose = token.type == tokenize.STRING and " " in token.string and not name.startswith("tests/")
            if token.type == tokenize.COMMENT or is_docstring or is_prose:
                yield token.start[0], token.string


def _prose() -> Iterator[tuple[str, int, str]]:
    for name in _files(".py"):
        yield from ((name, line, text) for line, text in _python(name))
    for name in _files(".md"):
        yield name, 1, (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("habit", BANNED)
def test_a_pattern_finds_its_habit(habit: str) -> None:
    assert re.search(BANNED[habit], EXAMPLES[habit])


def test_prose_has_no_banned_words() -> None:
    found = [
        f"{name}:{line + text.count(chr(10), 0, match.start())}: {habit}: {match.group()}"
        for name, line, text in _prose()
        for habit, pattern in BANNED.items()
        for match in re.finditer(pattern, re.sub(r"[^\S\n]+", " ", text.replace("NOBODY", "").lower()))
    ]
    assert found == []


def test_no_docstring_or_comment_begins_with_let() -> None:
    found = [
        f"{name}:{line}: {text[:60]}"
        for name in _files(".py")
        for line, text in _python(name)
        if re.match(r'(?:"""|# ?)Let (?!us)', text)
    ]
    assert found == []


def test_names_avoid_banned_words() -> None:
    found = [
        f"{name}:{node.lineno}: {called}"
        for name in {*_files(".py")} - KEPT
        for node in ast.walk(ast.parse((ROOT / name).read_bytes()))
        if (called := _named(node)) and re.search(r"(?:^|_)(?:nobody|whoever|somebody|anew)(?:_|$)|^said$", called)
    ]
    assert found == []


def _named(node: ast.AST) -> str:
    """Return the name that a node gives to a function, class, parameter or variable; empty if it gives none."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.arg):
        return node.arg
    is_given = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    return node.id if is_given and node.id.islower() else ""  # NOBODY is a constant of the engine
