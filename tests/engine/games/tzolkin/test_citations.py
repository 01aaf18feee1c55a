"""Every rule has an id in RULES.md, every id cited exists, every rule is tested and stands in the code."""

import re
from pathlib import Path

import pytest

import engine.games.tzolkin

GAME_FOLDER = Path(engine.games.tzolkin.__file__).parent
TEST_FOLDER = Path(__file__).parent
RULES = (GAME_FOLDER / "RULES.md").read_text(encoding="utf-8")

CHAPTERS = re.findall(r"^## (§\d+) ", RULES, re.MULTILINE)
SUBSECTIONS = re.findall(r"^- \*\*(§\d+\.\d+)\*\* ", RULES, re.MULTILINE)
RULINGS = re.findall(r"^- \*\*(R-\d\d)\*\* ", RULES, re.MULTILINE)
DEFINED = {*CHAPTERS, *SUBSECTIONS, *RULINGS}

CITATION = re.compile(r"§\d+(?:\.\d+)?|R-\d+")


def cited(paths: list[Path]) -> dict[str, list[str]]:
    """Map every id cited in these files to the names of the files that cite it."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for rule in set(CITATION.findall(path.read_text(encoding="utf-8"))):
            found.setdefault(rule, []).append(path.name)
    return found


BY_CODE = cited(sorted(GAME_FOLDER.glob("*.py")))
BY_TESTS = cited([path for path in sorted(TEST_FOLDER.glob("test_*.py")) if path.name != Path(__file__).name])
BY_RULES = cited([GAME_FOLDER / "RULES.md"])


def test_every_id_is_defined_once() -> None:
    everything = CHAPTERS + SUBSECTIONS + RULINGS
    assert len(everything) == len(set(everything))
    assert [f"R-{number:02}" for number in range(1, 32)] == RULINGS
    assert [f"§{number}" for number in range(1, 11)] == CHAPTERS


@pytest.mark.parametrize("citations", [BY_CODE, BY_TESTS, BY_RULES], ids=["code", "tests", "rules"])
def test_every_id_cited_exists(citations: dict[str, list[str]]) -> None:
    assert {rule: files for rule, files in citations.items() if rule not in DEFINED} == {}


@pytest.mark.parametrize("rule", SUBSECTIONS + RULINGS)
def test_every_rule_is_tested(rule: str) -> None:
    assert rule in BY_TESTS


@pytest.mark.parametrize("rule", SUBSECTIONS + RULINGS)
def test_every_rule_stands_in_the_code(rule: str) -> None:
    assert rule in BY_CODE
