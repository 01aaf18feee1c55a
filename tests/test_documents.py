"""The documents are correct: their commands run, their files load, their programs are those of the repository."""

import os
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from pydoc import locate

import pytest

from tests.arena.conftest import bounded

ROOT = Path(__file__).parents[1]
ENVIRONMENT = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
LONGEST_S = 500
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "STYLE.md",
    "arena/cluster/README.md",
    "arena/ladder/README.md",
    "arena/tournament/README.md",
    "bots/README.md",
    "engine/README.md",
    "leaderboard/README.md",
    "proto/README.md",
    "proto/ballcourt/contract/README.md",
    "src/ballcourt/env/README.md",
]


def blocks(language: str, document: str = README) -> list[str]:
    """The fenced blocks of one language in the README, or in another document."""
    return re.findall(rf"^```{language}\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)


def ran(command: list[str], folder: Path) -> tuple[int, str, str]:
    """Run a command in a folder; return its exit code and what it wrote to stdout and stderr."""
    with bounded(started(command, folder, subprocess.PIPE), LONGEST_S) as process:
        shown, said = process.communicate()
    return process.returncode, shown, said


def started(command: list[str], folder: Path, stdout: int) -> subprocess.Popen[str]:
    """Start a command in a folder, as the leader of a group of processes."""
    return subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stdout=stdout, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the README's commands expect."""
    folder = tmp_path_factory.mktemp("newcomer")
    (folder / "bots").symlink_to(ROOT / "bots")
    tournament = next(block for block in blocks("toml") if "seats" in block)
    (folder / "mine.toml").write_text(tournament, encoding="utf-8")
    return folder


def test_the_example_bot_is_the_one_in_the_readme() -> None:
    assert blocks("python")[0] == (ROOT / "bots/example/bot.py").read_text(encoding="utf-8")
    assert blocks("toml")[0] == (ROOT / "bots/example/bot.toml").read_text(encoding="utf-8")


def test_the_commands_of_the_readme_run(newcomer: Path) -> None:
    commands = [block for block in blocks("sh") if "ballcourt" in block]
    code, _, said = ran(["sh", "-eux", "-c", "\n".join(commands)], newcomer)
    assert code == 0, said[-2000:]


def test_a_tournament_is_played_from_python_as_the_readme_shows(newcomer: Path) -> None:
    [program] = [block for block in blocks("python") if "play_tournament" in block]
    code, shown, said = ran([sys.executable, "-c", program], newcomer)
    assert code == 0, said
    lines = shown.splitlines()
    assert lines[0].startswith("Planned(game='tzolkin', bots=('random', 'greedy', 'example'), matches=9, ")
    assert lines[-1].startswith("Finished(matches=9, ")
    assert sum(line.startswith("MatchPlayed(") for line in lines) == 9


def test_a_competition_is_run_as_its_guide_says(tmp_path: Path) -> None:
    guide = (ROOT / "arena/tournament/README.md").read_text(encoding="utf-8")
    [cup] = blocks("toml", guide)
    (tmp_path / "cup.toml").write_text(cup, encoding="utf-8")
    code, shown, said = ran(["sh", "-eux", "-c", "\n".join(blocks("sh", guide))], tmp_path)
    assert code == 0, said[-2000:]
    assert "ok      table: it follows from the matches" in shown


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_a_document_links_to_exists(document: str) -> None:
    path = ROOT / document
    targets = re.findall(r"\]\(([^)#: ]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("name", ["example.token", "mine.token", "key.pem", "organiser.key"])
def test_git_ignores_the_secrets_that_commands_of_the_documents_write(name: str) -> None:
    assert any(name in (ROOT / document).read_text(encoding="utf-8") for document in DOCUMENTS)
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert any(fnmatch(name, pattern) for pattern in ignored)


def test_everything_that_the_api_pages_describe_exists() -> None:
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "docs/pages/api").glob("*.md")]
    named = [name for page in pages for name in re.findall(r"^::: ([\w.]+)", page, flags=re.MULTILINE)]
    assert named and [name for name in named if locate(name) is None] == []


def test_every_module_the_architecture_names_exists() -> None:
    named = re.findall(r"`([\w/]+\.(?:py|proto|md))`", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    places = (ROOT, ROOT / "arena")
    missing = [name for name in named if "/" in name and not any((place / name).exists() for place in places)]
    assert named and missing == []


def test_the_remote_bot_of_the_readme_dials_in(newcomer: Path) -> None:
    tournament = next(block for block in blocks("toml") if "remote:" in block)
    (newcomer / "open.toml").write_text(tournament, encoding="utf-8")
    lines = "".join(blocks("console")).replace("\\\n", "").splitlines()
    token, host, connect, certificate = [line.partition("$")[2].strip() for line in lines]
    for command in (token, certificate):
        assert ran(["sh", "-c", command], newcomer)[0] == 0
    any_port = host.replace("0.0.0.0:7433", "127.0.0.1:0").split()
    with bounded(started(any_port, newcomer, subprocess.DEVNULL), LONGEST_S) as hosting:
        assert hosting.stderr
        ports = (re.findall(r"listening on 127\.0\.0\.1:(\d+)", line) for line in hosting.stderr)
        port = next(found[0] for found in ports if found)
        code, _, _ = ran(connect.replace("7433", port).split(), newcomer)
        said = hosting.stderr.read()
    assert (code, hosting.returncode) == (0, 0), said
    assert len(list((newcomer / "runs/open/records").glob("*.match"))) == 2
