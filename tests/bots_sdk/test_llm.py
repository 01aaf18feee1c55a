"""The bot `llm` against endpoints on this machine, honest and not."""

import itertools
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from ballcourt.arena.match.in_process import UNLIMITED, play_in_process
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.records.decisions import answered, own_share
from ballcourt.arena.records.replay import positions
from ballcourt.bots.llm.answers import action_in, planned_in, spoken
from ballcourt.bots.llm.bot import PATIENCE_S as PATIENCE
from ballcourt.bots.llm.bot import LlmBot, Planned
from ballcourt.bots.llm.endpoint import MOST_BYTES, Endpoint, EndpointRefuses
from ballcourt.bots.llm.settings import Settings, SettingsError, read_settings
from ballcourt.bots.sdk.python.session import Session
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.view.wording import Wording
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import ArenaMessage, Decide, MatchStart, Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import PATIENCE_S, bluff_is_installed  # noqa: F401
from tests.bluff import GAME as BLUFF
from tests.bots.honest import Lowest
from tests.serving import serving

KEY = "sk-verysecret-0123456789"
QUICK = Clock(bank_ms=10**6, cap_ms=1500, grace_ms=30_000)
"""Time for a decision that a slow endpoint uses up. With the grace, a slow machine is not a fault of the bot."""
Answer = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


def reply(handler: BaseHTTPRequestHandler, content: bytes, status: int = 200) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)


def completion(text: str, usage: tuple[int, int] | None = (100, 10), **more: str) -> bytes:
    counted = {"usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]}} if usage else {}
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text, **more}}], **counted}).encode()


def saying(*texts: str, usage: tuple[int, int] | None = (100, 10)) -> Answer:
    """Return an endpoint that says these one after another, then the last one for ever."""
    left = [*texts]

    def answer(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        reply(handler, completion(left.pop(0) if len(left) > 1 else left[0], usage))

    return answer


@contextmanager
def endpoint(answer: Answer) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve on a free port; yield the address, and the list of requests so far."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append({**body, "path": self.path, "authorization": self.headers["Authorization"]})
            answer(self, body)

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *_: object) -> None:
            """Stay silent: bots hang up."""

    with serving(Server(("127.0.0.1", 0), Handler)) as place:
        yield f"http://{place}/v1", requests


def settings_for(url: str, tokens: int = 10**6) -> Settings:
    return Settings(url, KEY, "tiny", temperature=0.5, tokens=tokens, reply_tokens=1000, price_in=1.0, price_out=2.0)


def play(
    answer: Answer, clock: Clock = UNLIMITED, tokens: int = 10**6, rounds: int = 3
) -> tuple[MatchRecord, list[dict[str, Any]]]:
    """Play bluff with the bot in seat 0; return the record, and what the endpoint was asked."""
    with endpoint(answer) as (url, requests):
        settings = settings_for(url, tokens)
        bots = [Session(LlmBot(settings, Endpoint(settings))), Session(Lowest())]
        return play_in_process("bluff", bots, clock=clock, options={"rounds": str(rounds)}), requests


def lost_nothing_before_its_end(record: MatchRecord) -> bool:
    """Whether the bot answered every question, though most were decided for it, which counts when the game is over."""
    ends = [(fault.termination, fault.decision) for fault in record.faults]
    return ends == [(Termination.TERMINATION_FALLBACK, len(record.decisions.actions))]


def own(record: MatchRecord) -> list[int]:
    return list(record.decisions.actions)[::2]


@pytest.mark.parametrize(
    "spelt",
    [
        'a "key"/1',
        'a \\"key\\"/1',
        "a%20%22key%22%2F1",
        "a+%22key%22%2F1",
        "YSAia2V5Ii8x",
        "me:p%40ss",
        "me:p@ss",
        "p@ss",
        "bWU6cEBzcw",
    ],
)
def test_no_spelling_of_a_secret_is_shown(spelt: str) -> None:
    settings = Settings("http://me:p%40ss@host/v1", 'a "key"/1', "tiny", 0.5, 9, 9, 1.0, 2.0)
    assert settings.redact(f"the endpoint said {spelt}=.") == "the endpoint said ***=."


