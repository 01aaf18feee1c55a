"""`play --site`: a table as files, whose arena runs in the browser."""

import hashlib
import json
import subprocess
import sys
import tarfile
import threading
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from ballcourt.arena.files import PACKAGE
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import read_record
from ballcourt.bots.greedy.bot import GreedyBot
from ballcourt.bots.sdk.python import Session
from ballcourt.bots.sdk.python.main import introduce
from ballcourt.site import pages as site
from ballcourt.site.first_bot import FirstBot
from tests.arena.conftest import bluff_is_installed, in_process
from tests.browser import barriers, chromium
from tests.cli.conftest import Refused, Run, place, refused, run, succeeds
from tests.needs import lack

__all__ = ["bluff_is_installed", "in_process", "place", "refused", "run", "succeeds"]  # the fixtures of the command

ABSENT = ("grpc", "fcntl", "numpy", "packaging", "pydantic", "fastapi")
"""Modules that no page has."""
ALONE = """
import asyncio, json, sys
from pathlib import Path
for name in {absent}: sys.modules[name] = None
from importlib import import_module
sys.path[:] = [{home!r}, *(path for path in sys.path if "site-packages" not in path)]
from ballcourt.site.host import host
for bot in {bots}: import_module(f"ballcourt.bots.{{bot}}.bot")
async def main():
    events = []
    table = host({table!r}, {home!r}, lambda event, data: events.append((event, json.loads(data))))
    holding = asyncio.create_task(table.hold())
    while not events or not (asked := [data for event, data in events if event == "question"][-1])["results"]:
        if events and asked["choices"]:
            body = {{"number": asked["number"], "action": asked["choices"][0]["action"]}}
            await table.respond("answer", json.dumps(body))
        await asyncio.sleep(0)
    print(json.loads(await table.respond("replay", "null"))["answer"]["replays"][0]["match"])
asyncio.run(main())
"""
BOT = """from ballcourt import Bot

class Written(Bot):
    def choose(self, decision):
        {statement}
"""
PLAY_20 = """async ([stream, program]) => {
  const worker = new Worker(stream, { type: "module" });
  const ask = (request) => new Promise((answered) => {
    worker.onmessage = ({ data }) => answered(data.answer);
    worker.postMessage({ request, path: "match", body: JSON.stringify({ program, seed: request }) });
  });
  const kept = [];
  for (let seed = 0; seed < 20; seed++) kept.push((await ask(seed)).record);
  return kept;
}"""
"""Plays 20 matches of a program in a page, and returns their records."""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file that takes the place of Pyodide's package where no browser loads it."""
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in site.LOADED:
            archive.addfile(tarfile.TarInfo(f"package/{name}"))
    file = tmp_path / "pyodide.tgz"
    file.write_bytes(packed.getvalue())
    monkeypatch.setattr(site, "INTEGRITY", b64encode(hashlib.sha512(packed.getvalue()).digest()).decode())
    return file


def _worker(page: str) -> tuple[str, Any]:
    """Return the name of the archive of bots, and the table, that a page passes to its worker."""
    (address,) = (part.partition('"')[0] for part in page.split('data-stream="')[1:])
    asked = parse_qs(urlsplit(address.replace("&amp;", "&")).query)
    return asked["bots"][0], json.loads(asked["table"][0])


