"""Every SDK keeps the contract, and a new bot in its language passes `check bot` in every game."""

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import BOT_FILE, Bot, load_bot
from ballcourt.arena.bots.starters import INSTALLED, languages, write_bot
from ballcourt.arena.building.builds import built, ready
from ballcourt.arena.contract import conversations, play_conversations
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.sandbox.bubblewrap import missing
from ballcourt.arena.sandbox.tiers import BUILD, BUILD_CACHE, NO_SANDBOX, TIER_1, Sandbox
from ballcourt.arena.workers.runner import Runner
from ballcourt.engine.registry import games
from tests.arena.conftest import RANDOM, need_sandbox
from tests.arena.matches import match_of
from tests.needs import lack

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
"""Where the program shown first in an SDK's README belongs in a bot's folder."""
SEARCHERS = {
    "cpp": "search.cc",
    "go": "search/main.go",
    "java": "bot/src/main/java/Searcher.java",
    "rust": "src/bin/search.rs",
    "typescript": "src/search.ts",
}
"""Where the second one may be, which searches with the rules, so that one build makes both."""
QUICK = 'BALLCOURT_BUILD_CACHE="$PWD/kept" CARGO_PROFILE_RELEASE_OPT_LEVEL=0'
"""Keeps what the compiler of Rust has made of libraries, and makes it quicker."""
WITH_MIRROR = {
    "cpp": "export CMAKE_BUILD_TYPE=None && cmake -S . -B build -DBALLCOURT_TESTS=ON && sh build.sh"
    " && ln -s ../build/sdk sdk/build"
}
"""How to build a new bot and the mirror at once, where that is not one after the other."""
SEARCHER_OF_CMAKE = "add_executable(search search.cc)\ntarget_link_libraries(search ballcourt)\n"
CONFINED = Sandbox(1, TIER_1, build=BUILD)
CALM = Clock(bank_ms=3_600_000, cap_ms=600_000)
FOREIGN = [language for language in languages() if language != INSTALLED]


def need_tools(language: str) -> None:
    """Skip the test if tools of the language are missing."""
    if lacks := missing_tools(language):
        lack("languages", f"{language} lacks {', '.join(lacks)}")


def missing_tools(language: str) -> list[str]:
    """Return the programs that the tests of a language need and that are not installed."""
    return [tool for tool in TOOLS[language] if not shutil.which(tool)]


@pytest.fixture(scope="module", params=FOREIGN)
def language(request: pytest.FixtureRequest) -> str:
    """Return a language whose tools are installed; its tests follow one another and share its build."""
    need_tools(request.param)
    return str(request.param)


@pytest.fixture(scope="module")
def starter(language: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bot]:
    """Build a new bot and the mirror bot of its SDK, in the sandbox if there is one; no test builds them again.

    What the compilers have kept is moved out of the bot, and a link to it takes its place.
    """
    folder = tmp_path_factory.mktemp(language) / f"confined-{language}"
    write_bot(folder, language)
    (folder / "once").write_text(str(folder))  # a new content hash: otherwise the build of an earlier run is used
    mirror = shlex.join(load_bot(folder / "sdk").build)
    command = WITH_MIRROR.get(language, f"mkdir kept && export {QUICK} && sh build.sh && cd sdk && {mirror}")
    manifest = folder / BOT_FILE
    step = f"build = {json.dumps(['sh', '-c', command])}"
    manifest.write_text(re.sub(r"(?m)^build = .*$", lambda _: step, manifest.read_text()))
    new = load_bot(folder)
    (bot,) = ready([new], NO_SANDBOX if missing() else CONFINED)
    if (kept := bot.folder / "kept").is_dir():
        shutil.move(kept, folder.parent)
        kept.symlink_to(folder.parent / "kept")
    yield replace(new, lease=bot.lease)
    shutil.rmtree(bot.folder)
    bot.folder.with_suffix(".done").unlink()


@pytest.fixture
def mirror(starter: Bot) -> Bot:
    """The mirror bot of the SDK that the new bot contains, built."""
    return replace(load_bot(built(starter).folder / "sdk"), build=())


def test_the_sdk_keeps_the_contract(mirror: Bot) -> None:
    outcomes = asyncio.run(play_conversations(mirror, conversations()))
    assert {outcome.conversation.name: outcome.complaint for outcome in outcomes if outcome.complaint} == {}


def test_the_sdk_passes_the_checks_of_its_own_ecosystem(mirror: Bot) -> None:
    carry_out(["sh", "check.sh"], mirror.folder, mirror.folder.parent / "kept")


TABLES = [
    pytest.param(game, number % 2, marks=pytest.mark.gate if game == "maya" else ())
    for number, game in enumerate(sorted(games()))
]


@pytest.mark.parametrize(("game", "tier"), TABLES)
def test_a_new_bot_passes_check_bot(starter: Bot, game: str, tier: int) -> None:
    if tier:
        need_sandbox()
    assert flaws(starter.folder, "--game", game, "--decisions", "200", "--sandbox", str(tier)) == []


def test_the_bots_in_the_sdks_readme_build_and_the_second_searches_with_the_rules(language: str, starter: Bot) -> None:
    readme = (starter.folder / "sdk" / "README.md").read_text()
    shown = re.findall(r"^```(?:cpp|go|java|rust|ts)\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    copy = built(starter)  # the last test of the language, as it changes what was built
    for path, program in zip((PROGRAMS[language], SEARCHERS[language]), shown, strict=True):
        (copy.folder / path).parent.mkdir(exist_ok=True)
        (copy.folder / path).write_text(program)
    if language == "cpp":
        with (copy.folder / "CMakeLists.txt").open("a") as settings:
            settings.write(SEARCHER_OF_CMAKE)
    carry_out(["sh", "build.sh"], copy.folder, copy.folder / "kept")
    assert playouts(replace(copy, command=search_command(language, copy))) > 0


def carry_out(command: Sequence[str], folder: Path, kept: Path) -> None:
    """Run a command in a built folder, with what compilers kept; fail if it fails."""
    environment = {**os.environ, BUILD_CACHE: str(kept), "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=1800, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def search_command(language: str, bot: Bot) -> tuple[str, ...]:
    """Return the command of the searcher that was built in the bot's folder."""
    match language:
        case "java":
            return tuple("Searcher" if word == "bot.Starter" else word for word in bot.command)
        case "rust":
            return ("kept/target/release/search",)
        case "typescript":
            return ("node", "dist/search.js")
    return ("build/search",)


def playouts(bot: Bot) -> int:
    """Play a match with a bot that searches with the rules; return how many playouts its thoughts count."""
    with Runner(workers=1) as runner:
        (record,) = runner.run([match_of("search", "maya", {}, 5, (bot, RANDOM), CALM)])
    assert [fault.detail + fault.stderr_tail for fault in record.faults] == []
    return sum(int(thoughts.removesuffix(" playouts")) for thoughts in record.decisions.thoughts.values())


def flaws(folder: Path, *flags: str) -> list[dict[str, str]]:
    """Return the failed checks of `check bot`."""
    command = [sys.executable, "-m", "ballcourt", "check", "bot", str(folder), *flags, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    failed = [check for check in json.loads(done.stdout)["checks"] if check["outcome"] == "fail"]
    assert done.returncode == (1 if failed else 0), done.stderr
    return failed
