"""The documentation site, built and served: its search finds pages by the words of those who look for them."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser import new_tab
from tests.needs import library
from tests.test_documents import ENVIRONMENT, ROOT

pytestmark = pytest.mark.slow

FOUND = """() => [...document.querySelectorAll(".md-search-result__list > li")].slice(0, 10)
  .map((page) => [...page.querySelectorAll("a")].map((link) => new URL(link.href)))
  .map((links) => links.map((link) => link.pathname.slice(1) + link.hash))"""
"""Returns the ten pages that are found first, each as the addresses of its parts."""
SOUGHT = {
    "play browser": "tutorials/match/#play-in-the-browser",
    "time limit": "explanation/refereeing/#clocks-the-time-limit-of-a-decision",
    "crash": "how-to/check/#find-out-why-it-crashed-or-lost-its-seat",
    "embed": "tutorials/match/#save-a-picture-or-embed-a-replay-in-a-page",
    "delete data": "how-to/contest/#what-is-kept-about-people-and-how-to-delete-data",
    "resign": "explanation/refereeing/#faults-and-why-a-bot-cannot-resign",
}


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:  # noqa: ANN401
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the files of a folder; yield their address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=folder)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def found(tab: Any, address: str, words: str) -> list[list[str]]:  # noqa: ANN401
    """Search the site for words; return what its first page of results leads to."""
    tab.goto(f"{address}?q={quote(words)}")
    tab.wait_for_selector(".md-search-result__list a", state="attached")
    result: list[list[str]] = tab.evaluate(FOUND)
    return result


def test_the_search_finds_what_people_look_for_on_its_first_page(tmp_path: Path) -> None:
    library("mkdocs")
    for command in (
        ("docs/assemble.py", tmp_path),
        ("-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", tmp_path / "mkdocs.yml"),
    ):
        subprocess.run((sys.executable, *command), cwd=ROOT, env=ENVIRONMENT | {"NO_MKDOCS_2_WARNING": "1"}, check=True)
    with served(tmp_path / "site") as address, new_tab() as tab:
        tab.goto(address)
        pages = {words: found(tab, address, words) for words in SOUGHT}
    missed = [words for words, part in SOUGHT.items() if not any(part in page for page in pages[words])]
    assert not missed, pages
