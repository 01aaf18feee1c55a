"""A bubblewrap that does not end."""

from pathlib import Path

import pytest

from ballcourt.arena.sandbox import bubblewrap
from ballcourt.arena.sandbox.bubblewrap import missing, version_of
from tests.arena.conftest import need_sandbox


@pytest.fixture(autouse=True)
def endless_bwrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_sandbox()
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(bubblewrap, "TRIAL_S", 0.1)


@pytest.mark.parametrize("trial_s", [0.1, 1.0])
def test_one_that_does_not_say_its_version_is_refused(trial_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "TRIAL_S", trial_s)
    version = f"unknown ('bwrap --version' did not end within {trial_s:g} s)"
    assert version_of("bwrap") == version
    assert missing.__wrapped__() == f"it needs bubblewrap 0.8 or newer, and this is {version}"


def test_one_whose_trial_does_not_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "version_of", lambda program: "bubblewrap 1.0")
    assert missing.__wrapped__() == "a trial with bwrap did not end within 0.1 s"
