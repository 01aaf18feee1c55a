"""The Landlock domain that bots are in, entered by a process of this test."""

import subprocess
import sys
from pathlib import Path

import pytest

from ballcourt.arena.sandbox import entry
from tests.arena.conftest import PATIENCE_S

ENTRY = Path(entry.__file__)
pytestmark = pytest.mark.skipif(entry.version() < entry.REFERRING, reason="this kernel's Landlock cannot be used")
versions = pytest.mark.parametrize(
    "version", sorted({entry.REFERRING, entry.version()}), ids=lambda version: f"version {version}"
)


def confined(version: int, code: str, folder: Path) -> str:
    """Run code in the domain that this version of Landlock offers; return what it printed."""
    program = f"import ctypes, os, sys\nsys.path.insert(0, {str(ENTRY.parent)!r})\nimport entry\n"
    program += "ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)\n"  # no new privileges; bwrap sets that
    program += f"entry.restrict({version})\n"
    command = [sys.executable, "-c", program + code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@versions
def test_a_confined_program_cannot_open_the_memory_of_others_of_its_user(tmp_path: Path, version: int) -> None:
    code = """
for pid in (os.getppid(), os.getpid()):
    try:
        open(f"/proc/{pid}/mem", "rb").close()
        print("opened")
    except OSError as error:
        print(error.strerror)
"""
    assert confined(version, code, tmp_path).splitlines() == ["Permission denied", "opened"]


@pytest.mark.skipif(entry.version() < entry.SCOPED, reason="this kernel's Landlock has no scopes")
def test_a_confined_program_signals_only_its_own_processes(tmp_path: Path) -> None:
    code = """
child = os.fork() or os.execlp("sleep", "sleep", "60")
os.kill(child, 9)
print(os.WTERMSIG(os.wait()[1]))
try:
    os.kill(os.getppid(), 0)
except OSError as error:
    print(error.strerror)
"""
    assert confined(entry.version(), code, tmp_path).splitlines() == ["9", "Operation not permitted"]


@versions
def test_a_confined_program_works_with_files_as_before(tmp_path: Path, version: int) -> None:
    code = """
os.mkdir("a")
os.mkdir("b")
open("a/file", "w").close()
os.rename("a/file", "b/file")
os.link("b/file", "a/link")
print(os.listdir("a"), os.listdir("b"))
"""
    assert confined(version, code, tmp_path) == "['link'] ['file']\n"