def test_a_model_is_asked_with_rules_first_and_the_position_last() -> None:
    record, requests = play(saying("I bluff.\nACTION 3"))
    assert own(record) == [3, 3, 3]
    assert len(requests) == 3
    first, second = (request["messages"] for request in requests[:2])
    assert requests[0]["path"] == "/v1/chat/completions"
    assert (requests[0]["model"], requests[0]["temperature"]) == ("tiny", 0.5)
    assert requests[0]["authorization"] == f"Bearer {KEY}"
    assert first[0] == second[0], "what never changes can be cached"
    assert first[0]["content"].startswith("You play Bluff on seat 0 of 2")
    assert "legal actions:\n1: Bid 1\n2: Bid 2\n3: Bid 3" in first[1]["content"]
    assert len(second) == 2, "no transcript grows"


def test_thoughts_hold_the_reasoning_and_the_tokens_and_the_cost_of_the_match() -> None:
    record, _ = play(saying("Twos are safe.\nACTION 2"))
    thoughts = [record.decisions.thoughts[number] for number in (0, 4)]
    first = thoughts[0].splitlines()
    assert first[0] == "tokens 100 in, 10 out; match 100 in, 10 out, cost 0.0001"
    assert first[2:] == ["Twos are safe.", "ACTION 2"]
    assert thoughts[1].startswith("tokens 100 in, 10 out; match 300 in, 30 out, cost 0.0004")


def test_the_first_thoughts_of_a_match_name_its_prompts_and_settings_by_a_hash() -> None:
    settings = settings_for("http://host/v1")
    declared = settings.declared(["format", "how to answer"])
    assert re.fullmatch(
        r"prompts and settings [0-9a-f]{16}: model tiny, temperature 0.5, tokens 1000000, reply_tokens 1000", declared
    )
    other = [
        replace(settings, disguise=7).declared(["format", "how to answer"]),
        replace(settings, temperature=0.0).declared(["format", "how to answer"]),
        settings.declared(["format", "how to cheat"]),
    ]
    assert len({line[:37] for line in (declared, *other)}) == 4
    assert replace(settings, api_key="another").declared(["format", "how to answer"]) == declared
    record, _ = play(saying("ACTION 2"))
    own_thoughts = [record.decisions.thoughts[number] for number in (0, 2)]
    assert own_thoughts[0].splitlines()[1].startswith("prompts and settings ")
    assert "prompts and settings" not in own_thoughts[1]


