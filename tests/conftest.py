"""Settings of the whole suite."""

import asyncio
import inspect
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.needs import left_out

# the same examples on every run, and no failure because the machine is busy
settings.register_profile("ballcourt", deadline=None, derandomize=True)
settings.load_profile("ballcourt")

# a shell makes its background jobs ignore Ctrl-C, and their children would inherit that
signal.signal(signal.SIGINT, signal.default_int_handler)

LEFT_OUT = "BALLCOURT_LEFT_OUT"
"""Names a file to which the ids of tests, or of whole modules, that are skipped are added."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--only", type=Path, help=f"of the quick tests run those in this file, made by {LEFT_OUT}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not (file := config.getoption("--only")):
        return
    wanted = tuple(file.read_text(encoding="utf-8").split("\n")[:-1])
    items[:] = [item for item in items if item.get_closest_marker("gate") or item.nodeid.startswith(wanted)]


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note(report)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note(report)


def _note(report: pytest.CollectReport | pytest.TestReport) -> None:
    if report.skipped and (file := os.environ.get(LEFT_OUT)):
        with Path(file).open("a", encoding="utf-8") as ids:
            ids.write(f"{report.nodeid}\n")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine in a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Say in the last line what was left out because the machine lacks it, and how to get it."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and (sentence := left_out({str(report.longrepr) for report in reporter.stats.get("skipped", [])})):
        reporter.write_line(sentence)
