"""What the documents show works: their commands run, their files load, their code is the code."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language in the README."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the README's commands expect to find."""
    folder = tmp_path_factory.mktemp("newcomer")
    (folder / "bots").symlink_to(ROOT / "bots")
    tournament = next(block for block in blocks("toml") if "seats" in block)
    (folder / "mine.toml").write_text(tournament, encoding="utf-8")
    return folder


def test_the_example_bot_is_the_one_in_the_readme() -> None:
    assert blocks("python") == [(ROOT / "bots/example/bot.py").read_text(encoding="utf-8")]
    assert blocks("toml")[0] == (ROOT / "bots/example/bot.toml").read_text(encoding="utf-8")


def test_the_commands_of_the_readme_run(newcomer: Path) -> None:
    commands = [block for block in blocks("sh") if "ballcourt" in block]
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-eux", "-c", "\n".join(commands)],
        cwd=newcomer,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_every_file_the_readme_points_to_exists() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert [target for target in targets if not (ROOT / target).exists()] == []
