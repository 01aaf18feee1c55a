"""Environments of bots with packages of a registry: compiled ones, other interpreters, what the next one gets."""

import asyncio
import os
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.bots.interpreters import NoInterpreter, find_interpreter
from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.building.builds import built, ready
from ballcourt.arena.building.steps import BuildError
from ballcourt.arena.ladder.arrivals.exam import Arriving, checked
from ballcourt.arena.sandbox.tiers import BUILD, Sandbox, sandbox_of
from ballcourt.arena.workers.local_match import play_on
from tests.arena.building.test_venvs import write_wheel
from tests.arena.matches import match_of

pytestmark = pytest.mark.slow

PROGRAM = """
import sys
import numpy
from ballcourt import Bot, Decision, run

assert numpy.__version__ == "2.1.3", numpy.__version__
assert "{python}" in (sys.version, ".".join(map(str, sys.version_info[:2]))) or not "{python}"

class Last(Bot):
    def choose(self, decision: Decision) -> int:
        return int(numpy.sort(decision.legal)[-1])

run(Last)
"""
TORCH = """
import torch
from ballcourt import Bot, Decision, run

class Net(Bot):
    def __init__(self) -> None:
        torch.set_num_threads(1)
        self.net = torch.nn.Linear(1, 1)

    def choose(self, decision: Decision) -> int:
        return decision.legal[int(self.net(torch.zeros(1)).argmax())]

run(Net)
"""


