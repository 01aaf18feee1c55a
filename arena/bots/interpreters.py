"""The interpreters of Python on this machine, by version: ours, those on the PATH, and those of pyenv and uv."""

import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ballcourt.arena.python import our_python
from ballcourt.engine.core import WrongInput

OLDEST, NEWEST = 9, 30
"""The minor versions of Python 3 that are looked for; the SDK runs with 3.9 and newer."""
PROBE: Final = (
    "import sys, importlib.util as util, venv; "
    "print(*sys.version_info[:3], int(util.find_spec('pip') is not None), sys.executable, sep='\\n')"
)
PROBE_S: Final = 30.0
PLACES: Final = (
    ("PYENV_ROOT", ".pyenv", "versions/{}.*/bin"),
    ("UV_PYTHON_INSTALL_DIR", ".local/share/uv/python", "cpython-{}.*/bin"),
)
"""Where managers of interpreters keep them: a variable that names a folder, its default in the home, and a pattern."""


class NoInterpreter(WrongInput):
    """This machine lacks an interpreter; the sentence names those that it has."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter of Python that can make virtual environments."""

    program: Path
    version: str
    """All of it, such as 3.12.1."""
    has_pip: bool = True

    @property
    def minor(self) -> str:
        """Its version without the last part, such as 3.12."""
        return self.version.rpartition(".")[0]

    @property
    def is_ours(self) -> bool:
        """Whether libraries that are installed for us work in it."""
        return self.program == Path(our_python())


def objection(version: str) -> str:
    """Return what is wrong with a version in bot.toml; empty if nothing is."""
    found = re.fullmatch(r"3\.([1-9][0-9]?)", version)
    if found and OLDEST <= int(found[1]) <= NEWEST:
        return ""
    return f'it must be a version such as "{_minor(sys.version_info.minor)}", from 3.{OLDEST} on'


def our_interpreter() -> Interpreter:
    """Return the interpreter that runs the arena."""
    version = platform.python_version().rstrip("+")
    return Interpreter(Path(our_python()), version, has_pip=find_spec("pip") is not None)


@cache
def find_interpreter(version: str) -> Interpreter:
    """Return an interpreter of a version such as 3.12; ours if it is of that version. Raises NoInterpreter."""
    if found := _look_for(version):
        return found
    others = [interpreter.version for interpreter in all_interpreters()]
    raise NoInterpreter(
        f"this machine has no Python {version}: there is no program python{version} on the PATH, nor one of pyenv or "
        f"uv; it has {', '.join(others)}"
    )


def all_interpreters() -> list[Interpreter]:
    """List one interpreter of each version that this machine has, the oldest first."""
    return [found for minor in range(OLDEST, NEWEST + 1) if (found := _look_for(_minor(minor)))]


def _look_for(version: str) -> Interpreter | None:
    if version == _minor(sys.version_info.minor):
        return our_interpreter()
    programs = (folder / f"python{version}" for folder in _folders(version))
    probed = (_probed(program) for program in programs if os.access(program, os.X_OK))
    return next((found for found in probed if found and found.minor == version), None)


def _folders(version: str) -> Iterator[Path]:
    yield from (Path(folder) for folder in os.get_exec_path() if Path(folder).is_absolute())
    for variable, default, pattern in PLACES:
        place = Path(os.environ.get(variable) or Path.home() / default)
        yield from sorted(place.glob(pattern.format(version)), reverse=True)


@cache
def _probed(program: Path) -> Interpreter | None:
    """Return the interpreter that a program starts; None if it starts none, as the shims of pyenv may."""
    try:
        done = subprocess.run(
            [program, "-I", "-c", PROBE],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PROBE_S,
            check=False,
        )
        major, minor, patch, pip, path = done.stdout.splitlines()
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return Interpreter(Path(path), f"{major}.{minor}.{patch}", has_pip=pip == "1")


def _minor(number: int) -> str:
    return f"3.{number}"
