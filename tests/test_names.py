"""Class names that say one thing: which may occur more than once within a package. The list may only shrink."""

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = {
    path.name: path
    for path in [*sorted((ROOT / "src" / "ballcourt").iterdir()), ROOT / "engine", ROOT / "arena", ROOT / "leaderboard"]
    if (path / "__init__.py").exists() and not path.is_symlink()
}
REPEATED = {
    "arena": {"Seat", "Step"},  # these also describe themselves in the JSON of a replay
}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_class_name_occurs_once_in_a_package(package: str) -> None:
    counted = Counter(
        node.name
        for path in PACKAGES[package].rglob("*.py")
        if not {"games", "starter"}.intersection(path.parts) and not path.stem.endswith("_pb2")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert counted
    assert {name for name, count in counted.items() if count > 1} == REPEATED.get(package, set())
