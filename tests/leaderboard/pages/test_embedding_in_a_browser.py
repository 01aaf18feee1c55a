"""A replay in a frame of another site, in a browser: it is shown, and neither it nor that site reaches the other."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.records.store import write_record
from tests.arena.recorded import recorded
from tests.bluff.installed import bluff_installed
from tests.browser import chromium
from tests.cli.test_serve import served
from tests.serving import serving

pytestmark = pytest.mark.slow
REACHED = """async (address) => {
  const ways = {
    fetch: () => fetch(address),
    parent: () => window.parent.document.title,
    script: () => new Promise((resolve, reject) => {
      const one = document.createElement("script");
      [one.onload, one.onerror, one.textContent] = [resolve, reject, "window.ran = true"];
      document.body.append(one);
      window.ran ? resolve() : reject(new Error("it did not run"));
    }),
  };
  const reached = [];
  for (const [name, way] of Object.entries(ways)) {
    try { await way(); reached.push(name); } catch {}
  }
  return reached;
}"""
"""Tries what a script could do that a stranger got into the frame; returns what it could."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """Serve a folder with a match."""
    (tmp_path / "cup" / "records").mkdir(parents=True)
    with bluff_installed():
        write_record(tmp_path / "cup" / "records", recorded("m1"))
        with served(tmp_path / "cup") as (address, _):
            yield address


def _framed(tab: Any, elsewhere: str, address: str, folder: Path) -> Any:  # noqa: ANN401
    """Show an address in a frame of another site; return the frame."""
    (folder / "frame.html").write_text(f'<title>theirs</title><iframe src="{address}"></iframe>')
    tab.goto(f"http://{elsewhere}/frame.html")
    return tab.frames[1]


def test_a_replay_in_a_frame_of_another_site_is_shown_and_reaches_nothing(site: str, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    handler = partial(_Quiet, directory=str(tmp_path / "theirs"))
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as elsewhere, chromium() as browser:
        tab = browser.new_page()
        frame = _framed(tab, elsewhere, f"{site}embed/m1", tmp_path / "theirs")
        frame.wait_for_selector("[data-part=players] .player")
        assert frame.evaluate(REACHED, f"{site}api/matches") == []
        assert tab.evaluate("address => fetch(address).then(() => 1, () => 0)", f"{site}api/matches") == 0
        refused = _framed(tab, elsewhere, f"{site}matches/m1", tmp_path / "theirs")
        assert refused.locator("[data-part=players]").count() == 0
