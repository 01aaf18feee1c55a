"""However Ballcourt is installed and wherever a bot plays, in every sandbox: all kinds of bots start."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from sysconfig import get_path

import pytest

from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament.folder.output import record_files
from tests.arena.building.test_venvs import write_wheel
from tests.arena.conftest import PATIENCE_S, bounded, need_gvisor, need_sandbox, wait_until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NEEDS = {0: lambda: None, 1: need_sandbox, 2: need_gvisor}
EVENT = """
game = "maya"
seats = 3
rounds = 1
seed = 1
output = "out"
bots = ["greedy", "copy=./copy", "./needy", {more}]
[sandbox]
tier = {tier}
"""
PLACES = {"here": "", "cluster": "--cluster local:1"}


@pytest.fixture(scope="module")
def wheel() -> Iterator[Path]:
    """The Python of an environment with a wheel of this checkout; its libraries are those of the tests."""
    pytest.importorskip("grpc_tools")
    with tempfile.TemporaryDirectory(prefix="bc-", dir="/tmp") as temporary:
        place = Path(temporary)
        place.chmod(0o755)  # bots of root's arena run as another user
        left_out = shutil.ignore_patterns(".*", "node_modules", "__pycache__", "target", "build", "runs")
        shutil.copytree(ROOT, place / "source", symlinks=True, ignore=left_out)
        flags = ("--no-build-isolation", "--no-deps", "--wheel-dir", str(place))
        done(place, [sys.executable, "-m", "pip", "wheel", *flags, str(place / "source")])
        done(place, [sys.executable, "-m", "venv", "--without-pip", str(place / "venv")])
        [packages] = (place / "venv").glob("lib/python3*/site-packages")
        [built] = place.glob("*.whl")
        zipfile.ZipFile(built).extractall(packages)
        (packages / "libraries.pth").write_text(f"{get_path('purelib')}\n{get_path('platlib')}\n")
        yield place / "venv" / "bin" / "python"


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="bc-", dir="/tmp") as temporary:
        Path(temporary).chmod(0o755)
        yield Path(temporary)


def environment(place: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BALLCOURT", "PYTHON"))}
    return kept | {"BALLCOURT_CACHE": str(place / "cache")}


def done(place: Path, command: list[str]) -> str:
    """Run a command to its end in a folder; return its output."""
    ended = subprocess.run(
        command, cwd=place, env=environment(place), capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def entered(python: Path, place: Path, tier: int, more: str = "") -> list[str]:
    """Write the tournament file and its bots; return the command."""
    NEEDS[tier]()
    command = [str(python), "-m", "ballcourt"]
    installed = done(place, [str(python), "-c", "import ballcourt.bots as bots; print(*bots.__path__)"]).strip()
    shutil.copytree(Path(installed, "greedy"), place / "copy")
    done(place, [*command, "new-bot", "needy", "--game", "maya"])
    needs = write_wheel(place / "needy", "tinylib", "ANSWER = 42\n")
    (place / "needy" / "requirements.txt").write_text(f"./{needs}\n")
    for file, line in (("bot.py", "import tinylib"), ("bot.toml", 'requirements = "requirements.txt"')):
        own = place / "needy" / file
        own.write_text(f"{line}\n{own.read_text()}")
    (place / "event.toml").write_text(EVENT.format(tier=tier, more=more))
    return command


def assert_all_played(place: Path, bots: set[str]) -> None:
    """Every bot has decided, and lost no seat."""
    played = [read_record(file) for file in record_files(place / "out")]
    assert played
    assert [(fault.detail, fault.stderr_tail) for record in played for fault in record.faults] == []
    assert {entrant.name for record in played for entrant in record.entrants} == bots


@pytest.mark.parametrize("tier", NEEDS)
@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("how", ["checkout", "wheel"])
def test_bots_can_import_what_they_need(
    request: pytest.FixtureRequest, place: Path, how: str, where: str, tier: int
) -> None:
    python = request.getfixturevalue("wheel") if how == "wheel" else Path(sys.executable)
    command = entered(python, place, tier)
    done(place, [*command, "tournament", "event.toml", *PLACES[where].split()])
    assert_all_played(place, {"greedy", "copy", "needy"})


@pytest.mark.parametrize("tier", NEEDS)
@pytest.mark.parametrize("how", ["checkout", "wheel"])
def test_bots_of_a_host_and_those_that_dial_in_can_import_what_they_need(
    request: pytest.FixtureRequest, place: Path, how: str, tier: int
) -> None:
    python = request.getfixturevalue("wheel") if how == "wheel" else Path(sys.executable)
    command = entered(python, place, tier, '"remote:guest"')
    (place / "token").write_text(done(place, [*command, "admin", "token", "new", "guest", "--owner", "me"]))
    shutil.copytree(place / "copy", place / "guest")
    manifest = place / "guest" / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"greedy"', '"guest"'))
    errors = place / "host.err"
    host = [*command, "host", "event.toml", "--insecure", "--listen", "127.0.0.1:0"]
    with (
        errors.open("wb") as err,
        bounded(subprocess.Popen(host, cwd=place, env=environment(place), stdout=err, stderr=err)) as process,
    ):
        assert wait_until(lambda: "listening on" in errors.read_text() or process.poll() is not None)
        [port] = re.findall(r"listening on 127\.0\.0\.1:(\d+)", errors.read_text())
        done(place, [*command, "connect", "./guest", f"localhost:{port}", "--token-file", "token", "--insecure"])
        assert process.wait(PATIENCE_S) == 0, errors.read_text()
    assert_all_played(place, {"greedy", "copy", "needy", "guest"})