@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip the test if pip cannot fetch a small package."""
    place = tmp_path_factory.mktemp("registry")
    pip = [sys.executable, "-P", "-m", "pip"]
    command = [*pip, "download", "--quiet", "--no-deps", "--dest", str(place), "six==1.16.0"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("no registry of Python packages answers in time")
    if done.returncode:
        pytest.skip(f"no registry of Python packages can be reached: {done.stderr.strip().splitlines()[-1]}")


@pytest.fixture
def place(tmp_path: Path, registry: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    return tmp_path


def write(folder: Path, requirements: str, python: str = "", program: str = PROGRAM) -> Path:
    folder.mkdir()
    (folder / "bot.py").write_text(program.replace("{python}", python))
    (folder / "requirements.txt").write_text(requirements)
    lines = [f'name = "{folder.name}"', 'version = "1"', 'command = ["{python}", "bot.py"]']
    lines += ['requirements = "requirements.txt"', *([f'python = "{python}"'] if python else [])]
    (folder / "bot.toml").write_text("\n".join(lines))
    return folder


def assert_plays(folder: Path, sandbox: Sandbox) -> None:
    bots = ready([load_bot(folder), resolve_bot("random")], sandbox)
    record = asyncio.run(play_on(match_of("m", "bluff", {}, 1, bots, sandbox=sandbox)))
    assert not record.faults, record.faults[0].stderr_tail


@pytest.mark.parametrize("tier", [0, 2])  # in tier 1 it plays a ladder: see tests/authors
def test_a_bot_plays_with_a_compiled_package_of_its_own_version(
    place: Path, tier: int, request: pytest.FixtureRequest
) -> None:
    if tier:
        request.getfixturevalue(f"tier_{tier}")
    assert_plays(write(place / "mine", "numpy==2.1.3\n"), sandbox_of({"tier": tier}))


@pytest.mark.parametrize("python", ["3.9", "3.12"])  # the oldest, and one that has no setuptools
def test_a_bot_plays_with_another_python(place: Path, python: str, tier_1: Sandbox) -> None:
    try:
        find_interpreter(python)
    except NoInterpreter as lack:
        pytest.skip(str(lack))
    version = "2.0.2" if python == "3.9" else "2.1.3"  # the last one for Python 3.9
    folder = write(place / "mine", f"numpy=={version}\n", python, PROGRAM.replace("2.1.3", version))
    assert_plays(folder, sandbox_of({"tier": 1}))


def test_bots_with_the_same_requirements_share_an_environment(place: Path, tier_1: Sandbox) -> None:
    sandbox = sandbox_of({"tier": 1})
    texts = {"first": "six==1.16.0\n", "second": "six==1.16.0\ndocopt\n", "third": "# as first\nsix == 1.16.0\n"}
    first, second, third = (built(load_bot(write(place / name, text)), sandbox).venv for name, text in texts.items())
    assert first and second and third
    assert (first != second, first == third) == (True, True)


def test_a_package_that_is_there_as_sources_alone_is_built_and_not_kept(place: Path, tier_1: Sandbox) -> None:
    bot = built(load_bot(write(place / "mine", "docopt==0.6.2\n")), sandbox_of({"tier": 1}))
    command = [bot.command[0], "-c", "import docopt; print(docopt.__version__)"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "0.6.2\n", done.stderr


def test_what_one_bot_pins_is_not_what_the_next_one_gets(place: Path, tier_1: Sandbox) -> None:
    sandbox = sandbox_of({"tier": 1})
    older = built(load_bot(write(place / "older", "six==1.16.0\n")), sandbox)
    ranged = built(load_bot(write(place / "ranged", "six>=1.15,<1.16\n")), sandbox)
    found = [
        subprocess.run(
            [bot.command[0], "-c", "import six; print(six.__version__)"], capture_output=True, text=True, check=True
        )
        for bot in (older, ranged)
    ]
    assert [done.stdout for done in found] == ["1.16.0\n", "1.15.0\n"]


@pytest.mark.parametrize("is_yanked", [False, True])
def test_a_release_that_a_registry_has_withdrawn_is_not_served_to_later_bots(
    tmp_path: Path, tier_1: Sandbox, monkeypatch: pytest.MonkeyPatch, *, is_yanked: bool
) -> None:
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    index = tmp_path / "registry" / "simple" / "answer"
    index.mkdir(parents=True)
    files = [write_wheel(index, "answer", "", version=version) for version in ("1.0", "2.0")]
    older, newest = (f'<a href="{file}">{file}</a>' for file in files)
    (index / "index.html").write_text(older + newest)
    serving = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "registry"))
    with ThreadingHTTPServer(("127.0.0.2", 0), serving) as server:  # builds do not ask the proxy for 127.0.0.1
        threading.Thread(target=server.serve_forever).start()
        (tmp_path / ".config/pip").mkdir(parents=True)
        address = f"http://127.0.0.2:{server.server_port}/simple/"
        (tmp_path / ".config/pip/pip.conf").write_text(f"[global]\nindex-url = {address}\n")
        try:
            sandbox = sandbox_of({"tier": 1})
            newer = built(load_bot(write(tmp_path / "newer", "answer==2.0\n")), sandbox)
            left = newest.replace("<a ", '<a data-yanked="" ') if is_yanked else ""
            (index / "index.html").write_text(older + left)
            later = built(load_bot(write(tmp_path / "later", "answer\n")), sandbox)
        finally:
            server.shutdown()
    assert (tmp_path / "cache" / "pip").is_dir(), "what a registry has is kept"
    assert [line.partition(" ")[0] for bot in (newer, later) for line in bot.packages] == ["answer==2.0", "answer==1.0"]


def test_a_ladder_refuses_a_bot_whose_requirement_does_not_exist_in_one_sentence(place: Path, tier_1: Sandbox) -> None:
    folder = write(place / "mine", "ballcourt-needs-what-nobody-has==1\n")
    asked = {"source": str(folder), "output": str(place), "copy_to": str(folder), "setups": [{"game": "maya"}]}
    reason = checked(Arriving.model_validate(asked | {"sandbox": {"tier": 1}}))[0].paragraph
    first = reason.splitlines()[0]
    assert "bot mine cannot be built: its requirements cannot be installed: " in first
    assert "ballcourt-needs-what-nobody-has==1" in first


def test_a_lock_for_another_platform_is_told_in_one_sentence(place: Path, tier_1: Sandbox) -> None:
    folder = write(place / "mine", "")
    (folder / "bot.toml").write_text((folder / "bot.toml").read_text().replace("requirements.txt", "pylock.toml"))
    (folder / "pylock.toml").write_text(
        'lock-version = "1.0"\n[[packages]]\nname = "numpy"\nversion = "2.1.3"\n[[packages.wheels]]\n'
        f'name = "numpy-2.1.3-cp313-cp313-macosx_14_0_arm64.whl"\nhashes = {{ sha256 = "{"0" * 64}" }}\n'
    )
    with pytest.raises(BuildError, match=r"its requirements cannot be installed: .*(HASHES|hashes|matching)"):
        built(load_bot(folder), Sandbox(1, build=BUILD))


def test_a_bot_plays_with_torch(place: Path, tier_1: Sandbox) -> None:
    """Needs the wheel for processors: one of the folder that BALLCOURT_TORCH names."""
    wheels = os.environ.get("BALLCOURT_TORCH", "")
    if not wheels:
        pytest.skip("BALLCOURT_TORCH names no folder with a wheel of torch for processors: it has 200 MB")
    folder = write(place / "net", f"--find-links {wheels}\ntorch\n", program=TORCH)
    assert_plays(folder, sandbox_of({"tier": 0}))
    assert_plays(folder, sandbox_of({"tier": 1, "memory_mb": 4096, "readable": [wheels]}))
