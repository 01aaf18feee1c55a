"""Language models and agents at the table, as processes."""

import json
import subprocess
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import read_record
from tests.arena.conftest import PATIENCE_S
from tests.bots_sdk.test_llm import KEY, completion, endpoint, reply
from tests.cli.conftest import Refused, Run, files
from tests.cli.test_interruptions import environment


@pytest.mark.slow
def test_a_key_reaches_no_record_no_output_and_no_fault_bundle(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An endpoint that repeats the key, first in a reply and then in a refusal, costs the bot its seat."""
    answered: list[None] = []

    def answer(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        if answered:
            return reply(handler, f"{KEY}?".encode(), 401)
        answered.append(None)
        first = body["messages"][-1]["content"].rpartition("legal actions:\n")[2].partition(":")[0]
        return reply(handler, completion(f"{KEY}\nACTION {first}"))

    monkeypatch.setenv("HOME", str(place))
    settings = place / ".config" / "ballcourt" / "llm.toml"
    settings.parent.mkdir(parents=True)
    with endpoint(answer) as (url, requests):
        settings.write_text(f'OPENAI_BASE_URL = "{url}"\nOPENAI_API_KEY = "{KEY}"\nOPENAI_MODEL = "tiny"\n')
        shown = run("play maya llm ./low --record-dir kept")
    assert shown.exit_code == 0, shown.stderr
    assert len(requests) == 2
    assert "refuses the model 'tiny' with status 401 (***?); check OPENAI_BASE_URL" in shown.stdout
    (path,) = (place / "kept").iterdir()
    record = read_record(path)
    assert [thought for thought in record.decisions.thoughts.values() if "\n***\nACTION " in thought]
    assert verify(record).agrees
    bundled = run("replay", "faults", str(path), "--output", "bundles")
    for written in [shown.output, bundled.output, *map(_content, (place / name for name in files(place)))]:
        assert KEY not in written


def _content(path: Path) -> str:
    wanted = path.is_file() and path.name != "llm.toml"
    return path.read_bytes().decode(errors="replace") if wanted else ""


@pytest.mark.slow
async def test_an_agent_plays_a_match_over_standard_input_and_output(place: Path) -> None:
    command = ["-m", "ballcourt", "mcp", "bluff", "agent", "./low", "--record-dir", "kept"]
    server = StdioServerParameters(command=sys.executable, args=command, env=environment(), cwd=place)
    async with Client(server) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == {"rules", "observe", "legal", "act"}
        calls = [await client.call_tool("act", {"action": 3}) for _ in range(3)]
        assert (
            "the match is over; player"
            in [part.text for call in calls for part in call.content if isinstance(part, TextContent)][-1]
        )
    (path,) = (place / "kept").iterdir()
    record = read_record(path)
    assert verify(record).agrees
    assert list(record.decisions.actions) == [3, 1] * 3


HOSTILE = (
    b"\xff\xfe{]",
    b"[" * 200_000,
    b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    b"\0" * 1000,
    b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "tools/list"}',
    b'"' + b"a" * (8 << 20) + b'"',
)
"""Lines that are not requests."""
UNREADABLE = 5
"""How many of them are not JSON that may be parsed; the others have no number of a request either."""
REFUSED: dict[str, dict[str, Any]] = {
    "an unknown tool": {"name": "seed", "arguments": {}},
    "a letter instead of a number": {"name": "act", "arguments": {"action": "x"}},
    "a number of a thousand digits": {"name": "act", "arguments": {"action": 10**1000}},
    "a negative action": {"name": "act", "arguments": {"action": -1}},
}


@pytest.mark.slow
def test_an_agent_that_sends_nonsense_is_answered_in_words_and_plays_on(place: Path) -> None:
    command = [sys.executable, "-m", "ballcourt", "mcp", "bluff", "agent", "./low", "--record-dir", "kept"]
    me = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "me", "version": "1"}}
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "hello": ("initialize", me),
        **{name: ("tools/call", params) for name, params in REFUSED.items()},
        "last": ("tools/call", {"name": "legal", "arguments": {}}),
    }
    requests = [
        json.dumps({"jsonrpc": "2.0", "id": name, "method": method, "params": params}).encode()
        for name, (method, params) in asked.items()
    ]
    notice = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode()
    sent = b"\n".join([requests[0], notice, *HOSTILE, *requests[1:], b""])
    with subprocess.Popen(command, cwd=place, env=environment(), stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(sent)
        process.stdin.flush()
        answers: dict[str, dict[str, Any]] = {}
        refusals = []
        while "last" not in answers:
            answer = json.loads(process.stdout.readline())
            if answer["id"] is None:
                refusals.append(answer["error"]["message"])
            answers[str(answer["id"])] = answer
        process.stdin.close()
        complaint = process.stderr.read().decode()
        assert process.wait(PATIENCE_S) == 0, complaint
    assert [sentence.partition(":")[0] for sentence in refusals] == ["the line is not a request"] * UNREADABLE
    assert not answers["last"]["result"].get("isError")
    assert all(answers[name]["result"]["isError"] for name in REFUSED)
    assert "Traceback" not in complaint + str(answers)


@pytest.mark.slow
async def test_an_agent_is_served_where_nothing_can_be_written(place: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "runs").touch()  # in the way of the folder for records, for root too
    command = ["-m", "ballcourt", "mcp", "bluff", "agent", str(place / "low")]
    given = {**environment(), "XDG_DATA_HOME": str(tmp_path / "data")}
    server = StdioServerParameters(command=sys.executable, args=command, env=given, cwd=blocked)
    async with Client(server) as client:
        for _ in range(3):
            await client.call_tool("act", {"action": 3})
    (path,) = (tmp_path / "data" / "ballcourt" / "mcp").iterdir()
    assert list(read_record(path).decisions.actions) == [3, 1] * 3


def test_without_the_extra_a_sentence_says_what_to_install(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert "pip install 'ballcourt[mcp]'" in refused("mcp bluff agent ./low")


@pytest.mark.parametrize("bots", [("./low", "./low"), ("agent", "a=agent")])
def test_exactly_one_seat_is_the_agents(refused: Refused, bots: tuple[str, str]) -> None:
    assert "name exactly one" in refused("mcp", "bluff", *bots)
