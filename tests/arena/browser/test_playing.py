"""A person who plays in a browser: a whole match by clicking, and what the server refuses."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from httpx2 import ASGITransport as Transport
from httpx2 import AsyncClient as Http

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.browser.personal import PersonalView
from ballcourt.arena.browser.playing import Table, stream, table_app
from ballcourt.arena.match.person import PendingQuestion, Person, PersonSeat
from ballcourt.arena.match.referee import Match
from ballcourt.arena.match.scripted_seats import ScriptedSeat
from ballcourt.arena.match.seats import Answer
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import read_record
from ballcourt.arena.replays.document import Document
from ballcourt.arena.replays.page import STATIC
from ballcourt.arena.replays.view import scene_at
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import MatchStart
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord
from tests.arena.conftest import PATIENCE_S, bounded, wait_until
from tests.browser import barriers, chromium, new_tab

SPEC = MatchSpec(
    "m1",
    "bluff",
    {"rounds": "3"},
    987654321987,
    (Entrant(BotVersion("anna", "person")), Entrant(BotVersion("low", "1"))),
)
MATCH_S = 300.0
"""How long a whole match by clicking may take, in seconds."""
BEGIN_A_TURN = """() => {
  if (document.querySelector(".undo:not([hidden])")) return true;
  document.querySelector(".choices button:not(:disabled)")?.click();
}"""
TAKE_SOME_TURNS = """() => {
  if (document.querySelectorAll("li[data-step]").length > 12) return true;
  document.querySelector(".choices button:not(:disabled)")?.click();
}"""
OWN_PLACE = """() => {
  const labels = Array.from(document.querySelectorAll(".choices .label"), (label) => label.textContent);
  const titles = Array.from(document.querySelectorAll("svg .offer title"), (title) => title.textContent);
  return titles.findIndex((title) => labels.includes(title));
}"""
"""Returns the number of the first thing on the board that is offered by one choice alone; -1 if there is none."""
TAKE_UNTIL_A_PLACE_IS_OFFERED = f"""() => {{
  if (({OWN_PLACE})() >= 0) return true;
  document.querySelector(".choices button:not(:disabled)")?.click();
}}"""
OFFER_THREE = """async () => {
  const { Offers } = await import("/offers.js");
  const { svg } = await import("/elements.js");
  const map = document.querySelector("aside").appendChild(svg("svg"));
  const outline = (thing, attributes) => (thing === "purse" ? null : [map, svg("circle", attributes)]);
  const about = (action, label, places, things, text = "") => ({ action, label, places, things, text, section: "" });
  const choices = [
    about(1, "Pay", ["shop"], ["purse"], "Your money is gone."),
    about(2, "Borrow", ["shop"], ["hand"]),
    about(3, "Leave", [], []),
  ];
  const buttons = document.querySelector("[data-part=players]");
  new Offers(buttons, choices, { outline }, (action) => (window.chosen = action));
}"""
CLICK_SHOP = "() => document.querySelector('[data-offer=shop]').dispatchEvent(new MouseEvent('click'))"
FINISH = """() => {
  if (document.querySelector(".choices .sheet")) return true;
  document.querySelector(".choices button:not(:disabled)")?.click();
}"""


PLAY = ("play", "--browser")
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "bypass_csp": True}


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Serve a match or its analysis; yield the address and the process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ballcourt", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with bounded(process, MATCH_S):
        assert process.stdout
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", process.stdout.readline())
        assert found
        yield found[0], process


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Serve a match of Tzolk'in for a person and a bot; yield the address and the folder of records."""
    match = *PLAY, "tzolkin", "human", "random", "--seed", "7"
    with serving(*match, "--port", "0", "--record-dir", str(tmp_path)) as (address, process):
        yield address, tmp_path
        assert process.wait() == 0


@pytest.mark.slow
def test_an_open_page_goes_on_when_its_match_is_continued_and_says_when_another_is_played(tmp_path: Path) -> None:
    match = *PLAY, "maya", "human", "random", "--seed", "7", "--record-dir", str(tmp_path)
    with chromium() as browser:
        tab = browser.new_page()
        tab.set_default_timeout(300_000)
        with serving(*match, "--port", "0") as (address, process):
            tab.goto(address)
            tab.wait_for_function(TAKE_SOME_TURNS, polling=5)
            process.kill()
        tab.wait_for_function("() => document.querySelector('.ask .notice').textContent.includes('does not answer')")
        (saved,) = tmp_path.glob("*.saved")
        port = str(urlsplit(address).port)
        with serving(*PLAY, "--resume", str(saved), "--port", port) as (again, process):
            assert again == address
            tab.wait_for_function("() => document.querySelector('.ask .notice').textContent === ''")
            tab.wait_for_selector(".choices button:not(:disabled)")
            assert tab.locator("li[data-step]").count() >= 6, "its first part is there"
            process.kill()
        with serving(*match, "--port", port) as (_, process):
            tab.wait_for_function("() => document.querySelector('.ask .notice').textContent.includes('has moved')")
            process.kill()


