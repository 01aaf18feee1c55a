"""Runs a command in this process and checks how it reports errors."""

import contextlib
from pathlib import Path

from typer.testing import CliRunner, Result

from ballcourt.cli.commands import app
from tests.fuzz.limits import within_limits


def told(*arguments: str, within: Path, limited: bool = True, usual_s: float = 0.0) -> Result:
    """Run a command in a folder, within limits; it must succeed or explain why not in one sentence."""
    with contextlib.chdir(within), within_limits(usual_s) if limited else contextlib.nullcontext():
        result = CliRunner().invoke(app, arguments, env={"COLUMNS": "120"})
    assert result.exit_code in (0, 1, 2), (result.output, result.exception)
    assert isinstance(result.exception, SystemExit | None), result.exception
    if result.exit_code == 2:
        assert any(line.startswith("ballcourt: ") for line in result.stderr.splitlines()), result.stderr
    return result
