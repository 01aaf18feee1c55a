"""Ballcourt itself cannot be imported where bots play: that ends the run, and costs no bot its seat."""

import subprocess
import sys
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.building.builds import ready
from ballcourt.arena.sandbox import visible
from ballcourt.arena.sandbox.bubblewrap import system_paths
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox, SandboxError
from ballcourt.arena.sandbox.trial import import_failure
from tests.cli.conftest import write_bot


def test_python_bots_can_import_ballcourt_in_every_tier(tier_1: Sandbox) -> None:
    assert [import_failure(sys.executable, sandbox) for sandbox in (NO_SANDBOX, tier_1)] == ["", ""]


def test_a_python_that_was_started_by_a_path_with_dots_has_walls_too(tmp_path: Path, tier_1: Sandbox) -> None:
    (tmp_path / "beside").mkdir()
    (tmp_path / "venv").symlink_to(sys.prefix)
    dotted = Path("..", "venv", *Path(sys.executable).relative_to(sys.prefix).parts)
    asks = (
        "import sys; from ballcourt.arena.sandbox.trial import import_failure\n"
        "from ballcourt.arena.sandbox.tiers import Sandbox, unavailable\n"
        "from ballcourt.arena.python import our_python\n"
        "assert '..' in sys.executable; print(unavailable(1), import_failure(our_python(), Sandbox(tier=1)))"
    )
    done = subprocess.run(
        [dotted, "-c", asks], cwd=tmp_path / "beside", capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == ""


@pytest.mark.slow
def test_python_bots_can_import_ballcourt_in_gvisor(tier_2: Sandbox) -> None:
    assert import_failure(sys.executable, tier_2) == ""


def test_a_sandbox_that_does_not_show_ballcourt_is_refused(
    tmp_path: Path, tier_1: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = load_bot(write_bot(tmp_path / "mine", "mine"))
    monkeypatch.setattr(visible, "_shared", lambda: (*system_paths(), Path(sys.prefix), Path(sys.base_prefix)))
    import_failure.cache_clear()
    with pytest.raises(SandboxError, match=r"cannot import Ballcourt in sandbox tier 1: ModuleNotFoundError: .*pip"):
        ready([bot], tier_1)
    import_failure.cache_clear()


def test_what_only_pythonpath_shows_to_the_arena_is_not_there_for_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\n[ -z "$PYTHONPATH" ] && echo "No module named ballcourt" >&2 && exit 1\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("PYTHONPATH", "src")
    bot = load_bot(write_bot(tmp_path / "mine", "mine"))
    with pytest.raises(SandboxError, match="cannot import Ballcourt in sandbox tier 0: No module named ballcourt; ins"):
        ready([bot], NO_SANDBOX)
