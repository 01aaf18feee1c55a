"""The lines of an agent."""

import asyncio
from collections.abc import Iterator
from io import BufferedReader, BytesIO, RawIOBase
from typing import cast

import pytest
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, jsonrpc_message_adapter

from ballcourt.arena.agents.wire import Requests
from ballcourt.arena.files import DEEPEST_JSON
from ballcourt.arena.tournament.event.json_lines import LONGEST
from tests.fuzz import growth
from tests.fuzz.limits import within_limits

PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'


class Long(RawIOBase):
    """A line of half a gigabyte, then a request."""

    def __init__(self) -> None:
        self._left = 512

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._left -= 1
        if self._left < -1:
            return 0
        piece = b"a" * len(buffer) if self._left >= 0 else b"\n" + PING
        buffer[: len(piece)] = piece
        return len(piece)


def read(file: BytesIO | BufferedReader) -> tuple[list[str], list[str]]:
    """Return the lines that come through, and the sentences to the others."""
    refusals = []

    async def answer(message: SessionMessage) -> None:
        found = cast("JSONRPCError", message.message)
        assert (found.id, found.error.code) == (None, -32700)
        refusals.append(found.error.message)

    async def play() -> list[str]:
        requests = Requests(file)
        requests.answer = answer
        return [line async for line in requests]

    return asyncio.run(play()), refusals


def test_a_line_without_end_is_refused_within_bounds_and_the_next_one_is_read() -> None:
    with within_limits():
        lines, refusals = read(BufferedReader(Long(), 1 << 20))
    assert lines == [PING.decode()]
    assert refusals == [
        f"the line is not a request: it is longer than {LONGEST} bytes; "
        f"send one object of JSON a line, of at most {LONGEST} bytes"
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"\xff\xfe{]", "Expecting value"),
        (b"[" * (DEEPEST_JSON + 2) + b"]" * (DEEPEST_JSON + 2), f"nested more than {DEEPEST_JSON} deep"),
        (b"[" * 200_000, f"nested more than {DEEPEST_JSON} deep"),
        (b'"' + b"a" * LONGEST + b'"', "longer than"),
        (b"\xff" * (LONGEST // 2), "at most"),
        (b"[" + b"[]," * (LONGEST // 8) + b"1]", "commas, colons and brackets"),
    ],
)
def test_a_line_that_may_not_be_parsed_is_answered_in_a_sentence(line: bytes, reason: str) -> None:
    lines, refusals = read(BytesIO(PING + b"\n" + line + b"\n" + PING))
    assert [one.strip() for one in lines] == [PING.decode()] * 2
    (refusal,) = refusals
    assert reason in refusal


def test_a_line_of_the_longest_kind_is_read_and_an_empty_one_ignored() -> None:
    line = PING + b" " * (LONGEST - len(PING) - 1) + b"\n"
    assert read(BytesIO(line + b" \n\n" + PING)) == ([line.decode(), PING.decode()], [])


def grown() -> Iterator[bytes]:
    return growth.documents(b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": [1, "b"]}}', LONGEST)


@pytest.mark.slow
def test_a_small_line_that_becomes_large_is_read_or_answered() -> None:
    for line in grown():
        with within_limits():
            lines, refusals = read(BytesIO(line + b"\n"))
            assert len(lines) + len(refusals) == 1
            for one in lines:
                try:
                    jsonrpc_message_adapter.validate_json(one, by_name=False)
                except ValueError:
                    continue
