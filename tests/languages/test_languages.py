"""Every SDK keeps the contract, and a new bot in its language passes `check bot` in every game."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, load_bot
from ballcourt.arena.bots.starters import INSTALLED, languages, write_bot
from ballcourt.arena.contract import conversations, play_conversations
from ballcourt.arena.processes.builds import built, ready
from ballcourt.arena.sandbox.tiers import TIER_1, Sandbox
from ballcourt.engine.registry import games
from tests.arena.conftest import need_sandbox

pytestmark = pytest.mark.languages

TOOLS = {
    "cpp": ("g++", "cmake", "pkg-config", "protoc", "grpc_cpp_plugin", "clang-format"),
    "go": ("go",),
    "java": ("javac", "mvn"),
    "rust": ("cargo", "cargo-clippy", "cargo-fmt", "cc"),
    "typescript": ("node", "npm"),
}
"""The programs that must be on PATH to build and check the SDK of a language."""
PROGRAMS = {
    "cpp": "main.cc",
    "go": "main.go",
    "java": "bot/src/main/java/Cautious.java",
    "rust": "src/main.rs",
    "typescript": "src/main.ts",
}
"""Where the program shown in an SDK's README belongs in a bot's folder."""
REQUIRED = os.environ.get("BALLCOURT_REQUIRE", "").split()
CONFINED = Sandbox(1, TIER_1)
FOREIGN = [language for language in languages() if language != INSTALLED]


def need_tools(language: str) -> None:
    """Skip the test if tools of the language are missing; fail it if BALLCOURT_REQUIRE names `languages`."""
    missing = [tool for tool in TOOLS[language] if not shutil.which(tool)]
    if missing and "languages" in REQUIRED:
        pytest.fail(f"the tests of {language} need {', '.join(missing)}, and BALLCOURT_REQUIRE names languages")
    if missing:
        pytest.skip(f"the tests of {language} need {', '.join(missing)}")


def mirror_bot(language: str, folder: Path) -> Bot:
    """Build the mirror bot of the SDK that a new bot in this language contains."""
    need_tools(language)
    write_bot(folder / "new", language)
    return built(load_bot(folder / "new" / "sdk"))


@pytest.mark.parametrize("language", FOREIGN)
def test_the_sdk_keeps_the_contract(language: str, tmp_path: Path) -> None:
    outcomes = asyncio.run(play_conversations(mirror_bot(language, tmp_path), conversations()))
    assert {outcome.conversation.name: outcome.complaint for outcome in outcomes if outcome.complaint} == {}


@pytest.mark.parametrize("language", FOREIGN)
def test_the_sdk_passes_the_checks_of_its_own_ecosystem(language: str, tmp_path: Path) -> None:
    folder = mirror_bot(language, tmp_path).folder
    done = subprocess.run(["sh", "check.sh"], cwd=folder, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("language", FOREIGN)
def test_the_bot_in_the_sdks_readme_builds(language: str, tmp_path: Path) -> None:
    need_tools(language)
    write_bot(tmp_path / "mine", language)
    shown = re.search(r"^```\w+\n(.*?)^```$", (tmp_path / "mine/sdk/README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert shown
    (tmp_path / "mine" / PROGRAMS[language]).write_text(shown[1])
    built(load_bot(tmp_path / "mine"))


@pytest.mark.parametrize("language", FOREIGN)
@pytest.mark.parametrize("game", sorted(games()))
def test_a_new_bot_passes_check_bot(language: str, game: str, tmp_path: Path) -> None:
    need_tools(language)
    write_bot(tmp_path / "mine", language)
    assert flaws(tmp_path / "mine", "--game", game, "--decisions", "200") == []


@pytest.mark.parametrize("language", FOREIGN)
def test_a_new_bot_builds_and_plays_in_the_sandbox(language: str, tmp_path: Path) -> None:
    need_tools(language)
    need_sandbox()
    folder = tmp_path / f"confined-{language}"
    write_bot(folder, language)
    (folder / "once").write_text(str(tmp_path))  # a new content hash: otherwise the build of an earlier run is used
    (bot,) = ready([load_bot(folder)], CONFINED)
    try:
        assert flaws(folder, "--game", "maya", "--sandbox", "1") == []
    finally:
        shutil.rmtree(bot.folder)
        bot.folder.with_suffix(".done").unlink()


def flaws(folder: Path, *flags: str) -> list[dict[str, str]]:
    """Return the failed checks of `check bot`."""
    command = [sys.executable, "-m", "ballcourt", "check", "bot", str(folder), *flags, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    failed = [check for check in json.loads(done.stdout)["checks"] if check["outcome"] == "fail"]
    assert done.returncode == (1 if failed else 0), done.stderr
    return failed
