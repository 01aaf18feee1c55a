"""However Ballcourt is installed and wherever a bot plays, in every sandbox: all kinds of bots start."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from sysconfig import get_path

import pytest

from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament.folder.output import record_files
from tests.arena.building.test_venvs import write_wheel
from tests.arena.conftest import PATIENCE_S, bounded, folder_of_all, need_gvisor, need_sandbox, wait_until

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
BARE = {name: value for name, value in os.environ.items() if not name.startswith(("BALLCOURT", "PYTHON"))}
PLACES = {"here": "", "cluster": "--cluster local:1"}


@dataclass(frozen=True)
class Installation:
    """An installed Ballcourt, and a folder with the bots that its events copy."""

    python: Path
    prepared: Path

    @property
    def command(self) -> list[str]:
        return [str(self.python), "-m", "ballcourt"]

    def run(self, place: Path, *arguments: str) -> str:
        """Run a command to its end in a folder; return its output."""
        return done(place, self.environment(), [*self.command, *arguments])

    def environment(self) -> dict[str, str]:
        """Return variables that give all events one cache, in which what a bot needs is installed once."""
        return BARE | {"BALLCOURT_CACHE": str(self.prepared / "cache")}

    def enter(self, place: Path, tier: int, more: str = "") -> None:
        """Write the tournament file and copy its bots into the same folder."""
        NEEDS[tier]()
        for bot in ("copy", "needy"):
            shutil.copytree(self.prepared / bot, place / bot)
        (place / "event.toml").write_text(EVENT.format(tier=tier, more=more))


@pytest.fixture(scope="module", params=["checkout", "wheel"])
def installation(request: pytest.FixtureRequest) -> Iterator[Installation]:
    """The Python of this checkout, or of an environment with a wheel of it and the libraries of the tests."""
    with folder_of_all() as place:
        python = Path(sys.executable) if request.param == "checkout" else install_wheel(place)
        installed = Installation(python, place)
        lines = done(place, BARE, [str(python), "-c", "import ballcourt.bots as bots; print(*bots.__path__)"])
        shutil.copytree(Path(lines.strip(), "greedy"), place / "copy")
        installed.run(place, "new-bot", "needy", "--game", "maya")
        needs = write_wheel(place / "needy", "tinylib", "ANSWER = 42\n")
        (place / "needy" / "requirements.txt").write_text(f"./{needs}\n")
        for file, line in (("bot.py", "import tinylib"), ("bot.toml", 'requirements = "requirements.txt"')):
            own = place / "needy" / file
            own.write_text(f"{line}\n{own.read_text()}")
        yield installed


@pytest.fixture
def place() -> Iterator[Path]:
    with folder_of_all() as folder:
        yield folder


def install_wheel(place: Path) -> Path:
    """Build a wheel of this checkout and install it in a new environment; return its Python."""
    pytest.importorskip("grpc_tools")
    left_out = shutil.ignore_patterns(".*", "node_modules", "__pycache__", "target", "build", "runs")
    shutil.copytree(ROOT, place / "source", symlinks=True, ignore=left_out)
    flags = ("--no-build-isolation", "--no-deps", "--wheel-dir", str(place))
    done(place, BARE, [sys.executable, "-m", "pip", "wheel", *flags, str(place / "source")])
    done(place, BARE, [sys.executable, "-m", "venv", "--without-pip", str(place / "venv")])
    [packages] = (place / "venv").glob("lib/python3*/site-packages")
    [built] = place.glob("*.whl")
    zipfile.ZipFile(built).extractall(packages)
    (packages / "libraries.pth").write_text(f"{get_path('purelib')}\n{get_path('platlib')}\n")
    return place / "venv" / "bin" / "python"


def done(place: Path, environment: Mapping[str, str], command: list[str]) -> str:
    """Run a command to its end in a folder; return its output."""
    ended = subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def assert_all_played(place: Path, bots: set[str]) -> None:
    """Every bot has decided, and lost no seat."""
    played = [read_record(file) for file in record_files(place / "out")]
    assert played
    assert [(fault.detail, fault.stderr_tail) for record in played for fault in record.faults] == []
    assert {entrant.name for record in played for entrant in record.entrants} == bots


@pytest.mark.parametrize("tier", NEEDS)
@pytest.mark.parametrize("where", PLACES)
def test_bots_can_import_what_they_need(installation: Installation, place: Path, where: str, tier: int) -> None:
    installation.enter(place, tier)
    installation.run(place, "tournament", "event.toml", *PLACES[where].split())
    assert_all_played(place, {"greedy", "copy", "needy"})


@pytest.mark.parametrize("tier", NEEDS)
def test_bots_of_a_host_and_those_that_dial_in_can_import_what_they_need(
    installation: Installation, place: Path, tier: int
) -> None:
    installation.enter(place, tier, '"remote:guest"')
    (place / "token").write_text(installation.run(place, "admin", "token", "new", "guest", "--owner", "me"))
    shutil.copytree(place / "copy", place / "guest")
    manifest = place / "guest" / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"greedy"', '"guest"'))
    errors = place / "host.err"
    host = [*installation.command, "host", "event.toml", "--insecure", "--listen", "127.0.0.1:0"]
    with (
        errors.open("wb") as err,
        bounded(subprocess.Popen(host, cwd=place, env=installation.environment(), stdout=err, stderr=err)) as process,
    ):
        assert wait_until(lambda: "listening on" in errors.read_text() or process.poll() is not None)
        [port] = re.findall(r"listening on 127\.0\.0\.1:(\d+)", errors.read_text())
        installation.run(place, "connect", "./guest", f"localhost:{port}", "--token-file", "token", "--insecure")
        assert process.wait(PATIENCE_S) == 0, errors.read_text()
    assert_all_played(place, {"greedy", "copy", "needy", "guest"})
