"""The analysis of a recorded match in a browser: advice of a bot, matches that branch off, what is refused."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx2 import ASGITransport as Transport
from httpx2 import AsyncClient as Http

from ballcourt.arena.browser.analysis import Analysis, Branch, Helpers, analysis_app
from ballcourt.arena.match.person import UNHURRIED, person_entrant
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.records.branches import branch
from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import read_record, write_record
from ballcourt.arena.sandbox.tiers import NO_SANDBOX
from ballcourt.arena.workers.local_match import open_pool
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord
from tests.arena.browser.test_playing import FINISH, PHONE, serving
from tests.arena.conftest import LOWEST, PATIENCE_S
from tests.arena.matches import match_of
from tests.arena.recorded import recorded
from tests.browser import barriers, new_tab
from tests.cli.conftest import write_bot


def analyse(folder: Path, use: Callable[[Http, Analysis], Awaitable[None]], record: MatchRecord | None = None) -> None:
    """Analyse a match of bluff until `use` is done; a person who branches off plays against a bot process."""
    analysed = record or recorded()

    def branch_off(number: int, seat: int) -> Branch:
        match = match_of("branched", "bluff", dict(analysed.options), analysed.seed, [LOWEST] * 3)
        entrants = tuple(person_entrant("anna") if at == seat else LOWEST.entrant for at in range(3))
        clocks = tuple(UNHURRIED if at == seat else Clock() for at in range(3))
        match = replace(match, spec=replace(match.spec, entrants=entrants, seat_clocks=clocks))
        begun = branch(analysed, number, match.key)
        return Branch(match, begun, lambda _: None, lambda played: write_record(folder, played))

    async def run() -> None:
        async with open_pool() as pool:
            analysis = Analysis(analysed, pool, Helpers(LOWEST, ("low",) * 3, NO_SANDBOX), branch_off)
            app = analysis_app(analysis, "secret", lambda: False)
            async with Http(transport=Transport(app=app), base_url="http://127.0.0.1") as http:
                await asyncio.wait_for(use(http, analysis), PATIENCE_S)
            await analysis.end()

    asyncio.run(run())


async def post(http: Http, path: str, token: str = "secret", **body: int) -> tuple[int, Any]:
    answer = await http.post(path, json=body, headers={"X-Token": token})
    return answer.status_code, answer.json() if answer.content else None


async def until(condition: Callable[[], object]) -> None:
    while not condition():  # noqa: ASYNC110  what is waited for has no event; `analyse` bounds it
        await asyncio.sleep(0.01)


def test_a_bot_says_what_it_would_do_at_a_decision(tmp_path: Path) -> None:
    async def use(http: Http, _: Analysis) -> None:
        status, answered = await post(http, "/advice", decision=4)
        assert (status, answered["label"]) == (200, "Bid 1")
        assert answered["thoughts"].isdecimal()  # the bot says which process it is
        status, answered = await post(http, "/advice", decision=9)
        assert (status, answered["detail"]) == (409, "the match is over here")

    analyse(tmp_path, use)


def test_no_seat_is_asked_where_the_rules_leave_no_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(http: Http, _: Analysis) -> None:
        status, answered = await post(http, "/advice", decision=4)
        assert (status, "a single legal action" in answered["detail"]) == (409, True)

    state = type(find_game("bluff").initial_state(3, 1, {}))
    monkeypatch.setattr(state, "legal_actions", lambda *_: [1])
    analyse(tmp_path, use)


@pytest.mark.slow
def test_a_person_plays_on_as_one_seat_and_the_record_verifies(tmp_path: Path) -> None:
    async def use(http: Http, analysis: Analysis) -> None:
        assert await post(http, "/branch", decision=4, seat=1) == (200, {"address": "/play?token=secret"})
        view = analysis.view
        assert view
        for _ in range(2):
            await until(lambda: view.person.question)
            assert view.document and view.document["observer"] == 1
            assert (await post(http, "/answer", number=view.number, action=2))[0] == 204
        await until(lambda: view.results)
        assert view.results[-1] == f"The record is {tmp_path / 'branched.match'}"
        assert (await http.get("/play?token=secret")).status_code == 200

    analyse(tmp_path, use)
    record = read_record(tmp_path / "branched.match")
    assert verify(record).agrees
    assert list(record.decisions.actions) == [1, 3, 1, 1, 2, 1, 1, 2, 1]
    assert (record.branched_from.key, record.branched_from.decision) == ("match", 4)
    assert record.decisions.decided_by[3] == DecidedBy.DECIDED_BY_RECORD


@pytest.mark.slow
def test_branching_off_again_ends_the_match_that_was_being_played(tmp_path: Path) -> None:
    async def use(http: Http, analysis: Analysis) -> None:
        await post(http, "/branch", decision=0, seat=0)
        first = analysis.view
        await post(http, "/branch", decision=6, seat=2)
        assert analysis.view is not first
        assert analysis.view
        await until(lambda: analysis.view and analysis.view.person.question)

    analyse(tmp_path, use)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_started_without_the_token_or_for_a_place_that_does_not_exist(tmp_path: Path) -> None:
    async def use(http: Http, analysis: Analysis) -> None:
        for path, body in (("/advice", {"decision": 4}), ("/branch", {"decision": 4, "seat": 1})):
            assert (await post(http, path, "wrong", **body))[0] == 403
            assert (await http.post(path, json=body)).status_code == 403
            assert (await http.post(f"{path}?token=secret", data={"decision": "4"})).status_code == 403
        for address in ("/", "/?token=wrong", "/helpers", "/play", "/stream"):
            assert (await http.get(address)).status_code == 403
        assert (await http.get("/play?token=secret")).status_code == 404
        assert (await post(http, "/branch", decision=9, seat=1))[0] == 409
        assert (await post(http, "/branch", decision=4, seat=3))[0] == 409
        assert (await post(http, "/branch", decision=-1, seat=0))[0] == 422
        assert analysis.view is None
        page = await http.get("/?token=secret")
        assert page.headers["Cache-Control"] == "no-store"
        assert "'unsafe" not in page.headers["Content-Security-Policy"]

    analyse(tmp_path, use)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Serve the analysis of a match of bluff; yield the address and the folder of new records."""
    write_bot(tmp_path / "low", "low")
    path, bot = write_record(tmp_path, recorded()), str(tmp_path / "low")
    places = ("--at", "4", "--port", "0", "--record-dir", str(tmp_path / "new"))
    with serving("replay", "analyse", str(path), bot, bot, bot, "--hints", bot, *places) as (address, process):
        assert address.endswith("#4/all")
        yield address, tmp_path / "new"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130


@pytest.mark.slow
def test_a_browser_asks_a_bot_and_plays_on_from_a_decision(served: tuple[str, Path]) -> None:
    address, folder = served
    with new_tab(**PHONE) as tab:
        tab.goto(address)
        tab.click("text=What would low do?")
        tab.wait_for_selector(".advice strong")
        assert tab.inner_text(".advice p") == "low would choose: Bid 1. In the match: Bid 3."
        assert barriers(tab) == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
        tab.click("text=Play on from here")
        tab.wait_for_selector("#ask")
        tab.wait_for_function(FINISH, polling=5)
        assert "The record is" in tab.inner_text(".ask .told")
    (path,) = folder.glob("*.match")
    record = read_record(path)
    assert verify(record).agrees
    assert [entrant.name for entrant in record.entrants] == ["low", "human", "low"]
    assert record.branched_from.decision == 4
