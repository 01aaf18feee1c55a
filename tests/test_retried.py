"""Tests that fail are run once more."""

from pathlib import Path

import pytest

from tests.retried import MOST, run

ONE_RACE = """
from pathlib import Path
mark = Path(__file__).with_name("mark")
def test_loses_its_first_race():
    mark.write_text(mark.read_text() + "x" if mark.exists() else "x")
    assert mark.read_text() != "x"
def test_passes():
    pass
"""
BROKEN = "import pytest\n@pytest.mark.parametrize('number', range({count}))\ndef test_fails(number): assert False"


@pytest.mark.parametrize(
    ("tests", "code", "said"),
    [
        (ONE_RACE, 0, "once more, by themselves:\n  test_it.py::test_loses_its_first_race\n"),
        (BROKEN.format(count=1), 1, "once more, by themselves:\n  test_it.py::test_fails[0]\n"),
        (BROKEN.format(count=MOST + 1), 1, ""),
        ("def test_passes(): pass", 0, ""),
        ("", 5, ""),
    ],
)
def test_a_run_fails_if_a_test_fails_twice_or_many_fail(
    tests: str, code: int, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_it.py").write_text(tests)
    arguments = [str(tmp_path), "-c", "/dev/null", f"--rootdir={tmp_path}", "-p", "no:randomly"]
    assert run(arguments) == code
    told = capfd.readouterr().out
    assert said in told
    assert ("once more" in told) == bool(said)