@pytest.mark.parametrize("game", ["maya", "tzolkin", "ahau"])
def test_the_files_of_a_site_are_all_that_a_match_needs(
    game: str, place: Path, succeeds: Run, package: Path, tmp_path: Path
) -> None:
    succeeds("play", game, "human", "greedy", "--hints", "planner", "--site", "site", "--pyodide", str(package))
    bots, table = _worker((place / f"site/{game}.html").read_text())
    assert (bots, table["seats"], table["hints"]) == (game, [None, "greedy"], "planner")
    home = tmp_path / "the page"
    for archive in ("ballcourt.zip", f"{game}.zip"):
        zipfile.ZipFile(place / "site" / archive).extractall(home)
    reference = {path.parent.name for path in (PACKAGE / "bots").glob("*/bot.toml")} - {"llm", "trained"}
    assert "rollout" in reference
    program = ALONE.format(absent=ABSENT, bots=sorted(reference), home=str(home), table=json.dumps(table))
    done = subprocess.run(
        [sys.executable, "-I", "-c", program],
        cwd=tmp_path,
        env={},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(game)


def test_pages_of_several_games_are_in_one_folder_and_nothing_else_is_replaced(
    place: Path, succeeds: Run, refused: Refused, package: Path
) -> None:
    line = "--site", "site", "--pyodide", str(package)
    first = succeeds("play", "maya", "human", "greedy", *line)
    assert "site/maya.html loads " in first.stdout
    assert "http.server" in first.stdout
    maya = (place / "site/maya.zip").read_bytes()
    succeeds("play", "tzolkin", "greedy", "human", "twin=greedy", "--option", "start_player=1", *line)
    _, table = _worker((place / "site/tzolkin.html").read_text())
    assert (table["seats"], table["options"]["start_player"]) == (["greedy", None, "twin"], "1")
    index = (place / "site/index.html").read_text()
    assert [game for game in ("ahau", "maya", "tzolkin") if f'href="{game}-bot.html"' in index] == ["maya", "tzolkin"]
    succeeds("play", "maya", "human", "greedy", *line)
    assert (place / "site/maya.zip").read_bytes() == maya, "the same bots give the same archive"
    (place / "other").mkdir()
    (place / "other/index.html").write_text("mine")
    assert "has other files in it" in refused("play", "maya", "human", "greedy", "--site", "other")


def test_what_cannot_be_a_page_is_refused_in_a_sentence(place: Path, refused: Refused, package: Path) -> None:
    line = "--site", "site", "--pyodide", str(package)
    assert "for one person; 2 seats are human" in refused("play", "maya", "human", "b=human", *line)
    assert "for one person; 0 seats are human" in refused("play", "maya", "greedy", "random", *line)
    for flag in ("--seed 7", "--turn-s 60", "--browser", "--clock cap_ms=2000", "--json", "--sandbox 1"):
        assert "plays nothing" in refused("play", "maya", "human", "greedy", *flag.split(), *line)
    assert "pages that --site writes" in refused("play", "maya", "human", "greedy", *line[2:])
    assert "bluff comes from elsewhere" in refused("play", "bluff", "human", "./low", "--hints", "./any", *line)
    (place / "low/bot.toml").write_text((place / "low/bot.toml").read_text() + 'games = ["maya"]\n')
    assert "low cannot play in a page" in refused("play", "maya", "human", "./low", *line)
    assert "network.py imports NumPy" in refused("play", "maya", "human", "trained", *line)
    wrong = place / "wrong.tgz"
    wrong.write_bytes(b"something else")
    told = refused("play", "maya", "human", "greedy", "--site", "site", "--pyodide", str(wrong))
    assert f"is not the package pyodide {site.PYODIDE} of npm" in told
    assert "cannot be read" in refused("play", "maya", "human", "greedy", "--site", "site", "--pyodide", "none")


def test_without_npm_the_command_says_how_to_get_pyodide(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "npm, which is not installed here" in refused("play", "maya", "human", "greedy", "--site", "site")
    (tmp_path / "npm").write_text("#!/bin/sh\necho no route to the registry >&2\nexit 1\n")
    (tmp_path / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    told = refused("play", "maya", "human", "greedy", "--site", "site")
    assert "npm cannot fetch Pyodide (no route to the registry)" in told


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """Serve a folder as any web server does; yield its address."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site with real pages of all games, for browsers."""
    folder = tmp_path_factory.mktemp("pages") / "a site"
    for game in ("maya", "tzolkin", "ahau"):
        command = [sys.executable, "-m", "ballcourt", "play", game, "human", "greedy", "--site", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        if "npm" in done.stderr:
            lack("languages", done.stderr)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("game", ["maya", "tzolkin", "ahau"])
def test_a_person_plays_a_match_in_a_page_without_network_and_watches_it(
    game: str, pages: Path, tmp_path: Path
) -> None:
    with chromium() as browser, _served(pages) as address:
        context = browser.new_context()
        tab = context.new_page()
        tab.set_default_timeout(300_000)
        problems: list[str] = []
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.goto(f"{address}/{game}.html")
        tab.wait_for_selector(".choices button")
        context.set_offline(True)
        assert barriers(tab) == []
        tab.get_by_role("button", name="Hint").click()
        tab.get_by_text("planner would choose").wait_for()
        while not tab.locator(".choices .sheet").count():
            tab.evaluate("() => document.querySelector('.choices button:not(:disabled)')?.click()")
        tab.get_by_role("button", name="Watch it").click()
        tab.get_by_label("View").wait_for()
        assert tab.get_by_label("View").locator("option").count() == 4
        assert tab.locator('[data-part="where"]').inner_text().startswith("0 / ")
        with tab.expect_download() as saved:
            tab.get_by_role("button", name="Save the match").click()
        saved.value.save_as(tmp_path / "saved.match")
        assert verify(read_record(tmp_path / "saved.match")).agrees
        tab.get_by_role("button", name="Play again").click()
        tab.wait_for_selector(".choices button:not(:disabled)")
        assert problems == []


@pytest.mark.slow
@pytest.mark.parametrize("game", ["maya", "tzolkin", "ahau"])
def test_bots_decide_in_a_page_as_they_do_on_this_machine(game: str, pages: Path, tmp_path: Path) -> None:
    mine = (PACKAGE / "site/first_bot.py").read_text()
    with chromium() as browser, _served(pages) as address:
        tab = browser.new_context(bypass_csp=True).new_page()
        tab.set_default_timeout(300_000)
        tab.goto(f"{address}/{game}-bot.html")
        stream = tab.locator("main").get_attribute("data-stream")
        kept = tab.evaluate(PLAY_20, [stream, mine])
    own, greedy = FirstBot(), GreedyBot()
    own.name, own.version = "yours", "1"
    introduce(greedy, PACKAGE / "bots/greedy")
    for seed, one in enumerate(kept):
        file = tmp_path / f"{seed}.match"
        file.write_bytes(b64decode(one))
        there = read_record(file)
        here = play_in_process(game, [Session(own), Session(greedy)], seed=seed)
        assert "emscripten" in there.host.system.lower()
        assert verify(there).agrees
        assert there.decisions.hashes == here.decisions.hashes


@pytest.mark.slow
def test_a_person_writes_a_bot_in_a_page_and_watches_it_play(pages: Path) -> None:
    with chromium() as browser, _served(pages) as address:
        tab = browser.new_page()
        tab.set_default_timeout(300_000)
        tab.goto(f"{address}/maya-bot.html")
        assert barriers(tab) == []
        tab.get_by_role("button", name="Play a match").click()
        result = tab.locator(".workshop .moves li")
        result.wait_for()
        assert result.inner_text().startswith("1. greedy ")
        assert tab.locator(".board svg").count()
        text = tab.get_by_label("Your bot").locator("textarea")
        text.fill(BOT.format(statement="while True: pass"))
        tab.get_by_role("button", name="Play a match").click()
        tab.get_by_role("button", name="Stop", exact=True).click()
        tab.get_by_text("You stopped the match.").wait_for()
        text.fill(BOT.format(statement="return 1 / 0"))
        tab.get_by_role("button", name="Play a match").click()
        tab.get_by_text("ZeroDivisionError").wait_for()
        tab.reload()
        assert "1 / 0" in tab.get_by_label("Your bot").locator("textarea").input_value()
        tab.get_by_role("button", name="Begin again").click()
        assert "class FirstBot" in tab.get_by_label("Your bot").locator("textarea").input_value()
