"""`ballcourt-sdk`: the SDK for Python as a package of its own."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from sysconfig import get_path

import pytest

from ballcourt.arena.bots.venv import SDK_NEEDS
from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.bots.sdk.python import session, setup
from tests.arena.conftest import PATIENCE_S
from tests.cli.test_host import hosting, messages

ROOT = Path(__file__).parents[2]
SDK = ROOT / "bots" / "sdk" / "python"
PROJECT = tomllib.loads((SDK / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OLDEST = (3, 9)
FOR_OLDEST = ("ballcourt/__init__.py", "ballcourt/bots/", "ballcourt/v1/")
"""The files that run with the oldest Python; the rules need what the arena needs."""
OF_THE_RULES = {"bridge.py", "simulate.py", "rules.py"}
NEWER = {"Self", "StrEnum", "TypeAlias", "ParamSpec", "NotRequired", "assert_never", "pairwise", "TaskGroup"}
"""Names that newer versions of the standard library have added."""
SOURCES = ("arena", "bots", "engine", "proto", "src", "LICENSE")

BOT = """
import sys
from ballcourt import Bot, CannotPlay, Decision, run
from ballcourt.simulate import sample

class Mine(Bot):
    def match_started(self):
        if any("ballcourt.arena" in name for name in sys.modules):
            raise CannotPlay("the arena is here")

    def choose(self, decision: Decision) -> int:
        return sample(decision, self.random).legal_actions(self.match.seat)[-1]

if __name__ == "__main__":
    run(Mine)
"""
LOCAL = """
from pathlib import Path
from ballcourt import play_match
record = play_match("maya", [Path("mine"), "random"], seed=1)
assert not record.faults, record.faults[0].stderr_tail
print([entrant.name for entrant in record.entrants])
"""
IN_PROCESS = """
import ballcourt
from ballcourt import Bot, Session, play_in_process

class Last(Bot):
    name = "last"
    def choose(self, decision):
        return decision.legal[-1]

record = play_in_process("maya", [Session(Last()), Session(Last())], seed=1)
print(Path(ballcourt.__file__).parent, record.arena, [result.termination for result in record.results])
"""
REMOTE_EVENT = """
game = "maya"
seats = 2
rounds = 1
output = "out"
bots = ["random", "remote:mine"]
"""


def test_its_version_and_its_needs_are_those_that_the_arena_knows() -> None:
    arena = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert PROJECT["version"] == arena["version"] == session.SDK.split()[1]
    assert tuple(PROJECT["dependencies"]) == SDK_NEEDS
    assert PROJECT["requires-python"] == f">={OLDEST[0]}.{OLDEST[1]}"


@pytest.mark.slow
def test_it_has_what_its_modules_import_and_nothing_else_of_the_arena() -> None:
    found = {path.as_posix() for path in setup.files()}
    assert {"ballcourt/simulate.py", "ballcourt/py.typed", "ballcourt/v1/maya.proto"} <= found
    assert {"ballcourt/engine/games/maya/game.py", "ballcourt/arena/match/referee.py"} <= found
    assert not [
        name
        for name in found
        if re.search(r"_pb2|/mirror/|/python/setup.py|/starter/|/sandbox/|/workers/|/tournament/", name)
    ]
    sources = {name for name in found if name.endswith(".py")} - {"ballcourt/__init__.py"}
    imported = {name for path in sources for name in setup.imported(setup.SOURCE / path)}
    parents = {name.rpartition(".")[0] for name in imported}
    files = {_below(file) for name in imported | parents if (file := setup._file(name))}
    assert {name for name in files - found if not name.endswith("_pb2.py")} == set()


def _below(file: Path) -> str:
    return file.relative_to(setup.SOURCE).as_posix()


def test_what_has_to_run_with_the_oldest_python_is_written_in_its_language() -> None:
    files = [path for path in setup.files() if path.as_posix().startswith(FOR_OLDEST) and path.suffix == ".py"]
    assert len(files) > 10
    for path in files:
        if path.name in OF_THE_RULES:
            continue
        tree = ast.parse((setup.SOURCE / path).read_text(encoding="utf-8"), feature_version=OLDEST)
        unions = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)]
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        assert not names & NEWER, f"{path} imports what {OLDEST} lacks"
        delayed = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
        assert delayed or not unions, f"{path}: a union of types needs `from __future__ import annotations`"


def build(place: Path) -> tuple[Path, Path]:
    """Build the wheel and the sdist from a copy of the sources, with the tools of the tests."""
    place.mkdir()
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            left_out = shutil.ignore_patterns("__pycache__", "target", "node_modules", "*.so", "*.egg-info", "build")
            shutil.copytree(source, place / name, symlinks=True, ignore=left_out)
        else:
            shutil.copy(source, place)
    program = (
        "from setuptools.build_meta import build_sdist, build_wheel\n"
        f"build_sdist({str(place)!r}); build_wheel({str(place)!r})"
    )
    done([sys.executable, "-c", program], place / "bots" / "sdk" / "python", SOURCE_DATE_EPOCH="1700000000")
    [wheel], [sdist] = place.glob("*.whl"), place.glob("*.tar.gz")
    return wheel, sdist


def done(command: list[str], folder: Path, **variables: str) -> str:
    """Run a command to its end in a folder; return its output."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), **variables}
    ended = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    pytest.importorskip("grpc_tools")
    return build(tmp_path_factory.mktemp("sdk") / "source")


