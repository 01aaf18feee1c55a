"""Names that say one thing: which file and class names may occur more than once. The lists may only shrink."""

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = (
    "engine",
    "arena",
    "leaderboard",
    "src/ballcourt/contest",
    "src/ballcourt/env",
    "src/ballcourt/evaluate",
    "src/ballcourt/cli",
)
FILES = {"seats", "teaming"}
"""File names of three or more modules."""
CLASSES = {
    "Duel",
    "Entrant",
    "Evidence",
    "Field",
    "Place",
    "Question",
    "Rival",  # this, Seat and Step also describe themselves in the JSON of a replay
    "Seat",
    "Step",
    "Version",
}
"""Public class names of two or more modules; each game may use them again."""
MODULES = [
    path
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.py")
    if not {"games", "starter"}.intersection(path.parts) and not path.stem.endswith(("_pb2", "__"))
]


def test_only_the_listed_file_names_occur_three_times() -> None:
    counted = Counter(path.stem for path in MODULES)
    assert {name for name, count in counted.items() if count > 2} == FILES


def test_only_the_listed_class_names_occur_twice() -> None:
    counted = Counter(
        node.name
        for path in MODULES
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, count in counted.items() if count > 1} == CLASSES


def test_no_folder_but_that_of_the_commands_has_more_than_fifteen_modules() -> None:
    counted = Counter(path.parent for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    large = {str(folder.relative_to(ROOT)) for folder, count in counted.items() if count > 15}
    assert large == {"src/ballcourt/cli"}
