"""A ZIP of the repository, and a checkout without symbolic links, hold text files in place of links; both install."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ballcourt"
LINKS = {path.name: path.readlink() for path in PACKAGE.iterdir() if path.is_symlink()}
WITHOUT_LINKS = """
import errno, os, runpy

def symlink(*_, **__):
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))

os.symlink = symlink
runpy.run_path("setup.py", run_name="__main__")
"""


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """The files that a build reads first, as a ZIP gives them."""
    package = tmp_path / "src" / "ballcourt"
    package.mkdir(parents=True)
    for path in (ROOT / "README.md", ROOT / "setup.py"):
        shutil.copy(path, tmp_path)
    for path in PACKAGE.glob("*.*"):
        if path.is_file() and not path.is_symlink():
            shutil.copy(path, package)
    for name, target in LINKS.items():
        (package / name).write_text(str(target))
    return tmp_path


def setup(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run what every build runs."""
    return subprocess.run(
        [sys.executable, *command, "--name"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.slow
def test_a_build_makes_links_of_the_text_files_of_a_zip(unpacked: Path) -> None:
    others = {path.name: path.read_bytes() for path in PACKAGE.glob("*.*") if path.name not in LINKS}
    for _ in range(2):
        done = setup(unpacked, "setup.py")
        assert done.returncode == 0, done.stderr
        package = unpacked / "src" / "ballcourt"
        assert {path.name: path.readlink() for path in package.iterdir() if path.is_symlink()} == LINKS
        assert {path.name: path.read_bytes() for path in package.iterdir() if not path.is_symlink()} == others


def test_a_file_system_without_links_is_named_in_one_sentence(unpacked: Path) -> None:
    done = setup(unpacked, "-c", WITHOUT_LINKS)
    assert done.returncode == 1
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("src/ballcourt/")
    assert "must be a link to ../../" in sentence
    assert "which this file system refuses (Operation not permitted)" in sentence
    assert all((unpacked / "src" / "ballcourt" / name).read_text() == str(target) for name, target in LINKS.items())
