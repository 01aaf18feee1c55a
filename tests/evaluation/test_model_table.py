"""Seats for models at a table of bots, and the environments for OpenEnv and verifiers that are made of it."""

import json
import re
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.records.replay import verify
from ballcourt.engine.core import WrongInput
from ballcourt.v1.record_pb2 import MatchRecord
from tests.serving import serving

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
Reply = Callable[[int, str], str]
"""What a scripted model answers to a question, by the number of questions that it was asked before."""


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Import an example; it is forgotten afterwards."""
    monkeypatch.syspath_prepend(EXAMPLES)
    yield import_module
    for name in ("model_table", "openenv_table", "verifiers_table"):
        sys.modules.pop(name, None)


def lowest(_: int, question: str) -> str:
    """Choose the first action of the list."""
    first = re.search(r"legal actions:\n(\d+): ", question)
    assert first, question
    return f"I think.\nACTION {first[1]}"


async def played(table: Any, reply: Reply) -> tuple[MatchRecord, list[str]]:  # noqa: ANN401
    """Play a match to its end with scripted models; return the record, and all that they read."""
    texts: list[str] = []
    try:
        while (seat := await table.asked()) is not None:
            rules, question = await table.question(seat)
            texts += [rules, question]
            table.answer(seat, reply(len(texts) // 2 - 1, question))
    finally:
        await table.leave()
    return table.record, texts


@pytest.mark.slow
@pytest.mark.parametrize("seats", [["model", "first-legal"], ["a=model", "first-legal", "b=model"]])
async def test_models_play_whole_matches_against_bots_of_the_arena(
    seats: Sequence[str], load: Callable[[str], Any]
) -> None:
    table = load("model_table").ModelTable("tzolkin", seats, seed=3)
    record, texts = await played(table, lowest)
    assert verify(record).agrees
    assert not record.faults
    assert [entrant.name for entrant in record.entrants] == [name.partition("=")[0] for name in seats]
    assert texts[0].startswith(f"You play Tzolk'in: The Mayan Calendar on seat 0 of {len(seats)}")
    assert {*table.fallbacks.values()} == {0}
    models = [seat for seat, name in enumerate(seats) if "model" in name]
    assert [*table.rewards("points")] == models
    assert table.rewards("points") == {seat: record.results[seat].score for seat in models}
    for seat, reward in table.rewards().items():
        below = [record.results[seat].placement < other.placement for other in record.results]
        tied = [record.results[seat].placement == other.placement for other in record.results]
        assert reward == (sum(below) + (sum(tied) - 1) / 2) / (len(seats) - 1)


@pytest.mark.slow
async def test_a_table_in_disguise_is_played_as_the_real_game(load: Callable[[str], Any]) -> None:
    table = load("model_table").ModelTable("maya", ["model", "first-legal"], seed=3, disguise=5)
    record, texts = await played(table, lowest)
    assert verify(record).agrees
    assert record.game == "maya"
    assert not re.search(r"maya|palenque|\bcorn\b", "\n".join(texts).lower())


@pytest.mark.slow
async def test_a_reply_without_an_action_is_put_to_the_model_twice_and_then_replaced(
    load: Callable[[str], Any],
) -> None:
    module = load("model_table")
    table = module.ModelTable("tzolkin", ["model", "first-legal"], seed=3)
    seat = await table.asked()
    assert "names no action" in table.answer(seat, "no")
    assert "action 277 is not legal" in table.answer(seat, "ACTION 277")
    assert table.fallbacks == {0: 0}
    assert table.answer(seat, "no") == ""
    assert table.fallbacks == {0: 1}
    record, _ = await played(table, lowest)
    assert verify(record).agrees


@pytest.mark.slow
async def test_what_a_model_plans_for_its_turn_is_played_without_another_question(
    load: Callable[[str], Any],
) -> None:
    table = load("model_table").ModelTable("maya", ["model", "first-legal"], seed=3)
    seat = await table.asked()
    _, before = await table.question(seat)
    first, label = re.findall(r"^(\d+): (.*)$", before.rpartition("legal actions:\n")[2], re.MULTILINE)[0]
    table.answer(seat, f"ACTION {first}")
    _, after = await table.question(seat)
    planned = re.findall(r"^\d+: (.*)$", after.rpartition("legal actions:\n")[2], re.MULTILINE)[0]
    await table.leave()
    again = load("model_table").ModelTable("maya", ["model", "first-legal"], seed=3)
    again.answer(await again.asked(), f"ACTION {first} {label}\nTHEN {planned}")
    _, later = await again.question(seat)
    assert later not in (before, after)
    await again.leave()
    assert len(again.record.decisions.actions) > 2


async def test_a_table_without_a_model_is_refused(load: Callable[[str], Any]) -> None:
    with pytest.raises(WrongInput, match="no seat of greedy, random is a model; name one or several of them model"):
        load("model_table").ModelTable("maya", ["greedy", "random"])


@pytest.mark.slow
def test_openenv_plays_an_episode_with_two_seats_of_models(load: Callable[[str], Any]) -> None:
    pytest.importorskip("openenv.core.env_server.interfaces")
    example = load("openenv_table")
    environment = example.TableEnvironment("tzolkin", ["a=model", "first-legal", "b=model"])
    try:
        seen = environment.reset(seed=3)
        seats = set()
        while not seen.done:
            seats.add(seen.seat)
            assert seen.rules.startswith(f"You play Tzolk'in: The Mayan Calendar on seat {seen.seat} of 3")
            seen = environment.step(example.TableAction(text=lowest(0, seen.question)))
        assert seats == {0, 2}
        assert [*seen.rewards] == [0, 2]
        assert seen.reward == sum(seen.rewards.values()) / 2
        record = MatchRecord.FromString(environment.state.record)
        assert verify(record).agrees
        assert environment.state.step_count > 50
        with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
            environment.step(example.TableAction(text="ACTION 1"))
        wrong = environment.reset(seed=4)
        assert wrong.question in environment.step(example.TableAction(text="hm")).question
    finally:
        environment.close()


@pytest.fixture
def endpoint() -> Iterator[str]:
    """Serve a model that always chooses the first action of the list, and streams if it is asked to."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = lowest(0, re.sub(r"\\+n", "\n", json.dumps(body["messages"][-1]["content"])))
            shared = {"id": "1", "created": 1, "model": "m", "object": "chat.completion"}
            message, usage = {"role": "assistant", "content": text}, {"prompt_tokens": 1, "completion_tokens": 1}
            whole = {**shared, "usage": {**usage, "total_tokens": 2}}
            if body.get("stream"):
                parts: list[tuple[dict[str, str], str | None]] = [(message, None), ({}, "stop")]
                lines: list[dict[str, object]] = [
                    {**shared, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
                    for delta, reason in parts
                ]
                lines.append({**whole, "choices": []})
                content = (
                    "".join(f"data: {json.dumps({**line, 'object': 'chat.completion.chunk'})}\n\n" for line in lines)
                    + "data: [DONE]\n\n"
                )
            else:
                content = json.dumps({**whole, "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream" if body.get("stream") else "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content.encode())

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as place:
        yield f"http://{place}/v1"


@pytest.mark.slow
async def test_verifiers_gives_each_seat_a_trace_a_reward_and_the_record(
    load: Callable[[str], Any], endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    vf = pytest.importorskip("verifiers.v1")
    monkeypatch.setenv("MODEL_KEY", "none")
    example = load("verifiers_table")
    chosen = {"id": "verifiers_table", "game": "tzolkin", "bots": ["model", "first-legal", "b=model"], "matches": 1}
    limits = {f"seat{seat}": {"max_turns": 3} for seat in range(4)}
    environment = example.TableEnv(example.TableEnvConfig(taskset=chosen, **limits))
    client = vf.EvalClientConfig(base_url=endpoint, api_key_var="MODEL_KEY")
    async with environment.serving():
        (task,) = environment.taskset
        episode = await environment.run_episode(task, vf.ModelContext(model="m", client=client))
    assert not episode.errors
    assert {trace.agent.name for trace in episode.traces} == {"seat0", "seat2"}
    for trace in episode.traces:
        assert trace.num_turns >= 2
        assert 0 <= trace.rewards["places"].score <= 1
        assert verify(MatchRecord.FromString(b64decode(trace.info["record"]))).agrees
