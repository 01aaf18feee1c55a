"""The scripts of replays and pages have the types of the documents that Python writes; `npx tsc` checks them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.languages.declarations import FILES, ROOT, declarations
from tests.languages.test_languages import need_tools

CONFIGURATION = ("package.json", "package-lock.json", ".npmrc")
PARTS = ("arena", "engine", "leaderboard")
SCRIPTS = [path for part in PARTS for path in (ROOT / part).rglob("*.js")]


@pytest.mark.parametrize("path", FILES)
def test_typescript_knows_the_documents_as_python_does(path: str) -> None:
    stale = f"{path} is out of date; run python -m tests.languages.declarations"
    assert (ROOT / path).read_text(encoding="utf-8") == declarations(*FILES[path]), stale


def test_the_lock_file_names_no_registry() -> None:
    assert "resolved" not in (ROOT / "package-lock.json").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tsc(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the command of TypeScript's checker, installed outside the checkout."""
    need_tools("typescript")
    folder = tmp_path_factory.mktemp("typescript")
    for name in CONFIGURATION:
        shutil.copy(ROOT / name, folder)
    done = subprocess.run(
        ["npm", "ci", "--silent"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return ["node", str(folder / "node_modules" / "typescript" / "bin" / "tsc"), "--pretty", "false"]


def checked(tsc: list[str], root: Path) -> subprocess.CompletedProcess[str]:
    """Check the scripts below a folder; the output also names every file that was read."""
    command = [*tsc, "--listFiles", "--project", str(root)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.languages
def test_the_types_of_all_scripts_are_right(tsc: list[str]) -> None:
    done = checked(tsc, ROOT)
    assert done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if "error" in line)
    assert len(SCRIPTS) > 15
    assert {str(script) for script in SCRIPTS} <= set(done.stdout.splitlines())


@pytest.mark.languages
def test_a_script_that_mistakes_a_document_is_refused(tsc: list[str], tmp_path: Path) -> None:
    shutil.copy(ROOT / "tsconfig.json", tmp_path)
    for path in [*SCRIPTS, *(path for part in PARTS for path in (ROOT / part).rglob("*.d.ts"))]:
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    board = tmp_path / "engine" / "games" / "tzolkin" / "view" / "board.js"
    board.write_text(board.read_text().replace("scene.board.day", "scene.board.days", 1))
    done = checked(tsc, tmp_path)
    assert done.returncode != 0
    assert "board.js" in done.stdout
    assert "Property 'days' does not exist" in done.stdout
