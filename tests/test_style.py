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
        f"{name}:{line}: {given}"
        for name in sorted({*_files(".py")} - KEPT)
        for line, given in _names(ast.parse((ROOT / name).read_bytes()))
        if re.search(r"(?:^|_)(?:nobody|whoever|somebody|anew)(?:_|$)|^said$", given)
    ]
    assert found == []


def _names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the names that are given to functions, classes, parameters and variables, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=given) | ast.AsyncFunctionDef(name=given) | ast.ClassDef(name=given):
                yield node.lineno, given
            case ast.arg(arg=given):
                yield node.lineno, given
            case ast.Name(id=given, ctx=ast.Store()) if given.islower():  # NOBODY is a constant of the engine
                yield node.lineno, given