@pytest.mark.gate
@pytest.mark.slow
def test_a_person_plays_a_whole_match_by_clicking(served: tuple[str, Path]) -> None:
    address, folder = served
    with new_tab(**PHONE) as tab:
        tab.goto(address)
        tab.wait_for_selector(".choices button")
        tab.get_by_role("button", name="Hint").click()
        tab.get_by_text("would choose").wait_for()
        tab.wait_for_function(TAKE_UNTIL_A_PLACE_IS_OFFERED, polling=5)
        _click_a_place(tab)
        tab.wait_for_function(BEGIN_A_TURN, polling=5)
        tab.click(".undo")
        tab.wait_for_selector(".undo", state="hidden")
        tab.keyboard.press("1")  # the first choice
        tab.reload()  # nothing is lost
        tab.wait_for_selector(".undo")
        assert barriers(tab) == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
        tab.wait_for_function(FINISH, polling=5, timeout=1000 * MATCH_S)
        text = tab.inner_text(".ask")
        with tab.expect_popup() as watched:
            tab.get_by_role("link", name="Watch it").click()
        watched.value.wait_for_selector(".player")
        tab.goto("about:blank")  # the server ends with its page
    assert wait_until(lambda: not list(folder.glob("*.saved"))), "it is removed once the record is written"
    (path,) = folder.glob("*.match")
    record = read_record(path)
    assert verify(record).agrees
    assert [entrant.name for entrant in record.entrants] == ["human", "random"]
    assert "human" in text


def _click_a_place(tab: Any) -> None:  # noqa: ANN401
    """Answer on the board, where nothing may cover what is offered; the button says what it is about."""
    ring = tab.locator("svg .offer").nth(tab.evaluate(OWN_PLACE))
    label = ring.locator("title").text_content()
    tab.locator(".choices button", has=tab.get_by_text(label, exact=True)).focus()
    assert "pointed" in ring.get_attribute("class")
    tab.keyboard.press("Home")
    assert not ring.is_visible(), "an earlier position is shown"
    tab.keyboard.press("End")
    ring.click()
    tab.wait_for_function("label => document.querySelector('.made strong')?.textContent === label", arg=label)


@pytest.mark.slow
def test_a_thing_on_the_board_takes_its_only_choice_or_leaves_only_its_choices() -> None:
    with chromium() as browser:
        tab = browser.new_page()
        tab.route("http://viewer.test/**", lambda route: route.fulfill(path=STATIC / Path(route.request.url).name))
        tab.goto("http://viewer.test/page.html")
        tab.evaluate(OFFER_THREE)
        quote = "async () => (await import('/elements.js')).quoted('why\\r\\n<b>not\\u001b').innerHTML"
        assert tab.evaluate(quote) == "why<br>&lt;b&gt;not\\u001b", "thoughts keep their lines and nothing else"
        names = "() => [...document.querySelectorAll('aside button')].map((one) => one.firstChild.textContent)"
        rings = "() => [...document.querySelectorAll('.offer')].map((ring) => ring.dataset.offer)"
        assert tab.evaluate(names) == ["Pay", "Borrow", "Leave"]
        assert tab.evaluate(rings) == ["shop", "hand"], "the board does not show the purse"
        assert tab.get_by_text("Your money is gone.").is_visible()
        tab.evaluate(CLICK_SHOP)
        assert tab.evaluate(names) == ["Pay", "Borrow", "Show all"]
        assert tab.evaluate(rings) == ["shop", "hand"]
        tab.get_by_role("button", name="Show all").click()
        assert tab.evaluate(names) == ["Pay", "Borrow", "Leave"]
        tab.get_by_role("button", name="Borrow").click()
        assert tab.evaluate("() => window.chosen") == 2


class _Adviser:
    """Gives hints without a process."""

    name = "sage"
    answers = Answer(2, thoughts="because")

    async def advise(self, start: MatchStart, question: PendingQuestion) -> Answer:
        assert start.seat == 0
        assert question.legal == (1, 2, 3)
        return self.answers


