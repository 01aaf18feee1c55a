"""Finding interpreters on the PATH and those of pyenv and uv, and skipping programs that are not interpreters."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ballcourt.arena.bots import interpreters
from ballcourt.arena.bots.interpreters import NoInterpreter, find_interpreter, our_interpreter


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home without interpreters, on a machine whose PATH has none."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in ("PYENV_ROOT", "UV_PYTHON_INSTALL_DIR"):
        monkeypatch.delenv(variable, raising=False)
    find_interpreter.cache_clear()
    yield tmp_path
    find_interpreter.cache_clear()
    interpreters._probed.cache_clear()


def install(folder: Path, version: str, words: str = "") -> Path:
    """Write a program that answers as the interpreter of a version does."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / f"python{version.rpartition('.')[0]}"
    answer = words or "\\n".join([*version.split("."), "1", str(program)])
    program.write_text(f"#!/bin/sh\nprintf '{answer}\\n'\n")
    program.chmod(0o755)
    return program


def test_the_version_of_the_arena_is_the_interpreter_of_the_arena(home: Path) -> None:
    install(home / "bin", f"3.{sys.version_info.minor}.0")
    found = find_interpreter(f"3.{sys.version_info.minor}")
    assert found == our_interpreter()
    assert found.is_ours


@pytest.mark.parametrize(
    "place", ["bin", ".pyenv/versions/3.20.5/bin", ".local/share/uv/python/cpython-3.20.5-linux/bin"]
)
def test_interpreters_are_found_on_the_path_and_where_pyenv_and_uv_keep_them(home: Path, place: str) -> None:
    program = install(home / place, "3.20.5")
    found = find_interpreter("3.20")
    assert (found.program, found.version, found.minor, found.is_ours) == (program, "3.20.5", "3.20", False)


def test_a_shim_that_starts_nothing_and_one_of_another_version_are_passed_over(home: Path) -> None:
    install(home / "bin", "3.20.1", words="pyenv: python3.20: command not found")
    install(home / ".pyenv/versions/3.20.1/bin", "3.20.1", words="3\\n19\\n1\\n1\\n/bin/python3.19")
    right = install(home / ".local/share/uv/python/cpython-3.20.1-x/bin", "3.20.1")
    assert find_interpreter("3.20").program == right


def test_a_version_that_is_missing_is_told_with_those_that_are_there(home: Path) -> None:
    install(home / "bin", "3.20.1")
    install(home / "bin", "3.22.7")
    ours = our_interpreter().version
    with pytest.raises(NoInterpreter, match=rf"has no Python 3\.21: .*; it has {ours}, 3\.20\.1, 3\.22\.7$"):
        find_interpreter("3.21")


@pytest.mark.parametrize("version", ["2.7", "3.8", "3", "3.12.1", "3.99", "3.012", "../3.12", "pypy3.10", ""])
def test_a_version_is_3_and_a_number(version: str) -> None:
    assert interpreters.objection(version)
    assert not interpreters.objection("3.9")
