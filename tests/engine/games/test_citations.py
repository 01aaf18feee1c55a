"""In every game: each rule has an id in RULES.md, each id cited exists, each rule is tested and cited in the code."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from ballcourt.engine import games

CITATION = re.compile(r"§\d+(?:\.\d+)?|R-[A-Z]?\d+")


@dataclass(frozen=True)
class Rules:
    """The rules of one game: its folder, with RULES.md, and the folder of its tests."""

    game_folder: Path
    test_folder: Path

    @cached_property
    def text(self) -> str:
        return (self.game_folder / "RULES.md").read_text(encoding="utf-8")

    @property
    def chapters(self) -> list[str]:
        return re.findall(r"^## (§\d+) ", self.text, re.MULTILINE)

    @property
    def rules(self) -> list[str]:
        """The subsections and the rulings."""
        return re.findall(r"^- \*\*(§\d+\.\d+|R-[A-Z]?\d+)\*\* ", self.text, re.MULTILINE)

    @cached_property
    def by_code(self) -> dict[str, list[str]]:
        return cited(sorted(self.game_folder.rglob("*.py")))

    @cached_property
    def by_tests(self) -> dict[str, list[str]]:
        return cited(sorted(self.test_folder.rglob("test_*.py")))


def cited(paths: list[Path]) -> dict[str, list[str]]:
    """Map every id cited in these files to the names of the files that cite it."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for rule in set(CITATION.findall(path.read_text(encoding="utf-8"))):
            found.setdefault(rule, []).append(path.name)
    return found


GAMES = {
    path.parent.name: Rules(path.parent, Path(__file__).parent / path.parent.name)
    for path in sorted(Path(games.__path__[0]).glob("*/RULES.md"))
}
EVERY_GAME = pytest.mark.parametrize("game", GAMES)
EVERY_RULE = pytest.mark.parametrize(("game", "rule"), [(name, rule) for name in GAMES for rule in GAMES[name].rules])


@EVERY_GAME
def test_every_id_is_defined_once(game: str) -> None:
    chapters, rules = GAMES[game].chapters, GAMES[game].rules
    assert len(rules) == len(set(rules))
    assert chapters == [f"§{number}" for number in range(1, len(chapters) + 1)]
    assert {rule.partition(".")[0] for rule in rules if rule.startswith("§")} == set(chapters)


@EVERY_GAME
@pytest.mark.parametrize("place", ["code", "tests", "rules"])
def test_every_id_cited_exists(game: str, place: str) -> None:
    rules = GAMES[game]
    citations = {
        "code": rules.by_code,
        "tests": rules.by_tests,
        "rules": cited([rules.game_folder / "RULES.md"]),
    }[place]
    defined = {*rules.chapters, *rules.rules}
    assert {rule: files for rule, files in citations.items() if rule not in defined} == {}


@EVERY_RULE
def test_every_rule_is_tested(game: str, rule: str) -> None:
    assert rule in GAMES[game].by_tests


@EVERY_RULE
def test_every_rule_is_cited_in_the_code(game: str, rule: str) -> None:
    assert rule in GAMES[game].by_code
