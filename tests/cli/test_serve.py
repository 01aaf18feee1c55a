"""`ballcourt serve`: from a folder to a page in a browser, and wrong input."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import connect
from typing import Any
from urllib.request import urlopen

import pytest

import tests
from ballcourt.arena.records.store import write_record
from ballcourt.cli.loopback import listening
from tests.arena.conftest import PATIENCE_S, bounded
from tests.arena.recorded import recorded
from tests.browser import chromium
from tests.cli.conftest import Refused, Run


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    (tmp_path / "cup" / "records").mkdir(parents=True)
    write_record(tmp_path / "cup" / "records", recorded("m1"))
    return tmp_path / "cup"


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, Any]]:
    """Serve a folder on a free port; yield the address and the process."""
    command = [sys.executable, "-m", "ballcourt", "serve", str(folder), "--port", "0"]
    root = Path(tests.__file__).parent.parent  # the game of the record is a module of the tests
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with bounded(process):
        assert process.stdout
        yield process.stdout.readline().split()[1], process
        process.kill()


@pytest.mark.slow
def test_a_folder_is_served_until_ctrl_c(cup: Path) -> None:
    with served(cup) as (address, process):
        assert address.startswith("http://127.0.0.1:")
        with urlopen(address, timeout=PATIENCE_S) as answer:
            assert "lowest" in answer.read().decode()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read() == "reading the results of cup\ninterrupted\n"


def test_an_answer_in_two_parts_does_not_wait_for_the_browser_to_confirm_the_first() -> None:
    with listening(0) as listener, socket.create_connection(listener.getsockname(), PATIENCE_S):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.slow
def test_a_browser_sorts_filters_and_opens_a_replay(cup: Path) -> None:
    with served(cup) as (address, _), chromium() as browser:
        tab = browser.new_context(reduced_motion="reduce").new_page()
        tab.set_default_timeout(300_000)
        problems: list[str] = []
        tab.on("console", lambda message: problems.append(message.text))
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.goto(address)
        names = "() => [...document.querySelectorAll('tbody tr')].map(row => row.cells[1].textContent)"
        tab.get_by_role("button", name="bot").click()
        ascending = tab.evaluate(names)
        tab.get_by_role("button", name="bot").click()
        assert tab.evaluate(names) == ascending[::-1] == sorted(ascending, reverse=True)
        tab.click("tbody tr a:has-text('high')")
        tab.click("a[href^='/matches/']:has-text('m1')")
        tab.wait_for_selector(".player")
        tab.keyboard.press("End")
        assert "The match is over" in tab.inner_text("body")
        assert problems == []


def test_wrong_input_is_a_sentence(run: Run, refused: Refused, cup: Path, tmp_path: Path) -> None:
    assert "is not the output folder of a tournament" in refused("serve", str(tmp_path / "nowhere"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        used = run("serve", str(cup), "--port", str(taken.getsockname()[1]))
    assert used.exit_code == 2
    assert "cannot be used (Address already in use); --port 0" in used.stderr
    with closing(connect(tmp_path / "other.sqlite")) as other:
        other.execute("CREATE TABLE other (id)")
    assert "'https://cup.example.org' is not the name of a host" in refused(
        "serve", str(cup), "--behind", "https://cup.example.org"
    )
    assert "files follow no running match; leave --site or --judge out" in refused(
        "serve", str(cup), "--site", str(tmp_path / "site"), "--judge", "30"
    )
    assert "not a ballcourt leaderboard" in refused("serve", str(tmp_path / "other.sqlite"))


def test_without_the_extra_it_says_what_to_install(
    refused: Refused, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert "pip install 'ballcourt[web]'" in refused("serve", str(cup))