def test_a_model_in_disguise_reads_other_names_and_numbers_and_plays_the_real_game() -> None:
    asked: list[str] = []

    def lowest(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        asked.extend(message["content"] for message in body["messages"])
        numbers = re.findall(
            r"^(\d+): ", body["messages"][-1]["content"].rpartition("legal actions:\n")[2], re.MULTILINE
        )
        assert [*map(int, numbers)] == sorted(map(int, numbers))
        reply(handler, completion(f"ACTION {numbers[0]}"))

    with endpoint(lowest) as (url, _):
        settings = replace(settings_for(url), disguise=3)
        bots = [Session(LlmBot(settings, Endpoint(settings))), Session(Lowest())]
        record = play_in_process("bluff", bots)
    assert "bluff" not in "\n".join(asked).lower()
    wording = Wording(find_game("bluff"), 3)
    (number,) = {min(map(wording.shown, (1, 2, 3)))}
    assert own(record) == [wording.meant(number)] * 3
    assert "disguise 3" in record.decisions.thoughts[0]


def test_a_fallback_in_disguise_is_the_lowest_legal_action_of_the_game() -> None:
    with endpoint(saying("no")) as (url, _):
        settings = replace(settings_for(url), disguise=3)
        record = play_in_process("bluff", [Session(LlmBot(settings, Endpoint(settings))), Session(Lowest())])
    assert own(record) == [1, 1, 1]


@pytest.mark.parametrize("seed", ["-1", "x", "1.5", "18446744073709551616"])
def test_a_disguise_needs_a_seed(seed: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=f"LLM_DISGUISE is '{seed}'; it must be a seed, a whole number from 0 to"):
        read_settings({"OPENAI_MODEL": "m", "LLM_DISGUISE": seed}, tmp_path)
    given = read_settings({"OPENAI_MODEL": "m"}, tmp_path, ["--disguise", "7"])
    assert given.disguise == 7


def test_tokens_are_estimated_where_the_endpoint_does_not_count() -> None:
    record, requests = play(saying("ACTION 1", usage=None))
    sent = sum(-(-len(message["content"]) // 3) for message in requests[0]["messages"])
    assert record.decisions.thoughts[0].startswith(f"tokens {sent} in, 3 out;")


@pytest.mark.parametrize(
    ("nonsense", "reason"),
    [("ACTION 9", "action 9 is not legal"), ("I pass.", "the reply names no action in its last line")],
)
def test_an_illegal_reply_is_put_to_the_model_with_the_reason(nonsense: str, reason: str) -> None:
    record, requests = play(saying(nonsense, "ACTION 2"))
    assert own(record) == [2, 2, 2]
    assert [message["role"] for message in requests[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert requests[1]["messages"][2]["content"] == nonsense
    assert requests[1]["messages"][3]["content"].startswith(reason)
    assert "tokens 200 in, 20 out" in record.decisions.thoughts[0]


def test_a_model_may_answer_the_questions_of_a_whole_turn_at_once() -> None:
    expected = play_in_process("maya", [Session(Lowest()), Session(Lowest())], seed=1)
    maya, turn = find_game("maya"), []
    for seat, action, state in zip(
        expected.decisions.seats, expected.decisions.actions, positions(expected), strict=False
    ):
        if seat == 1:
            break
        turn.append(maya.choice(state, 0, action)["label"])
    asked = 0

    def answer(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        nonlocal asked
        asked += 1
        lowest = re.search(r"^legal actions:\n(\d+)", body["messages"][-1]["content"], re.MULTILINE)
        later = ["", *turn[1:-1], "no such action"] if asked == 1 else []
        assert lowest
        reply(handler, completion(f"Then I think.\nACTION {lowest[1]}" + "\nTHEN ".join(later)))

    with endpoint(answer) as (url, requests):
        settings = settings_for(url)
        record = play_in_process("maya", [Session(LlmBot(settings, Endpoint(settings))), Session(Lowest())], seed=1)
    assert record.decisions.actions == expected.decisions.actions
    own_decisions = answered(record, 0)
    assert len(turn) > 3
    assert len(requests) == len(own_decisions) - len(turn[1:-1]), "what comes next is asked again"
    assert "\nas planned: " in record.decisions.thoughts[own_decisions[1]]
    assert own_share(record, 0) == 1


@pytest.mark.parametrize(
    ("reply", "planned"),
    [
        ("ACTION 1\nTHEN At E7\n\n- THEN: **Stop planting**\n", ["At E7", "Stop planting**"]),
        ("THEN At E7\nACTION 1", []),
        ("Then I win.\nACTION 1\nThen I rest.", []),
        ("ACTION 1" + "\nTHEN again" * 99, ["again"] * 20),
    ],
)
def test_answers_to_later_questions_stand_at_the_end_of_a_reply(reply: str, planned: list[str]) -> None:
    assert planned_in(reply) == planned


def test_a_planned_answer_is_played_only_if_it_means_one_legal_action_of_the_same_turn() -> None:
    turn, choices = (1, "", 0), {4: "At E7", 5: "At E8", 6: "Take action 1: 2 corn", 7: "Take action 1: 2 corn, 1 gold"}
    for answer, meant in (("e7", 4), ("**at E8**", 5), ("at", None), ("take action 1: 2 corn", 6), ("F1", None)):
        assert Planned(turn, [answer]).next(turn, choices) == meant
    assert Planned(turn, ["e7"]).next((2, "", 0), choices) is None
    assert Planned(None, ["e7"]).next(None, choices) is None, "nothing says whose turn it is"


def test_what_the_arena_rejected_is_put_to_the_model_with_the_reason() -> None:
    start = MatchStart(match_id="m", game="bluff", seats=2, clock=UNLIMITED.to_message())
    seen = Encoder(BLUFF.wire()).encode(BLUFF.initial_state(2, 1), 0)
    again = Decide(observation=seen, legal=[1, 2, 3], limit_ms=10**6, rejected="action 7 is not legal")
    with endpoint(saying("ACTION 2")) as (url, requests):
        settings = settings_for(url)
        session = Session(LlmBot(settings, Endpoint(settings)))
        session.handle(ArenaMessage(match_start=start))
        reply = session.handle(ArenaMessage(decide=again))
    assert reply
    assert reply.action.action == 2
    assert "your last answer was rejected: action 7 is not legal\n" in requests[0]["messages"][1]["content"]


def test_a_model_that_keeps_talking_nonsense_is_asked_three_times_and_replaced() -> None:
    record, requests = play(saying("no"))
    assert len(requests) == 3 * 3
    assert own(record) == [1, 1, 1]
    assert "the lowest legal action is played: the reply names no action" in record.decisions.thoughts[0]
    assert own_share(record, 0) == 0
    assert lost_nothing_before_its_end(record)


def broken_off(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices"')
    handler.close_connection = True


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (broken_off, "the connection to the endpoint broke off"),
        (lambda handler, _: reply(handler, b"busy", 429), r"the endpoint answered with status 429 \(busy\)"),
        (lambda handler, _: reply(handler, b"", 500), "the endpoint answered with status 500"),
        (lambda handler, _: reply(handler, b"\xff\x00"), "something that is not a completion"),
        (lambda handler, _: reply(handler, b"[" * 100_000), "something that is not a completion"),
        (lambda handler, _: reply(handler, b'{"choices": []}'), "something that is not a completion"),
        (lambda handler, _: reply(handler, b" " * (MOST_BYTES + 1)), "sent more than 1048576 bytes"),
    ],
)
def test_an_endpoint_that_fails_costs_a_decision_and_not_the_seat(
    answer: Answer, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ballcourt.bots.llm.bot.PAUSE_S", 0.0)
    record, _ = play(answer)
    assert own(record) == [1, 1, 1]
    assert lost_nothing_before_its_end(record)
    assert re.search(reason, record.decisions.thoughts[0])


def whole(choice: dict[str, Any]) -> Answer:
    """Return an endpoint that answers with this choice."""
    return lambda handler, _: reply(handler, json.dumps({"choices": [choice]}).encode())


THOUGHT = [{"type": "thinking", "thinking": [{"type": "text", "text": "3?"}]}, {"type": "text", "text": "ACTION 2"}]


@pytest.mark.parametrize(
    ("answer", "action", "reason"),
    [
        (
            whole({"finish_reason": "length", "message": {"content": "ACTION 3"}}),
            *(1, "the reply was cut off after 1000 tokens; give more with LLM_REPLY_TOKENS"),
        ),
        (
            whole({"message": {"content": "", "reasoning": "ACTION 3"}}),
            *(1, "the reply has no text, only reasoning"),
        ),
        (
            whole({"message": {"content": None, "refusal": "I do not gamble."}}),
            *(1, "the model refuses: I do not gamble."),
        ),
        (whole({"message": {"content": THOUGHT}}), 2, "ACTION 2"),
    ],
)
def test_a_reply_without_an_answer_is_a_fallback_that_says_what_to_change(
    answer: Answer, action: int, reason: str
) -> None:
    record, requests = play(answer, rounds=1)
    assert own(record) == [action]
    assert reason in record.decisions.thoughts[0]
    for request in requests:
        messages = request["messages"]
        assert all(message["content"] for message in messages), "strict endpoints refuse a message without text"
        assert all(one["role"] != other["role"] for one, other in itertools.pairwise(messages)), "nor two of one role"


def test_the_words_of_an_error_that_came_as_a_reply_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ballcourt.bots.llm.bot.PAUSE_S", 0.0)
    error = b'{"error": {"message": "Provider returned error", "code": 502}}'
    record, _ = play(lambda handler, _: reply(handler, error), rounds=1)
    assert "answered with an error ({" in record.decisions.thoughts[0]
    assert "Provider returned error" in record.decisions.thoughts[0]


@pytest.mark.parametrize("status", [400, 403, 413, 422])
def test_a_request_that_is_refused_after_others_were_answered_costs_one_decision(status: int) -> None:
    asked = itertools.count(1)

    def answer(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        if next(asked) == 2:
            reply(handler, b"maximum context length is 8192", status)
        else:
            reply(handler, completion("ACTION 2"))

    record, requests = play(answer)
    assert own(record) == [2, 1, 2]
    assert len(requests) == 3, "the same request is not sent again"
    assert f"refused the request with status {status} (maximum context" in record.decisions.thoughts[2]


def test_a_busy_endpoint_is_asked_again_while_the_decision_has_time(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("ballcourt.bots.llm.bot.sleep", waits.append)
    late = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)

    def answer(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        handler.send_response(429 if len(waits) < 6 else 200)
        if len(waits) == 5:
            handler.send_header("Retry-After", late)
        content = completion("ACTION 2") if len(waits) == 6 else b""
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    record, _ = play(answer, rounds=1)
    assert own(record) == [2]
    assert waits[:5] == [0.5, 1, 2, 4, 8]
    assert 25 < waits[5] <= 30, "a date is a time, too"


def test_an_endpoint_that_never_answers_is_not_waited_for_in_every_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("ballcourt.bots.llm.bot.sleep", waits.append)
    record, _ = play(lambda handler, _: reply(handler, b"<html>", 200))
    assert own(record) == [1, 1, 1]
    assert sum(waits) <= PATIENCE


def test_the_effort_of_a_model_is_what_its_owner_says(tmp_path: Path) -> None:
    settings = read_settings({"OPENAI_MODEL": "m", "LLM_REASONING_EFFORT": "low"}, tmp_path)
    with endpoint(saying("ACTION 2")) as (url, requests):
        asked = replace(settings, base_url=url)
        play_in_process("bluff", [Session(LlmBot(asked, Endpoint(asked))), Session(Lowest())])
    assert requests[0]["reasoning_effort"] == "low"


def test_an_endpoint_that_is_too_slow_costs_no_more_than_the_time_of_a_decision() -> None:
    never = threading.Event()

    def silent(_: BaseHTTPRequestHandler, __: dict[str, Any]) -> None:
        never.wait(PATIENCE_S)

    try:
        record, _ = play(silent, QUICK, rounds=1)
    finally:
        never.set()
    assert lost_nothing_before_its_end(record)
    assert "the lowest legal action is played: the endpoint was too slow" in record.decisions.thoughts[0]


def test_an_endpoint_that_trickles_is_too_slow_too() -> None:
    never = threading.Event()

    def trickle(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        while not never.wait(0.05):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    try:
        record, _ = play(trickle, QUICK, rounds=1)
    finally:
        never.set()
    assert lost_nothing_before_its_end(record)
    assert "too slow" in record.decisions.thoughts[0]


def test_a_match_takes_no_more_tokens_than_its_budget() -> None:
    record, requests = play(saying("ACTION 3"), tokens=1200 + len("x"))
    spent = [thought for thought in record.decisions.thoughts.values() if "budget of 1201 tokens" in thought]
    assert len(requests) + len(spent) == 3
    assert spent


def test_half_a_character_is_a_question_mark() -> None:
    record, requests = play(saying("\ud800 so\nACTION 9", "\ud800 so\nACTION 2"), rounds=1)
    assert requests[1]["messages"][2]["content"].startswith("? so")
    assert "? so" in record.decisions.thoughts[0]


def test_what_a_model_thinks_apart_from_its_reply_is_among_the_thoughts() -> None:
    thinking = completion("ACTION 2", reasoning_content="They hold a two.")
    record, _ = play(lambda handler, _: reply(handler, thinking), rounds=1)
    assert record.decisions.thoughts[0].endswith("They hold a two.\nACTION 2")


def test_a_model_that_takes_other_parameters_gets_them() -> None:
    def particular(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        if "max_tokens" in body:
            reply(handler, b"'max_tokens' is not supported; use 'max_completion_tokens'", 400)
        elif "temperature" in body:
            reply(handler, b"'temperature' does not support 0.5 with this model", 400)
        else:
            reply(handler, completion("ACTION 2"))

    record, requests = play(particular)
    assert own(record) == [2, 2, 2]
    assert len(requests) == 5, "the model is asked in its own way from then on"
    assert requests[-1]["max_completion_tokens"] == 1000


def test_a_busy_endpoint_is_left_alone_as_long_as_it_asks() -> None:
    times: list[float] = []

    def busy(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        times.append(monotonic())
        if len(times) > 1:
            reply(handler, completion("ACTION 2"))
            return
        handler.send_response(429)
        handler.send_header("Retry-After", "1")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    record, _ = play(busy, rounds=1)
    assert own(record) == [2]
    assert times[1] - times[0] >= 1


def test_an_endpoint_that_is_busy_for_longer_than_there_is_time_is_asked_once() -> None:
    def busy(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        handler.send_response(503)
        handler.send_header("Retry-After", "3600")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    record, requests = play(busy, QUICK, rounds=1)
    assert len(requests) == 1
    assert "the lowest legal action is played: the endpoint answered with status 503" in record.decisions.thoughts[0]


def test_an_account_without_quota_is_a_refusal() -> None:
    with pytest.raises(EndpointRefuses, match="status 429"):
        play(lambda handler, _: reply(handler, b'{"error": {"code": "insufficient_quota"}}', 429))


@pytest.mark.parametrize("status", [301, 401, 402, 404])
def test_an_endpoint_that_refuses_is_reported_in_one_sentence_without_the_key(status: int) -> None:
    with pytest.raises(EndpointRefuses) as refusal:
        play(lambda handler, _: reply(handler, f"bad key {KEY}\n".encode(), status))
    sentence = str(refusal.value)
    assert sentence == (
        f"the endpoint at 127.0.0.1 refuses the model 'tiny' with status {status} (bad key ***); "
        "check OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL"
    )


def test_an_address_without_an_answer_is_reported_in_one_sentence() -> None:
    with endpoint(saying("")) as (url, _):
        pass
    settings = settings_for(url)
    with pytest.raises(EndpointRefuses, match=r"^nothing answers at 127\.0\.0\.1 .*set OPENAI_BASE_URL$"):
        play_in_process("bluff", [Session(LlmBot(settings, Endpoint(settings))), Session(Lowest())])


def test_a_key_that_the_endpoint_repeats_reaches_no_thought() -> None:
    record, _ = play(saying(f"your key is {KEY}\nACTION 2"))
    assert KEY not in record.SerializeToString().decode(errors="replace")
    assert "your key is ***" in record.decisions.thoughts[0]


def test_the_environment_counts_more_than_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".config" / "ballcourt" / "llm.toml"
    file.parent.mkdir(parents=True)
    file.write_text('OPENAI_MODEL = "a"\nOPENAI_API_KEY = "k"\nLLM_TOKENS = 9\n')
    settings = read_settings({"OPENAI_MODEL": "b"}, tmp_path)
    assert (settings.model, settings.api_key, settings.tokens) == ("b", "k", 9)
    settings = read_settings({"OPENAI_MODEL": "b"}, tmp_path, ["--model", "c"])
    assert (settings.model, settings.api_key) == ("c", "k")
    file.write_text(f'OPENAI_API_KEY = "{KEY}')
    with pytest.raises(SettingsError, match="must be TOML") as error:
        read_settings({}, tmp_path)
    assert KEY not in str(error.value)


def test_an_endpoint_that_an_entrant_names_gets_no_key(tmp_path: Path) -> None:
    environment = {"OPENAI_MODEL": "b", "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://own"}
    settings = read_settings(environment, tmp_path, ["--base-url", "http://elsewhere/v1/"])
    assert (settings.base_url, settings.model, settings.api_key) == ("http://elsewhere/v1", "b", "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--modell", "x"], "unrecognized arguments: --modell x; the bot llm takes --model NAME, --base-url"),
        (["--model"], "argument --model: expected one argument; the bot llm takes"),
        (["--base-url", "here", "--model", "m"], "OPENAI_BASE_URL is not an address"),
    ],
)
def test_wrong_arguments_are_named(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=sentence):
        read_settings({}, tmp_path, arguments)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "no model is named; set OPENAI_MODEL"),
        ({"OPENAI_MODEL": "m", "OPENAI_BASE_URL": "here"}, "OPENAI_BASE_URL is not an address"),
        (
            {"OPENAI_MODEL": "m", "LLM_TEMPERATURE": "warm"},
            "LLM_TEMPERATURE is 'warm'; it must be a number from 0 to 2",
        ),
        ({"OPENAI_MODEL": "m", "OPENAI_BASE_URL": "http://[::1"}, "OPENAI_BASE_URL is not an address"),
        ({"OPENAI_MODEL": "m", "OPENAI_BASE_URL": "http://here:port"}, "OPENAI_BASE_URL is not an address"),
        ({"OPENAI_MODEL": "m", "OPENAI_API_KEY": "“sk”"}, "^OPENAI_API_KEY has a character that no key has; copy it"),
        ({"OPENAI_MODEL": "m", "OPENAI_API_KEY": "s\nk"}, "^OPENAI_API_KEY has a character that no key has; copy it"),
        ({"OPENAI_MODEL": "m", "LLM_TOKENS": "-1"}, "LLM_TOKENS is '-1'"),
    ],
)
def test_wrong_settings_are_named(values: dict[str, str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=sentence):
        read_settings(values, tmp_path)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("ACTION 3", 3),
        ("action: 12.", 12),
        ("**ACTION** 4", 4),
        ("ACTION 1\nno:\nACTION 2", 2),
        (" 7 ", 7),
        ("Corn is short, so ACTION 2 is too dear.\n\n**7**.\n", 7),
        ("I take both.\n**ACTION:** `5`\n\n", 5),
        ("The answer is $\\boxed{ACTION 5}$.", 5),
        ('```json\n{\n  "action": 5\n}\n```', 5),
        ("My final answer: ACTION 5!", 5),
        ("ACTION 5: At E7", 5),
        ("ACTION 5 (at **E7**)", 5),
        ("ACTION 1\nTHEN At E7\n- THEN: Stop", 1),
        ("THEN At E7\nACTION 1", 1),
        ("there are 3\nof 4", None),
        ("3 or 4", None),
        ("", None),
        ("ACTION 5 looks good, but it would", None),
        ("ACTION 5\nNo, that loses; let me think again", None),
        ("ACTION 5 is a fraction 3", None),
        ("ACTION 5: a fraction 3", None),
        ("I reject ACTION 5.", None),
        ("Not ACTION 5", None),
        ("ACTION -5", None),
        ("ACTION 1,234", None),
        ("ACTION 1.5", None),
        ("ACTION 5/6", None),
        ("REACTION 5", None),
        ("ACTION 5th", None),
    ],
)
def test_only_the_last_line_of_a_reply_is_its_answer(text: str, action: int | None) -> None:
    assert action_in(text, {5: "At E7"}) == action


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>ACTION 1?\nNo.</think>\nACTION 2", "ACTION 2"),
        ("So ACTION 1?\n</think>\n\nACTION 2", "ACTION 2"),
        ("<think>What about\nACTION 1", ""),
        ("ACTION 2", "ACTION 2"),
    ],
)
def test_what_a_model_thinks_aloud_is_no_part_of_its_answer(text: str, answer: str) -> None:
    assert spoken(text) == answer
