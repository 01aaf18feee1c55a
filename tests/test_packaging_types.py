"""`py.typed`: a project that has Ballcourt installed sees the types of what bots use."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

BOT = """
from typing import assert_type

from ballcourt import Bot, Decision, run
from ballcourt.simulate import State, sample
from ballcourt.v1 import tzolkin_pb2 as tzolkin


class Careful(Bot):
    def choose(self, decision: Decision) -> int:
        seen = tzolkin.TzolkinObservation()
        assert_type(seen.players[self.match.seat].corn, int)
        assert_type(sample(decision, self.random), State)
        assert_type(decision.legal[0], int)
        return self.random.choice(decision.legal)


run(Careful)
"""

WRONG = """
from ballcourt import Bot, Decision
from ballcourt.v1.maya_pb2 import MayaObservation


class Careless(Bot):
    def choose(self, decision: Decision) -> str:
        return MayaObservation().no_such_field
"""


@pytest.fixture(scope="module")
def interpreter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the package installed as from a wheel, and the libraries it needs."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    (packages / "ballcourt").symlink_to(ROOT / "src" / "ballcourt")
    libraries = [path for path in sys.path if Path(path).name == "site-packages"]
    (packages / "libraries.pth").write_text("\n".join(libraries))
    return folder / "bin" / "python"


def mypy(interpreter: Path, folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Check a program of a user's project in strict mode."""
    (folder / "bot.py").write_text(program)
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(interpreter), "bot.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.slow
def test_a_strict_project_sees_the_types(interpreter: Path, tmp_path: Path) -> None:
    checked = mypy(interpreter, tmp_path, BOT)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.slow
def test_a_mistake_is_found(interpreter: Path, tmp_path: Path) -> None:
    checked = mypy(interpreter, tmp_path, WRONG)
    assert checked.returncode == 1
    assert 'Return type "str" of "choose" incompatible with return type "int"' in checked.stdout
    assert '"MayaObservation" has no attribute "no_such_field"' in checked.stdout
