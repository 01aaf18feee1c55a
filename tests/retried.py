"""Runs pytest, and tests that failed once more, one after the other.

usage: python -m tests.retried [ARGUMENTS OF PYTEST]

Of thousands of tests that start processes and dial ports, one may lose a race on a busy machine. That is a bug to be
mended, so it is named; but only a test that fails twice fails the run, or many tests that fail at once.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

MOST: Final = 5
"""Where more tests fail, it is no accident."""


def run(arguments: Sequence[str]) -> int:
    """Run pytest with these arguments, a second time if a few tests failed; return the last exit code."""
    with tempfile.TemporaryDirectory(prefix="ballcourt-tests-") as cache:
        command = [sys.executable, "-m", "pytest", *arguments, "-o", f"cache_dir={cache}"]
        code = subprocess.run(command).returncode
        if code != pytest.ExitCode.TESTS_FAILED or len(failed := _failed(Path(cache))) > MOST:
            return code
        sys.stdout.write("\n  ".join(["\nonce more, by themselves:", *failed]) + "\n")
        sys.stdout.flush()
        return subprocess.run([*command, "-n", "0", "--last-failed", "--last-failed-no-failures", "none"]).returncode


def _failed(cache: Path) -> list[str]:
    """Return the ids of the tests that failed."""
    return [*json.loads((cache / "v" / "cache" / "lastfailed").read_text())]


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
