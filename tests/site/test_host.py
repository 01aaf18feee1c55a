"""The arena that runs in a page: matches of a person, hints, and the bot that the person writes."""

import asyncio
import json
import shutil
import sys
from base64 import b64decode
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.files import PACKAGE
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.replay import positions, verify
from ballcourt.arena.records.store import read_record
from ballcourt.bots.greedy.bot import GreedyBot
from ballcourt.bots.sdk.python import Session
from ballcourt.bots.sdk.python.main import introduce
from ballcourt.site.host import ADVISER, BOTS, Host, SiteTable, package_of
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.hosted import until

TABLE: SiteTable = {"game": "maya", "options": {}, "seats": [None, "greedy"], "hints": "planner"}
MINE = """
from ballcourt import Bot

class Mine(Bot):
    def choose(self, decision):
        return {choice}
"""
Ask = Callable[..., Awaitable[Any]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder in Python's import path with the bots of `TABLE`."""
    folder = tmp_path / "a site"
    shutil.copytree(PACKAGE / "bots/greedy", folder / BOTS / package_of(1))
    shutil.copytree(PACKAGE / "bots/planner", folder / BOTS / ADVISER)
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == BOTS]:
        del sys.modules[name]


async def _use(home: Path, use: Callable[[Ask, list[tuple[str, Any]]], Awaitable[None]]) -> None:
    """Run a host, and use it by its requests; the list has the events that it sends."""
    events: list[tuple[str, Any]] = []
    host = Host(TABLE, home, lambda event, data: events.append((event, json.loads(data))))

    async def ask(path: str, body: object = None) -> Any:  # noqa: ANN401
        return json.loads(await host.respond(path, json.dumps(body)))

    holding = asyncio.create_task(host.hold())
    await until(lambda: bool(events))
    await use(ask, events)
    holding.cancel()


def _asked(events: list[tuple[str, Any]]) -> Any:  # noqa: ANN401
    return [data for event, data in events if event == "question"][-1]


async def _play(ask: Ask, events: list[tuple[str, Any]]) -> None:
    """Take the first choice until the match is over."""
    while not (asked := _asked(events))["results"]:
        if asked["choices"]:
            action = asked["choices"][0]["action"]
            assert await ask("answer", {"number": asked["number"], "action": action}) == {"answer": None}
        await asyncio.sleep(0)


def _record(home: Path, kept: Any) -> MatchRecord:  # noqa: ANN401
    """Return the record that a person would save."""
    file = home / kept["name"]
    file.write_bytes(b64decode(kept["record"]))
    return read_record(file)


def test_a_person_plays_whole_matches_whose_records_verify(home: Path) -> None:
    async def use(ask: Ask, events: list[tuple[str, Any]]) -> None:
        assert "not over" in (await ask("replay"))["detail"]
        await _play(ask, events)
        first = (await ask("replay"))["answer"]
        assert [view["observer"] for view in first["replays"]] == [None, -1, 0, 1]
        assert verify(_record(home, first)).agrees
        assert [(one.name, one.version) for one in _record(home, first).entrants] == [
            ("human", "person"),
            ("greedy", "3"),
        ]
        count = len(events)
        assert await ask("again") == {"answer": None}
        await until(lambda: len(events) > count and not _asked(events)["results"])
        await _play(ask, events)
        second = (await ask("replay"))["answer"]
        assert _record(home, second).seed != _record(home, first).seed

    asyncio.run(_use(home, use))


def test_hints_and_the_tour_come_as_from_a_server_and_old_questions_are_refused(home: Path) -> None:
    async def use(ask: Ask, events: list[tuple[str, Any]]) -> None:
        asked = _asked(events)
        hint = (await ask("hint", {"number": asked["number"]}))["answer"]
        assert hint["label"] in [choice["label"] for choice in asked["choices"]]
        assert hint["thoughts"].startswith("plans: ")
        assert len((await ask("tour"))["answer"]) > 1
        for path in ("hint", "answer"):
            refused = await ask(path, {"number": asked["number"] - 1, "action": 1})
            assert refused == {"detail": "the question has changed; look again"}
        assert "legal actions are" in (await ask("answer", {"number": asked["number"], "action": 9999}))["detail"]

    asyncio.run(_use(home, use))


def test_a_bot_that_a_person_writes_plays_as_the_same_bot_does_elsewhere(home: Path) -> None:
    """The bot of the page sits where the person does."""

    async def use(ask: Ask, _: list[tuple[str, Any]]) -> None:
        program = (PACKAGE / "bots/greedy/bot.py").read_text()
        shutil.copy(PACKAGE / "bots/greedy/maya.py", home / BOTS / "yours" / "maya.py")
        shutil.copy(PACKAGE / "bots/greedy/ahead.py", home / BOTS / "yours" / "ahead.py")
        kept = (await ask("match", {"program": program, "seed": 7}))["answer"]
        bots = [GreedyBot(), GreedyBot()]
        for bot in bots:
            introduce(bot, PACKAGE / "bots/greedy")
        elsewhere.append((_record(home, kept), bots))

    elsewhere: list[tuple[MatchRecord, list[GreedyBot]]] = []
    (home / BOTS / "yours").mkdir()
    asyncio.run(_use(home, use))
    ((here, bots),) = elsewhere
    there = play_in_process("maya", [Session(bot) for bot in bots], seed=7)
    assert here.entrants[0].name == "yours"
    assert list(here.decisions.actions) == list(there.decisions.actions)
    assert [result.score for result in here.results] == [result.score for result in there.results]


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("x = 1", "bot.py defines 0 subclasses of Bot; it must define one"),
        (MINE.format(choice="1 / 0"), "ZeroDivisionError: division by zero"),
        (MINE.format(choice="decision.legal[0"), "SyntaxError: '[' was never closed"),
        (MINE.format(choice="'first'"), "choose returned 'first' (str); return one of the numbers in decision.legal"),
        (MINE.format(choice="exit('done')"), "SystemExit: done"),
    ],
)
def test_what_is_wrong_with_a_bot_is_told_with_its_line(home: Path, program: str, sentence: str) -> None:
    async def use(ask: Ask, _: list[tuple[str, Any]]) -> None:
        told = (await ask("match", {"program": program, "seed": 1}))["detail"]
        assert sentence in told
        assert str(home) not in told
        better = await ask("match", {"program": MINE.format(choice="decision.legal[0]"), "seed": 1})
        assert "answer" in better, "the next program has nothing of this one"

    asyncio.run(_use(home, use))


def test_modules_of_two_bots_may_have_the_same_name(home: Path) -> None:
    rest = home / BOTS / package_of(1)
    shutil.rmtree(rest)
    rest.mkdir()
    (rest / "bot.py").write_text("from taste import liked\n" + MINE.format(choice="liked(decision.legal)"))
    (rest / "taste.py").write_text("liked = min\n")
    own = home / BOTS / "yours"
    own.mkdir()
    (own / "taste.py").write_text("liked = max\n")

    async def use(ask: Ask, _: list[tuple[str, Any]]) -> None:
        program = "from taste import liked\n" + MINE.format(choice="liked(decision.legal)")
        answer = (await ask("match", {"program": program, "seed": 3}))["answer"]
        record = _record(home, answer)
        made = zip(record.decisions.seats, record.decisions.actions, positions(record), strict=False)
        for seat, action, position in made:
            assert action == (max, min)[seat](position.legal_actions(seat))

    asyncio.run(_use(home, use))
