"""The tool that runs files of worked examples, whatever the game."""

import json
from pathlib import Path

import pytest

from tests.engine.games.vectors import Fields, differences, run_file

HEAD = {"schema": "some/1"}


def failure(vector: Fields) -> str:
    """A fake game: every vector contains its own failure."""
    wrong: str = vector["wrong"]
    return wrong


def run(path: Path, *vectors: Fields) -> int:
    path.write_text(json.dumps({**HEAD, "vectors": vectors}), encoding="utf-8")
    return run_file([str(path)], "some.module", HEAD, failure)


def test_the_exit_code_is_0_if_all_vectors_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "some.json", {"id": "A", "wrong": ""}, {"id": "B", "wrong": ""}) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed\n"


def test_a_failure_has_a_line_and_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "some.json", {"id": "A", "wrong": ""}, {"id": "B", "wrong": "too few"}, {"id": "C"}) == 1
    assert capsys.readouterr().out.splitlines() == [
        "B too few",
        "C the vector cannot be run: KeyError('wrong')",
        "1 passed, 2 failed",
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot read"),
        ("{", "is not JSON"),
        ("[]", 'holds no vectors; it must be {"schema": "some/1", "vectors": [{"id": ...}, ...]}'),
        ('{"schema": 1, "vectors": []}', "holds no vectors"),
        ('{"schema": "some/1", "vectors": [{}]}', "holds no vectors"),
    ],
)
def test_a_file_without_vectors_exits_with_2_and_one_sentence(
    content: str | None, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert run_file([str(path)], "some.module", HEAD, failure) == 2
    assert sentence in capsys.readouterr().err


def test_the_tool_takes_exactly_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_file([], "some.module", HEAD, failure) == 2
    assert capsys.readouterr().err == "usage: python -m some.module FILE.json\n"


def sets(name: str, value: object) -> object:
    return sorted(value) if name == "set" and isinstance(value, list) else value


@pytest.mark.parametrize(
    ("expected", "difference"),
    [
        ({"day": 1, "set": [2, 1], "player": {"0": {"corn": 3}}}, ""),
        ({"day": 2}, "expected day to be 2, it is 1"),
        ({"list": [2, 1]}, "expected list to be [2, 1], it is [1, 2]"),
        ({"player": {"0": {"corn": 4}}}, "expected player.0.corn to be 4, it is 3"),
        ({"player": {"1": {}}}, "expected player.1 to be {}, there is no such field"),
        ({"day": {"1": 2}}, "expected day to be {'1': 2}, it is 1"),
    ],
)
def test_only_the_fields_expected_are_compared(expected: Fields, difference: str) -> None:
    found = {"day": 1, "set": [1, 2], "list": [1, 2], "player": {"0": {"corn": 3, "wood": 0}}}
    assert differences(expected, found, sets) == difference
