"""An installation without extras: it is as small as the documents say, and does what they say."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution, packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.arena.conftest import PATIENCE_S

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MOST_MB = {"": 320, "dev": 480}
"""Of the libraries of an installation without extras, and of one with an extra; Ballcourt itself has up to 20 more."""

REFUSING = """
from importlib.machinery import PathFinder

find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name.partition(".")[0] in {names} else find(name, *rest)
"""


def brought(extra: str) -> dict[str, Distribution]:
    """Return the distributions that an installation has with an extra, or with none, by their names."""
    found: dict[str, Distribution] = {}
    due = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"].get(extra, ())]
    while due:
        wanted = Requirement(due.pop())
        if wanted.name == "ballcourt":
            due += [one for own in wanted.extras for one in PROJECT["optional-dependencies"][own]]
        elif canonicalize_name(wanted.name) not in found:
            found[canonicalize_name(wanted.name)] = one = distribution(wanted.name)
            due += needed(one, wanted.extras)
    return found


def needed(one: Distribution, extras: set[str]) -> Iterator[str]:
    """Yield what a distribution requires with these extras."""
    for line in one.requires or ():
        marker = Requirement(line).marker
        if not marker or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield line.partition(";")[0]


def megabytes(one: Distribution) -> float:
    files = [Path(str(one.locate_file(file))) for file in one.files or ()]
    return sum(file.stat().st_size for file in files if file.exists()) / 2**20


@pytest.mark.parametrize("extra", MOST_MB)
def test_an_installation_is_as_small_as_the_documents_say(extra: str) -> None:
    sizes = {name: megabytes(one) for name, one in brought(extra).items()}
    assert len(sizes) > 10
    assert sum(sizes.values()) <= MOST_MB[extra], sorted(sizes.items(), key=lambda item: -item[1])


@pytest.fixture
def light(tmp_path: Path) -> dict[str, str]:
    """The environment of processes that have no library but those that an installation without extras brings."""
    base = brought("")
    outside = {
        module
        for module, names in packages_distributions().items()
        if not {canonicalize_name(name) for name in names} & {*base, "ballcourt", "setuptools"}
    }
    assert {"fastapi", "mcp", "pyarrow"} <= outside
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(REFUSING.format(names=outside))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BALLCOURT", "PYTHON"))}
    return kept | {"PYTHONPATH": str(tmp_path / "site"), "BALLCOURT_CACHE": str(tmp_path / "cache")}


def ballcourt(place: Path, environment: dict[str, str], line: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ballcourt", *line.split()]
    return subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


@pytest.mark.slow
@pytest.mark.gate
def test_an_installation_without_extras_plays_writes_checks_rates_and_sends_bots(
    tmp_path: Path, light: dict[str, str]
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    for line in (
        "new-bot mine --game maya",
        "check bot ./mine --game maya --decisions 5",
        "play maya ./mine greedy --seed 1 --record-dir runs",
        "play maya planner random --seed 1 --json",
        "replay show last --at 3",
        "replay html last --output match.html",
        "replay verify runs",
        "debug last@0 ./mine",
        "check game maya --matches 1",
        "check sdk python",
        "study report maya --matches 2",
        "tournament --game maya --bot ./mine --bot random --seats 2 --rounds 1 --seed 1 --output cup",
        "leaderboard cup",
        "study head-to-head cup mine random",
        "doctor",
        "bots",
        "games maya",
    ):
        done = ballcourt(place, light, line)
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
    for line in ("connect ./mine 127.0.0.1:9 --token-file none", "login http://127.0.0.1:9", "submit ./mine"):
        assert "not installed" not in ballcourt(place, light, line).stderr


@pytest.mark.slow
def test_without_the_libraries_of_contests_their_commands_are_refused_but_have_their_help(
    tmp_path: Path, light: dict[str, str]
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    wanted = "contests need fastapi, which is not installed; run pip install 'ballcourt[contest]'"
    done = ballcourt(place, light, "contest new cup --url http://127.0.0.1:8000")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"ballcourt: {wanted}\n")
    assert [*place.iterdir()] == []
    shown = " ".join(ballcourt(place, light, "contest new --help").stdout.split())
    assert "contest new [OPTIONS]" in shown
    assert f"It has flags once it is complete: {wanted}." in shown