async def _at_the_table(
    use: Callable[[Http, PersonalView], Awaitable[None]],
    game: str = "bluff",
    adviser: Any = None,  # noqa: ANN401
) -> None:
    """Play with a person and a bot until `use` is done, which is called with the first question."""
    asked = asyncio.Event()
    person = Person(find_game(game), "anna", lambda: view.changed())
    bot = ScriptedSeat(lambda decide: Answer(decide.legal[0]))
    spec = SPEC if game == "bluff" else replace(SPEC, game=game, options={})
    match = Match(person.game, spec, [PersonSeat(person), bot])
    view = PersonalView(spec, person, match.so_far(), asked.set, adviser)
    playing = asyncio.create_task(match.play())
    await asyncio.wait_for(asked.wait(), PATIENCE_S)
    app = table_app(Table("secret", lambda: view, lambda _: False), "/")
    async with Http(transport=Transport(app=app), base_url="http://127.0.0.1") as http:
        await asyncio.wait_for(use(http, view), PATIENCE_S)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


async def _answer(http: Http, token: str = "secret", **given: Any) -> int:  # noqa: ANN401
    answer = await http.post("/answer", json=given, headers={"X-Token": token})
    return int(answer.status_code)


def test_an_answer_changes_what_the_person_sees() -> None:
    async def use(http: Http, view: PersonalView) -> None:
        assert [choice["label"] for choice in view.question()["choices"]] == ["Bid 1", "Bid 2", "Bid 3"]
        left_s = view.question()["left_s"]
        assert left_s is not None
        assert 0 <= left_s <= SPEC.clock.cap_ms / 1000
        before = len(view.steps)
        assert await _answer(http, number=view.number, action=2) == 204
        assert [step["label"] for step in view.steps[before:]] == ["Bid 2"]

    asyncio.run(_at_the_table(use))


def test_an_action_needs_the_token_and_the_question_as_it_is() -> None:
    async def use(http: Http, view: PersonalView) -> None:
        question = view.question()
        assert await _answer(http, "", number=view.number, action=2) == 403
        assert await _answer(http, "wrong", number=view.number, action=2) == 403
        assert await _answer(http, number=view.number - 1, action=2) == 409
        assert await _answer(http, number=view.number, action=None) == 409  # there is nothing to undo
        assert await _answer(http, number=view.number, action=9) == 422
        assert await _answer(http, number=view.number, action="x" * 2000) == 413
        assert (await http.post("/answer", content="number=1", headers={"X-Token": "secret"})).status_code == 422
        for address in ("/", "/?token=wrong", "/stream"):
            assert (await http.get(address)).status_code == 403
        assert view.question()["choices"] == question["choices"]
        page = await http.get("/?token=secret")
        assert page.headers["Cache-Control"] == "no-store"
        assert "'unsafe" not in page.headers["Content-Security-Policy"]

    asyncio.run(_at_the_table(use))


async def _hint(http: Http, number: int) -> tuple[int, Any]:
    answer = await http.post("/hint", json={"number": number}, headers={"X-Token": "secret"})
    return int(answer.status_code), answer.json()


def test_an_adviser_gives_hints_on_the_question_that_is_asked() -> None:
    adviser = _Adviser()

    async def use(http: Http, view: PersonalView) -> None:
        assert view.question()["adviser"] == "sage"
        assert await _hint(http, view.number) == (200, {"label": "Bid 2", "thoughts": "because"})
        adviser.answers = Answer(9)
        assert (await _hint(http, view.number))[1]["label"] == "", "it is not legal"
        assert (await _hint(http, view.number - 1))[0] == 409
        assert (await http.post("/hint", json={"number": view.number})).status_code == 403

    asyncio.run(_at_the_table(use, adviser=adviser))


def test_without_an_adviser_a_hint_is_refused_in_a_sentence() -> None:
    async def use(http: Http, view: PersonalView) -> None:
        status, answer = await _hint(http, view.number)
        assert (status, view.question()["adviser"]) == (409, "")
        assert "--hints BOT" in answer["detail"]

    asyncio.run(_at_the_table(use))


def test_answers_are_explained_and_lead_to_their_rule_and_a_tour_shows_the_board() -> None:
    async def use(http: Http, view: PersonalView) -> None:
        first = view.question()["choices"][0]
        assert first["text"].startswith("You begin with the resources")
        assert first["things"] == ["summary.1"]
        rules = await http.get("/rules?token=secret")
        assert f'id="s{first["section"]}"' in rules.text
        assert "'unsafe" not in rules.headers["Content-Security-Policy"]
        assert [lesson["title"] for lesson in (await http.get("/tour?token=secret")).json()][1] == "Two secret cards"
        for address in ("/rules", "/tour?token=wrong"):
            assert (await http.get(address)).status_code == 403

    asyncio.run(_at_the_table(use, "ahau"))


def test_the_page_holds_nothing_that_the_seat_does_not_know() -> None:
    async def use(http: Http, view: PersonalView) -> None:
        assert view.document is not None
        assert view.document["observer"] == 0
        assert str(SPEC.seed) not in str([view.document, view.steps, view.question()])

    asyncio.run(_at_the_table(use))


