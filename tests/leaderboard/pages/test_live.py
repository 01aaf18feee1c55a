"""Streams of events: how far a tournament is, and its running matches."""

import asyncio
import json
import multiprocessing
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.sse import ServerSentEvent
from fastapi.testclient import TestClient

from ballcourt.arena.replays.broadcast import BROADCASTS, asked, written
from ballcourt.arena.temporary import scratch_folder
from ballcourt.leaderboard.pages import followed
from ballcourt.leaderboard.pages import live as module
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.followed import Followed
from ballcourt.leaderboard.pages.live import STREAM, Live, add_stream, live_page
from ballcourt.leaderboard.pages.outlooks import Outlooks
from ballcourt.leaderboard.pages.source import source_at
from ballcourt.leaderboard.pages.summaries import Summary
from ballcourt.leaderboard.pages.views import Views
from tests.arena.conftest import PATIENCE_S
from tests.bluff.installed import bluff_installed
from tests.leaderboard.pages.cup import Cup, InstantJudge


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Look for news without a pause."""
    for place, name in ((module, "TICK_S"), (module, "LOG_S"), (followed, "SETTLED_S")):
        monkeypatch.setattr(place, name, 0.0)
    with bluff_installed():
        yield


@pytest.fixture
def killed(tmp_path: Path) -> Cup:
    """Return a tournament whose run ended in the middle of a match."""
    cup = Cup(tmp_path)
    cup.start()
    return cup


@pytest.fixture
def cup(killed: Cup) -> Iterator[Cup]:
    with killed.held():
        yield killed


class Browser:
    """A stream of events as a browser gets it."""

    def __init__(self, stream: AsyncIterator[ServerSentEvent]) -> None:
        self._stream = stream
        self.known = ""

    async def next(self, kind: str) -> Any:  # noqa: ANN401  the data of events differ
        """Return the data of the next event of a kind."""
        async with asyncio.timeout(PATIENCE_S):
            async for event in self._stream:
                self.known = event.id or self.known
                if event.event == kind:
                    return event.data
        raise AssertionError(f"the stream ended without {kind}")


@asynccontextmanager
async def watching(stream: AsyncGenerator[ServerSentEvent]) -> AsyncIterator[Browser]:
    """Watch a stream in a browser, which leaves it in the end."""
    async with aclosing(stream):
        yield Browser(stream)


async def test_a_stream_says_how_far_the_tournament_is_and_who_plays(cup: Cup) -> None:
    async with watching(Live(cup.folder).events(None, "")) as browser:
        now = await browser.next("progress")
        assert [table["match"] for table in now["tables"]] == ["m1"]
        assert now["line"].startswith("0 of 4 matches")
        cup.play()
        now = await browser.next("progress")
        assert now["line"].startswith("1 of 4 matches") and not now["tables"]
        cup.finish()
        assert "is over" in (await browser.next("progress"))["line"]


async def test_no_match_is_being_played_once_its_run_was_killed(killed: Cup) -> None:
    killed.broadcast(2)
    live = ending(killed)
    with killed.held():
        async with watching(live.events("m1", "")) as browser:
            assert (await browser.next("progress"))["tables"]
            await browser.next("match")
    async with watching(live.events("m1", "")) as browser:
        now = await browser.next("progress")
        assert (now["line"], now["tables"], now["more"]) == ("0 of 4 matches; it is not running", [], 0)
        assert await browser.next("state") == Followed.GONE.state()
    assert live_page(live, "m1")  # the next run may play it


async def test_a_stream_says_when_there_are_newer_tables_or_why_there_are_none(cup: Cup) -> None:
    shown = [Summary("before")]
    live = Live(cup.folder, summary=lambda: shown[-1])
    async with watching(live.events(None, "")) as browser:
        assert (await browser.next("progress"))["version"] == "before"
        shown.append(Summary("after"))
        assert (await browser.next("progress"))["version"] == "after"
        shown.append(Summary("after", trouble="the disk is \x1b[31mfull"))
        assert (await browser.next("progress"))["trouble"] == "the disk is \\x1b[31mfull"


async def test_a_match_is_shown_from_its_beginning_and_then_step_by_step(cup: Cup) -> None:
    async with watching(Live(cup.folder).events("m1", "")) as browser:
        await browser.next("progress")
        assert asked(cup.folder / BROADCASTS, "m1").exists() is False  # it is asked for next
        cup.broadcast(2)
        assert len((await browser.next("match"))["steps"]) == 2
        assert asked(cup.folder / BROADCASTS, "m1").exists()
        cup.broadcast(5)
        assert len(await browser.next("steps")) == 3
        cup.broadcast(6)
        cup.play()
        assert len(await browser.next("steps")) == 1
        assert await browser.next("state") == Followed.ENDED.state()
    assert not asked(cup.folder / BROADCASTS, "m1").exists()  # it is not watched any more


async def test_a_browser_that_comes_back_gets_only_what_it_missed(cup: Cup) -> None:
    live = Live(cup.folder)
    async with watching(live.events("m1", "")) as other:
        cup.broadcast(2)
        await other.next("match")
        cup.broadcast(6)
        async with watching(live.events("m1", other.known)) as stream:
            assert len(await stream.next("steps")) == 4


async def judged(browser: Browser, count: int) -> list[int]:
    """Return the numbers of the next decisions before which a position is judged."""
    found: list[int] = []
    while len(found) < count:
        found += [number for number, _ in await browser.next("judged")]
    return found


async def test_a_match_that_is_watched_is_judged_position_by_position_the_newest_first(cup: Cup) -> None:
    live = Live(cup.folder, outlooks=InstantJudge(2))
    async with watching(live.events("m1", "")) as browser:
        cup.broadcast(2)
        assert (await browser.next("match"))["judge"] == "2 playouts"
        cup.broadcast(6)
        assert await judged(browser, 6) == [2, 5, 4, 3, 1, 0]
        async with watching(live.events("m1", "")) as late:
            steps = (await late.next("match"))["steps"]
            assert [step["judged"]["wins"] for step in steps] == [[1.0, 0.0, 0.0]] * 6


async def test_a_browser_that_comes_back_gets_only_the_judgements_that_it_missed(cup: Cup) -> None:
    live = Live(cup.folder, outlooks=InstantJudge(2))
    async with watching(live.events("m1", "")) as other:
        cup.broadcast(6)
        await other.next("match")
        first = await judged(other, 2)
        async with watching(live.events("m1", other.known)) as stream:
            assert {*first, *await judged(stream, 4)} == {0, 1, 2, 3, 4, 5}


async def test_a_position_that_cannot_be_judged_is_left_out(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cup, "seen", lambda _: iter(["right", "right", "wrong", *["right"] * 20]))
    async with watching(Live(cup.folder, outlooks=InstantJudge(2)).events("m1", "")) as browser:
        cup.broadcast(4)
        await browser.next("match")
        assert await judged(browser, 3) == [3, 1, 0]


@pytest.mark.slow
def test_a_judge_whose_process_ends_goes_on_with_another_one(cup: Cup) -> None:
    seen = [*cup.seen()]
    with Outlooks(4) as judge:
        assert sum(judge.ask("bluff", seen[-1]).result(PATIENCE_S)["wins"]) == pytest.approx(1.0)
        for wrong in ("no base64", "AAAA", seen[0][:-8]):
            assert judge.ask("bluff", wrong).exception(PATIENCE_S)
        (process,) = multiprocessing.active_children()
        process.kill()  # as the alarm does if a position takes too long
        process.join()
        with suppress(BrokenProcessPool):  # unless the pool has noticed
            judge.ask("bluff", seen[0]).result(PATIENCE_S)
        assert judge.ask("bluff", seen[0]).result(PATIENCE_S) == judge.ask("bluff", seen[0]).result(PATIENCE_S)


@pytest.mark.parametrize("known", ["", "abc", "12345678.4", "12345678.4.0", "12345678." + "9" * 40, "\u0661.\u0661"])
async def test_a_browser_that_knows_something_else_gets_everything(cup: Cup, known: str) -> None:
    cup.broadcast(4)
    async with watching(Live(cup.folder).events("m1", known)) as stream:
        assert len((await stream.next("match"))["steps"]) == 4


async def test_a_match_that_is_begun_again_is_shown_again(cup: Cup) -> None:
    cup.broadcast(5)
    async with watching(Live(cup.folder).events("m1", "")) as browser:
        await browser.next("match")
        cup.begin()  # its run was killed, and goes on
        cup.start()
        cup.broadcast(1, begins=True)
        assert len((await browser.next("match"))["steps"]) == 1


async def test_a_slow_browser_gets_at_once_what_happened_meanwhile(cup: Cup) -> None:
    live = Live(cup.folder)
    cup.broadcast(0)
    async with aclosing(live.events("m1", "")) as slow, aclosing(live.events("m1", "")) as quick:
        slow_browser, quick_browser = Browser(slow), Browser(quick)
        await slow_browser.next("match")
        await quick_browser.next("match")
        for count in range(1, 7):
            cup.broadcast(count)
            assert len(await quick_browser.next("steps")) == 1
        assert len(await slow_browser.next("steps")) == 6


async def test_a_broadcast_that_breaks_off_says_why(cup: Cup) -> None:
    cup.broadcast(1)
    with written(cup.folder / BROADCASTS, "m1").open("a") as file:
        file.write(json.dumps({"failed": "KeyError: '\u202e'"}) + "\n")
    async with watching(Live(cup.folder).events("m1", "")) as browser:
        await browser.next("match")
        state = await browser.next("state")
        assert (state["name"], state["next"]) == ("refused", "stay")
        assert "its broadcast broke off (KeyError: '\\u202e')" in state["sentence"]


async def test_a_folder_that_cannot_be_written_says_so(cup: Cup) -> None:
    (cup.folder / BROADCASTS).write_text("not a folder")
    async with watching(Live(cup.folder).events("m1", "")) as stream:
        assert "cannot be watched" in (await stream.next("state"))["sentence"]


async def test_streams_end_with_the_server(cup: Cup) -> None:
    closing = iter((False, False, True))
    async with asyncio.timeout(PATIENCE_S):
        assert {event.event async for event in Live(cup.folder, lambda: next(closing)).events("m1", "")} == {
            "progress",
            "state",
        }


def ending(cup: Cup) -> Live:
    """Return a tournament whose streams end after two minutes."""
    give_up = monotonic() + PATIENCE_S
    return Live(cup.folder, lambda: monotonic() > give_up)


def client(live: Live) -> TestClient:
    app = FastAPI()
    add_stream(app, live)
    return TestClient(app)


def last_state(text: str) -> dict[str, Any]:
    """Return the last event of a stream, which has to be a state."""
    *_, event, data = [line for line in text.splitlines() if line]
    assert event == "event: state"
    state: dict[str, Any] = json.loads(data.removeprefix("data: "))
    return state


def test_a_stream_of_a_match_that_is_over_sends_pages_to_its_replay(cup: Cup) -> None:
    cup.play()
    answer = client(ending(cup)).get(f"{STREAM}?match=m1")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert last_state(answer.text) == Followed.ENDED.state()
    assert Followed.ENDED.then == "load"


@pytest.mark.parametrize("match", ["m9", "..", "../m1", "m1/../m1", "x" * 101])
def test_only_matches_that_are_played_here_lead_to_files(cup: Cup, match: str) -> None:
    answer = client(Live(cup.folder)).get(STREAM, params={"match": match})
    assert answer.status_code == 422 or last_state(answer.text)["name"] == "gone"
    assert not (cup.folder / BROADCASTS).exists()


def test_a_match_that_was_stopped_is_gone_until_it_is_played_again(cup: Cup) -> None:
    live = ending(cup)
    stream = f"{STREAM}?match=m1"
    assert live.table("m1")
    for ends in ({"event": "voided", "matches": ["m1"]}, {"event": "stopped", "reason": "it was interrupted"}):
        cup.log(ends)
        assert last_state(client(live).get(stream).text) == Followed.GONE.state()
        assert live_page(live, "m1") is not None
        cup.start()
        cup.broadcast(1)

        async def watch() -> None:
            async with watching(live.events("m1", "")) as again:
                await again.next("match")

        asyncio.run(watch())
    cup.begin()  # its run was killed, and goes on
    assert last_state(client(live).get(stream).text) == Followed.GONE.state()


async def test_there_are_not_more_streams_than_one_process_bears(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_STREAMS", 3)
    live = ending(cup)

    async def first(stream: AsyncIterator[ServerSentEvent]) -> ServerSentEvent:
        return await anext(stream)

    streams = [live.events(None, "") for _ in range(10)]
    events = await asyncio.gather(*map(first, streams))
    assert [event.event for event in events] == ["progress"] * 3 + ["state"] * 7
    assert {event.data["name"] for event in events[3:]} == {"full"}
    assert live.streams == 3
    for stream in streams:
        await stream.aclose()
    assert live.streams == 0


def test_a_link_to_a_match_leads_to_it_in_all_its_states(cup: Cup, tmp_path: Path) -> None:
    with scratch_folder() as scratch:
        source = source_at(str(cup.folder), scratch)
        with source.opened() as database:
            views, live = Views(source, database, Summary("1", "2026-11-22T18:30:05Z")), Live(cup.folder)
            client = TestClient(create_app(views, live), base_url="http://127.0.0.1:8000")

            def page(key: str = "m1") -> tuple[str, str]:
                """Return what kind of page there is, and its text."""
                text = client.get(f"/matches/{key}").text
                kinds = {
                    f'data-stream="{STREAM}?match=m1"': "live",
                    'id="replays">H4': "replay",
                    "Page not found": "none",
                }
                return next(kind for part, kind in kinds.items() if part in text), text

            assert page()[0] == "live"
            cup.play()  # the database lacks it
            assert page()[0] == "replay" and Followed.ENDED.sentence in page()[1]
            source.fill(database)
            assert page()[0] == "replay" and Followed.ENDED.sentence not in page()[1]
            (cup.folder / "records" / "m1.match").unlink()
            source.fill(database)
            cup.log({"event": "voided", "matches": ["m1"]})
            assert page()[0] == "live"
            assert page("m2")[0] == page("..%2fm1")[0] == "none"


def test_the_front_shows_the_board_of_a_match_that_is_being_played(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ballcourt.leaderboard.pages.live.LOG_S", 0.0)
    with scratch_folder() as scratch:
        source = source_at(str(cup.folder), scratch)
        with source.opened() as database:
            views, live = Views(source, database, Summary("1", "2026-11-22T18:30:05Z")), Live(cup.folder)
            client = TestClient(create_app(views, live), base_url="http://127.0.0.1:8000")
            page = client.get("/").text
            assert 'src="/embed/m1?bare"' in page and 'data-running="m1">Being played' in page
            assert client.get("/embed/m1?bare").status_code == 200
            cup.play()
            assert "iframe" not in client.get("/").text  # no match counts yet, so there is no last one
