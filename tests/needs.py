"""What some tests need of the machine; where it is missing, they are skipped, and the last line says how to get it."""

import importlib
import os
from typing import Any, Final, NoReturn

import pytest

NEEDS: Final = {
    "sandbox": "sandbox tier 1 (apt install bubblewrap)",
    "gvisor": "sandbox tier 2 (apt install bubblewrap runsc, as root)",
    "postgres": "PostgreSQL (apt install postgresql)",
    "browser": "a browser (apt install chromium; make install)",
    "proxies": "a proxy (apt install nginx caddy)",
    "systemd": "systemd-analyze (apt install systemd)",
    "languages": "the tools of every language (docs/pages/tutorials/languages.md)",
    "full": "more libraries (make install)",
}
"""What may be missing, with how to get it, by the words that BALLCOURT_REQUIRE may hold."""


def lack(need: str, what: str = "") -> NoReturn:
    """Skip the test or module if one of `NEEDS` is missing; fail it if BALLCOURT_REQUIRE names that."""
    sentence = f"needs {NEEDS[need]}" + (f": {what}" if what else "")
    if need in os.environ.get("BALLCOURT_REQUIRE", "").split():
        pytest.fail(f"BALLCOURT_REQUIRE names {need}, and the test {sentence}")
    pytest.skip(sentence, allow_module_level=True)


def library(name: str) -> Any:  # noqa: ANN401
    """Import a library of the extra `full`; without it, skip the test or module that asks."""
    try:
        return importlib.import_module(name)
    except ImportError:
        lack("full", f"{name} is not installed")


def left_out(reasons: set[str]) -> str:
    """Return the sentence about the tests that were skipped for these reasons; empty if nothing is missing."""
    missing = [what for what in NEEDS.values() if any(f"needs {what}" in reason for reason in reasons)]
    return f"left out, as this machine lacks it: what needs {'; '.join(missing)}" if missing else ""
