"""Bots that name a Python or packages: they start in an environment, which bots with the same needs share."""

import asyncio
import hashlib
import shutil
import subprocess
import zipfile
from pathlib import Path

import grpc
import pytest

from ballcourt.arena.bots.bot import BotError, load_bot
from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.bots.venv import venv_of
from ballcourt.arena.building.builds import built, ready
from ballcourt.arena.building.steps import BuildError
from ballcourt.arena.building.venvs import why_pip_failed
from ballcourt.arena.processes.cache import cached, discard
from ballcourt.arena.records.narrative import narrative
from ballcourt.arena.sandbox.tiers import BuildLimits, Sandbox, sandbox_of
from ballcourt.arena.workers.local_match import play_on
from tests.arena.matches import match_of

PROGRAM = """
import tinylib
from ballcourt import Bot, Decision, run

class First(Bot):
    def choose(self, decision: Decision) -> int:
        return decision.legal[tinylib.ANSWER - 42]

run(First)
"""
WHEEL = "tinylib-1.0-py3-none-any.whl"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot that needs a package, whose wheel is in its folder."""
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text(PROGRAM)
    (folder / "requirements.txt").write_text(f"./{WHEEL}\n")
    write_toml(folder, 'requirements = "requirements.txt"')
    write_wheel(folder, "tinylib", "ANSWER = 42\n")
    return folder


def write_wheel(folder: Path, name: str, module: str, requires: str = "", version: str = "1.0") -> str:
    """Write the wheel of a module; return its name."""
    about = f"{name}-{version}.dist-info"
    needs = f"Requires-Dist: {requires}\n" if requires else ""
    parts = {
        f"{name}.py": module,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/RECORD": f"{name}.py,,\n{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n",
    }
    file = f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(folder / file, "w") as wheel:
        for part, text in parts.items():
            wheel.writestr(part, text)
    return file


def write_toml(folder: Path, line: str) -> None:
    (folder / "bot.toml").write_text(f'name = "mine"\nversion = "1"\ncommand = ["{{python}}", "bot.py"]\n{line}\n')


@pytest.mark.parametrize("tier", [pytest.param(0, marks=pytest.mark.slow), 1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_bot_plays_with_the_packages_that_it_names(folder: Path, tier: int, request: pytest.FixtureRequest) -> None:
    if tier:
        request.getfixturevalue(f"tier_{tier}")
    before = sorted(folder.rglob("*"))
    sandbox = sandbox_of({"tier": tier})
    bots = ready([load_bot(folder), resolve_bot("random")], sandbox)
    record = asyncio.run(play_on(match_of("m", "bluff", {}, 1, bots, sandbox=sandbox)))
    assert not record.faults, record.faults[0].stderr_tail
    assert sorted(folder.rglob("*")) == before, "the author's folder is as it was"
    assert not folder.with_name("cache").joinpath("pip").exists(), "pip keeps nothing of what files of a bot may change"
    assert [*record.packages] == [0], "the other bot has none"
    [line] = record.packages[0].lines
    assert line == f"tinylib==1.0 --hash=sha256:{hashlib.sha256((folder / WHEEL).read_bytes()).hexdigest()}"
    assert "seat 0 had Python packages of its own: tinylib==1.0" in [*narrative(record)]


@pytest.mark.slow
def test_a_build_step_finds_the_packages_too(folder: Path) -> None:
    step = "import tinylib; open('built', 'w').write(str(tinylib.ANSWER))"
    write_toml(folder, f'requirements = "requirements.txt"\nbuild = ["{{python}}", "-c", "{step}"]')
    bot = built(load_bot(folder))
    assert (bot.folder / "built").read_text() == "42"
    assert bot.venv
    assert bot.command[0] == str(bot.venv / "bin" / "python")


@pytest.mark.slow
def test_libraries_of_the_arena_are_there_after_those_of_the_bot(folder: Path) -> None:
    (folder / "requirements.txt").write_text(f"./{write_wheel(folder, 'pydantic', 'MINE = 1')}\n")
    program = "import grpc, pydantic; print(pydantic.MINE, grpc.__version__)"
    bot = built(load_bot(folder))
    done = subprocess.run([bot.command[0], "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", grpc.__version__]


@pytest.mark.slow
def test_an_environment_is_made_once_and_kept_until_it_is_cleared(folder: Path) -> None:
    first, second = built(load_bot(folder)), built(load_bot(folder))
    assert first.venv == second.venv
    [entry] = [entry for entry in cached() if entry.name == "venv"]
    assert entry.in_use
    assert entry.bytes > 10_000
    assert not discard(entry), "a bot needs it"
    del first, second
    assert discard(entry)
    assert not [entry for entry in cached() if entry.name == "venv"]
    assert built(load_bot(folder)).venv


def test_two_bots_share_an_environment_unless_it_holds_files_of_theirs(folder: Path) -> None:
    other = folder.with_name("other")
    shutil.copytree(folder, other)
    (other / "bot.py").write_text(f"{PROGRAM}# another")
    keys = [venv_of(bot.python, bot.requirements, bot.content_hash) for bot in map(load_bot, (folder, other))]
    assert keys[0] != keys[1], "the requirements name a wheel in the folder"
    for place in (folder, other):
        (place / "requirements.txt").write_text("numpy==2.1.3\n")
    first, second = (venv_of(bot.python, bot.requirements, bot.content_hash) for bot in map(load_bot, (folder, other)))
    assert first
    assert second
    assert first.key == second.key


@pytest.mark.slow
def test_a_failed_installation_is_told_in_one_sentence_and_leaves_nothing_behind(folder: Path) -> None:
    (folder / "requirements.txt").write_text("./missing-1.0-py3-none-any.whl\n")
    with pytest.raises(
        BuildError, match=r"^bot mine cannot be built: its requirements cannot be installed: .*"
    ) as failed:
        built(load_bot(folder))
    assert "missing-1.0" in str(failed.value)
    assert any("missing-1.0" in line for line in failed.value.__notes__)
    assert not [entry for entry in cached() if entry.name == "venv"]


@pytest.mark.slow
def test_packages_that_do_not_go_with_the_sdk_are_refused(folder: Path) -> None:
    write_wheel(folder, "oldlib", "", requires="protobuf<4")
    write_wheel(folder, "protobuf", "")  # version 1.0
    (folder / "requirements.txt").write_text("--no-index\n--find-links .\noldlib\n")
    with pytest.raises(
        BuildError, match=r"cannot be installed: they conflict: oldlib 1.0 depends on protobuf<4; .*protobuf"
    ):
        built(load_bot(folder))


@pytest.mark.slow
def test_an_environment_in_which_the_sdk_cannot_be_imported_is_the_fault_of_its_bot(folder: Path) -> None:
    (folder / "requirements.txt").write_text(f"./{write_wheel(folder, 'grpc', 'raise ImportError(5)')}\n")
    with pytest.raises(BuildError, match=r"bot mine cannot import the SDK in its environment: ImportError: 5"):
        built(load_bot(folder))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('requirements = "none.txt"', "requirements is 'none.txt'; it must be a file in the folder of the bot"),
        ('requirements = "../mine/../other.txt"', "it must be a file in the folder of the bot"),
        ('requirements = ["numpy"]', r"requirements is \['numpy'\]; it must be a string"),
        ('python = "3"', r"python is '3'; it must be a version such as \"3.\d+\", from 3.9 on"),
        ('python = "3.12.1"', "it must be a version such as"),
        ("python = 3.12", "python is 3.12; it must be a string"),
    ],
)
def test_wrong_requirements_are_explained(folder: Path, line: str, sentence: str) -> None:
    (folder.parent / "other.txt").touch()
    write_toml(folder, line)
    with pytest.raises(BotError, match=sentence):
        load_bot(folder)


@pytest.mark.slow
def test_a_python_that_is_missing_is_told_with_those_that_are_there(folder: Path) -> None:
    write_toml(folder, 'python = "3.29"')
    with pytest.raises(BotError, match=r"bot mine asks for python = '3.29', and this machine has no .*; it has .*3\.1"):
        built(load_bot(folder))


GIT = """
  Running command git clone --filter=blob:none --quiet https://127.0.0.1:9/x.git /tmp/pip-req-build-eo74l50y
  fatal: unable to access 'https://127.0.0.1:9/x.git/': Failed to connect to 127.0.0.1 port 9
  error: subprocess-exited-with-error

  \u00d7 git clone --quiet https://127.0.0.1:9/x.git /tmp/pip-req-build-eo74l50y did not run successfully.
  │ exit code: 128
  ╰─> See above for output.