def _seen_at_the_end(game: str, answers: int = 10**6, begun: MatchRecord | None = None) -> tuple[Document, Any]:
    """Play the lowest actions for a person and a bot, until the person has answered so often; return what is seen."""
    rules, spec = find_game(game), MatchSpec("m1", game, {}, 5, SPEC.entrants)

    async def play() -> tuple[Document, Any]:
        seats = [PersonSeat(person), ScriptedSeat(lambda decide: Answer(decide.legal[0]))]
        match = Match(rules, spec, seats)
        if begun:
            match.resume(begun)
        views.append(PersonalView(spec, person, match.so_far(), lambda: asked.put_nowait(None)))
        playing = asyncio.create_task(match.play())
        for _ in range(answers):
            await asyncio.wait((playing, next_one := asyncio.create_task(asked.get())), return_when="FIRST_COMPLETED")
            next_one.cancel()
            while person.question and not playing.done():
                views[0].act(person.question.legal[0])
            if playing.done():
                break
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        assert views[0].document is not None
        return views[0].document, match.so_far()

    asked: asyncio.Queue[None] = asyncio.Queue()
    views: list[PersonalView] = []
    person = Person(rules, "anna", lambda: views[0].changed())
    return asyncio.run(play())


def _last_scene(shown: Document) -> Any:  # noqa: ANN401
    """Carry out the steps of a document, as its page does."""
    scene = deepcopy(shown["first"])
    for path, *value in (op for step in shown["steps"] for op in step["ops"]):
        place: Any = scene
        for name in path[:-1]:
            place = place[name]
        if value:
            if isinstance(place, list) and path[-1] == len(place):
                place.append(value[0])
            else:
                place[path[-1]] = value[0]
        else:
            del place[path[-1]]
    return scene


@pytest.mark.slow
@pytest.mark.parametrize("game", ["ahau", "maya", "tzolkin"])
def test_the_last_step_shows_the_final_position(game: str) -> None:
    """Where the decision of the person is the last, too, as in this match of Ahau and of Maya."""
    shown, record = _seen_at_the_end(game)
    assert len(shown["steps"]) == len(record.decisions.seats)
    last = scene_at(record, len(record.decisions.seats), 0)
    del last["sources"]  # a seat is not sent them while the match goes on
    assert _last_scene(shown) == last


def test_what_the_rules_forced_on_the_person_is_marked() -> None:
    """What the others did before it is therefore still told afterwards."""
    shown, record = _seen_at_the_end("maya")
    forced = [by == DecidedBy.DECIDED_BY_RULES for by in record.decisions.decided_by]
    own = [number for number, seat in enumerate(record.decisions.seats) if seat == 0]
    assert [shown["steps"][number]["by"] == "rules" for number in own] == [forced[number] for number in own]
    assert any(forced[number] for number in own)


def test_a_match_that_is_continued_begins_with_its_first_part() -> None:
    shown, record = _seen_at_the_end("maya", answers=3)
    continued, _ = _seen_at_the_end("maya", answers=1, begun=record)
    number = len(record.decisions.seats)
    assert [step["action"] for step in continued["steps"][:number]] == [
        step["action"] for step in shown["steps"][:number]
    ]
    assert continued["first"] == shown["first"]
    assert len(continued["steps"]) > number


class _GrowingView:
    """What a stream reads of a view."""

    edition = "first"
    number = 1

    def __init__(self) -> None:
        self.document: dict[str, Any] = {"match": "m1"}
        self.steps = ["one"]

    def question(self) -> dict[str, Any]:
        return {"number": self.number}


def _stream(view: Any, is_closing: Callable[[], bool]) -> Any:  # noqa: ANN401
    return stream(view, Table("secret", lambda: view, lambda _: is_closing()))


async def test_steps_that_come_while_an_event_is_sent_are_sent_next() -> None:
    view = _GrowingView()
    stream = _stream(view, lambda: False)
    async with asyncio.timeout(PATIENCE_S):
        events = [await anext(stream)]
        view.steps.append("two")
        view.number = 2
        events += [await anext(stream) for _ in range(3)]
    assert [event.data for event in events] == [
        {"match": "m1", "steps": ["one"]},
        {"number": 1},
        ["two"],
        {"number": 2},
    ]


async def test_the_last_steps_are_sent_before_the_end() -> None:
    view = _GrowingView()
    is_over = False
    stream = _stream(view, lambda: is_over)
    async with asyncio.timeout(300):
        events = [await anext(stream) for _ in range(2)]
        view.steps.append("last")
        is_over = True
        events += [event async for event in stream]
    assert [event.event for event in events] == ["match", "question", "steps", "question", "question", "end"]
