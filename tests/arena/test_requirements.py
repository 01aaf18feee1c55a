"""Bots that name Python packages: their build installs them, for them alone."""

import asyncio
import zipfile
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import PACKAGES, BotError, load_bot
from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.processes.builds import BuildError, built, ready
from ballcourt.arena.sandbox.tiers import sandbox_of
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
    about = "tinylib-1.0.dist-info"
    parts = {
        "tinylib.py": "ANSWER = 42\n",
        f"{about}/METADATA": "Metadata-Version: 2.1\nName: tinylib\nVersion: 1.0\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/RECORD": f"tinylib.py,,\n{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n",
    }
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        for name, text in parts.items():
            wheel.writestr(name, text)
    return folder


def write_toml(folder: Path, line: str) -> None:
    (folder / "bot.toml").write_text(f'name = "mine"\nversion = "1"\ncommand = ["{{python}}", "bot.py"]\n{line}\n')


@pytest.mark.parametrize("tier", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_bot_plays_with_the_packages_that_it_names(folder: Path, tier: int, request: pytest.FixtureRequest) -> None:
    if tier:
        request.getfixturevalue(f"tier_{tier}")
    sandbox = sandbox_of({"tier": tier})
    bots = ready([load_bot(folder), resolve_bot("random")], sandbox)
    record = asyncio.run(play_on(match_of("m", "bluff", {}, 1, bots, sandbox=sandbox)))
    assert not record.faults, record.faults[0].stderr_tail
    assert not (folder / PACKAGES).exists(), "the author's folder is as it was"


def test_a_package_that_cannot_be_installed_is_reported_with_the_words_of_pip(folder: Path) -> None:
    (folder / "requirements.txt").write_text("./missing-1.0-py3-none-any.whl\n")
    with pytest.raises(BuildError, match=r"bot mine cannot be built: .*pip install.* exit code 1") as failed:
        built(load_bot(folder))
    assert any("missing-1.0" in line for line in failed.value.__notes__)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('requirements = "none.txt"', "requirements is 'none.txt'; it must be a file in the folder of the bot"),
        ('requirements = "../mine/../other.txt"', "it must be a file in the folder of the bot"),
        ('requirements = "requirements.txt"\nbuild = ["make"]', "has requirements and build; leave one out"),
        ('requirements = ["numpy"]', r"requirements is \['numpy'\]; it must be a string"),
    ],
)
def test_wrong_requirements_are_explained(folder: Path, line: str, sentence: str) -> None:
    (folder.parent / "other.txt").touch()
    write_toml(folder, line)
    with pytest.raises(BotError, match=sentence):
        load_bot(folder)