error: subprocess-exited-with-error
"""
SETUP = """
Processing ./bad
  error: subprocess-exited-with-error

  x Preparing metadata (pyproject.toml) did not run successfully.
  │ exit code: 1
  ╰─> [18 lines of output]
      Traceback (most recent call last):
        File "/work/.venv/lib/python3.11/site-packages/setuptools/build_meta.py", line 317, in run_setup
      RuntimeError: no compiler here: /opt/secret/cc
      [end of output]

error: metadata-generation-failed
"""
USAGE = "Usage: __main__.py [options]\n\n__main__.py: error: no such option: --no-such-option\n"


@pytest.mark.parametrize(
    ("output", "why"),
    [
        (
            GIT,
            "fatal: unable to access 'https://127.0.0.1:9/x.git/': Failed to connect to 127.0.0.1 port 9 (git clone "
            "--quiet https://127.0.0.1:9/x.git pip-req-build-eo74l50y did not run successfully.)",
        ),
        (SETUP, "RuntimeError: no compiler here: cc (Preparing metadata (pyproject.toml) did not run successfully.)"),
        (USAGE, "no such option: --no-such-option"),
        ("ERROR: Invalid: 'x' (from line 1 of /home/me/bot.txt)", "Invalid: 'x' (from line 1 of bot.txt)"),
        ("error: one\nERROR: two\n", "one"),
        ("Collecting six\nKilled\n", "Killed"),
        ("", "pip said nothing"),
        ("x" * 1000, f"{'x' * 200} ... 600 characters left out ... {'x' * 200}"),
    ],
)
def test_the_reason_of_pip_is_one_sentence_without_paths_of_the_machine(output: str, why: str) -> None:
    assert why_pip_failed(output, Path("/home/me")) == f"its requirements cannot be installed: {why}"


@pytest.mark.slow
def test_a_limit_that_pip_exceeds_is_told_without_its_command_line(folder: Path) -> None:
    with pytest.raises(BuildError, match=r"^bot mine cannot be built: 'pip install' took longer than 0 s; make it"):
        built(load_bot(folder), Sandbox(build=BuildLimits(time_s=0)))


def test_a_project_for_another_python_is_refused_before_anything_is_made(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[project]\ndependencies = []\nrequires-python = ">=3.99"\n')
    write_toml(folder, 'requirements = "pyproject.toml"')
    sentence = (
        r"bot mine gets Python 3\.\d+\.\d+, and pyproject.toml says requires-python = '>=3.99'; give another python"
    )
    with pytest.raises(BotError, match=sentence):
        built(load_bot(folder))
    assert not [entry for entry in cached() if entry.name == "venv"]