@pytest.fixture
def place(tmp_path: Path, built: tuple[Path, Path]) -> Iterator[Path]:
    """An environment with the SDK as pip installs it, and with the libraries that the tests use."""
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    [packages] = (tmp_path / "venv").glob("lib/python3*/site-packages")
    into = ("--python", str(tmp_path / "venv" / "bin" / "python"))
    done([sys.executable, "-P", "-m", "pip", *into, "install", "--quiet", "--no-deps", str(built[0])], tmp_path)
    (packages / "libraries.pth").write_text(f"{get_path('purelib')}\n{get_path('platlib')}\n")
    yield tmp_path


def python(place: Path, program: str) -> str:
    return done([str(place / "venv" / "bin" / "python"), "-c", f"from pathlib import Path\n{program}"], place)


@pytest.mark.slow
def test_the_wheel_fits_every_system_and_two_builds_of_it_are_equal(built: tuple[Path, Path], tmp_path: Path) -> None:
    wheel, _ = built
    assert wheel.name == f"ballcourt_sdk-{PROJECT['version']}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names} == {
        "ballcourt_sdk",
        "ballcourt_sdk.pth",
        f"ballcourt_sdk-{PROJECT['version']}.dist-info",
    }
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert "ballcourt_sdk/ballcourt/v1/maya_pb2.pyi" in names
    again = build(tmp_path / "again")
    assert again[0].read_bytes() == wheel.read_bytes()


@pytest.mark.slow
def test_the_wheel_of_the_sdist_is_that_of_the_repository(built: tuple[Path, Path], tmp_path: Path) -> None:
    shutil.unpack_archive(built[1], tmp_path, filter="data")
    [source] = tmp_path.iterdir()
    program = "from setuptools.build_meta import build_wheel; build_wheel('..')"
    done([sys.executable, "-c", program], source, SOURCE_DATE_EPOCH="1700000000")
    [wheel] = tmp_path.glob("*.whl")
    assert zipfile.ZipFile(wheel).namelist() == zipfile.ZipFile(built[0]).namelist()


@pytest.mark.slow
def test_without_the_arena_a_bot_plays_in_process_and_what_is_missing_is_named(place: Path) -> None:
    answer = python(place, IN_PROCESS)
    assert "ballcourt_sdk/ballcourt ballcourt-sdk" in answer
    assert answer.endswith(" [1, 1]\n")
    lacking = "try:\n    from ballcourt import play_match\nexcept ImportError as error:\n    print(error)"
    assert (
        "ballcourt.play_match is a part of the arena, and only its SDK is installed here; run pip install git+"
        in python(place, lacking)
    )
    with pytest.raises(AssertionError, match="cannot import name 'nonsense'"):
        python(place, "from ballcourt import nonsense")


@pytest.mark.slow
def test_a_bot_with_the_sdk_alone_plays_in_the_arena(place: Path) -> None:
    folder = place / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    program = place / "venv" / "bin" / "python"
    (folder / "bot.toml").write_text(f'name = "mine"\nversion = "1"\ncommand = ["{program}", "bot.py"]\n')
    assert "['mine', 'random']" in done([sys.executable, "-c", LOCAL], place)


@pytest.mark.slow
def test_a_bot_with_the_sdk_alone_dials_in_to_a_host(place: Path) -> None:
    (place / "event.toml").write_text(REMOTE_EVENT)
    token = [sys.executable, "-m", "ballcourt", "admin", "token", "new", "mine", "--owner", "me"]
    (place / "mine.token").write_text(done(token, place))
    (place / "mine.py").write_text(f'{BOT.partition("if __name__")[0]}    name, version = "mine", "1"\n')
    with hosting(place, "--insecure") as (host, address):
        dial = f'connect(Mine, "{address}", token_file="mine.token", insecure=True)'
        python(place, f"from ballcourt import connect\nfrom mine import Mine\n{dial}")
        assert host.wait(PATIENCE_S) == 0, messages(place)
    played = [read_record(file) for file in record_files(place / "out")]
    assert [(len(record.faults), record.arena.partition(" ")[0]) for record in played] == [(0, "ballcourt")] * 2


@pytest.mark.slow
@pytest.mark.parametrize("first", ["arena", "sdk"])
def test_where_both_are_installed_the_arena_is_used_and_either_can_be_removed(place: Path, first: str) -> None:
    [packages] = (place / "venv").glob("lib/python3*/site-packages")
    arena = packages / "__editable__.ballcourt-0.1.0.pth"
    arena.write_text(f"{ROOT / 'src'}\n")  # as an editable installation does
    uses_arena = "import ballcourt, ballcourt.arena.workers; print(ballcourt.__file__)"
    assert python(place, uses_arena) == f"{ROOT / 'src' / 'ballcourt' / '__init__.py'}\n"
    if first == "arena":
        arena.unlink()
        assert "ballcourt_sdk/ballcourt ballcourt-sdk" in python(place, IN_PROCESS)
    else:
        into = ("--python", str(place / "venv" / "bin" / "python"))
        (packages / "libraries.pth").unlink()  # pip would find the arena of the tests there
        done([sys.executable, "-P", "-m", "pip", *into, "uninstall", "--yes", "ballcourt-sdk"], place)
        assert arena.exists()
        assert not [*packages.glob("ballcourt_sdk*/**/*.py"), *packages.glob("ballcourt_sdk.pth")]
        assert str(ROOT) in python(place, "import ballcourt.engine.registry; print(ballcourt.__file__)")
