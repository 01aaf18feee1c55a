"""The files that put a contest on the internet: units that systemd accepts, a Compose file, commands that are there."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from typer import Context
from typer.core import TyperGroup
from typer.main import get_command

from ballcourt.cli.commands import app
from tests.arena.conftest import PATIENCE_S
from tests.needs import lack, library

EXAMPLES = Path(__file__).parents[2] / "docs/examples/deploy"
UNITS = sorted(EXAMPLES.glob("*.service"))
PROGRAM = "/opt/ballcourt/bin/ballcourt"
EXPOSURE = {"ballcourt-serve.service": 15, "ballcourt-ladder.service": 45, "ballcourt-examiner@.service": 45}
"""The most that systemd may find open in each unit, in tenths; 100 is an ordinary service."""


def compose() -> Any:  # noqa: ANN401 - YAML
    return yaml.safe_load((EXAMPLES / "compose.yaml").read_text())


def analysed(*words: str) -> subprocess.CompletedProcess[str]:
    command = ["systemd-analyze", *words]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=PATIENCE_S)


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_accepts_each_unit_and_finds_little_open_in_it(unit: Path, tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        lack("systemd")
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text().replace(PROGRAM, "/bin/true"))  # it has to be there
    verified = analysed("verify", "--man=no", str(copy))
    assert (verified.returncode, verified.stderr) == (0, "")
    checked = analysed("security", "--offline=true", "--no-pager", f"--threshold={EXPOSURE[unit.name]}", str(copy))
    assert checked.returncode == 0, checked.stdout


@pytest.mark.slow
def test_the_compose_file_is_one_by_its_schema(tmp_path: Path) -> None:
    library("check_jsonschema")
    words = ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", str(EXAMPLES / "compose.yaml")]
    found = subprocess.run(words, check=False, capture_output=True, text=True, timeout=PATIENCE_S, env=_with_tools())
    assert found.returncode == 0, found.stdout


def test_every_command_in_the_files_is_one_that_ballcourt_takes() -> None:
    in_units = [line.removeprefix(f"ExecStart={PROGRAM} ") for unit in UNITS for line in unit.read_text().splitlines()]
    commands = [line for line in in_units if line.split()[0:1] and line.split()[0] in ("serve", "ladder", "examiner")]
    commands += [one["command"] for one in compose()["services"].values() if "command" in one]
    assert len(commands) == 6
    program = get_command(app)
    assert isinstance(program, TyperGroup)
    for words in map(shlex.split, commands):
        command = program.get_command(Context(program), words[0])
        assert command, words
        command.make_context(words[0], words[1:])


def test_only_what_runs_bots_may_make_namespaces() -> None:
    services = compose()["services"]
    open_ones = [name for name, one in services.items() if "seccomp=unconfined" in one.get("security_opt", [])]
    assert sorted(open_ones) == ["examiner", "ladder"]
    closed = [unit.name for unit in UNITS if "RestrictNamespaces=yes" in unit.read_text()]
    assert closed == ["ballcourt-serve.service"]


def test_the_image_installs_extras_that_there_are() -> None:
    pyproject = (EXAMPLES.parents[2] / "pyproject.toml").read_text()
    [extras] = re.findall(r"whl\)\[([\w,]+)\]", (EXAMPLES / "Containerfile").read_text())
    assert [extra for extra in extras.split(",") if f"\n{extra} = [" not in pyproject] == []


def _with_tools() -> dict[str, str]:
    return os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
