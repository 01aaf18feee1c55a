"""Broadcasts: a running match, written down for those who watch it."""

import asyncio
import os
from base64 import b64decode
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import pytest

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.records.replay import positions
from ballcourt.arena.replays.broadcast import BroadcastReader, asked, written
from ballcourt.arena.replays.document import document
from ballcourt.arena.replays.view import View
from ballcourt.arena.workers import broadcast as module
from ballcourt.arena.workers.broadcast import Broadcast
from ballcourt.arena.workers.runner import Runner
from ballcourt.engine.core.observation import SPECTATOR, observe
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import LOWEST, PATIENCE_S, fixture_bot, wait_until
from tests.arena.matches import match_of
from tests.arena.recorded import recorded

Lines = list[dict[str, Any]]


def spec_of(record: MatchRecord) -> MatchSpec:
    entrants = tuple(Entrant(BotVersion(entrant.name, entrant.version)) for entrant in record.entrants)
    return MatchSpec(record.key, record.game, dict(record.options), record.seed, entrants)


def broadcast(folder: Path, record: MatchRecord) -> Lines:
    """Play a recorded match again, and return what is read of it once it is over."""
    decisions = list(zip(record.decisions.seats, record.decisions.actions, strict=True))
    with BroadcastReader(folder, record.key) as reader:
        reader.ask()
        return asyncio.run(_broadcast(folder, spec_of(record), decisions, reader))


class Looking(Broadcast):
    """A broadcast that says when it has looked three times for a request."""

    async def __aenter__(self) -> Self:
        self.looks, self.has_looked = 0, asyncio.Event()
        return await super().__aenter__()

    def _is_asked(self) -> bool:
        self.looks += 1
        if self.looks == 3:
            self.has_looked.set()
        return super()._is_asked()


async def _watched_in_vain(folder: Path, record: MatchRecord) -> bool:
    """Return whether a running match is written down before it is over."""
    async with Looking(folder, find_game(record.game), spec_of(record)) as running, asyncio.timeout(PATIENCE_S):
        running.decided(0, 1)
        await running.has_looked.wait()
        return await asyncio.to_thread(written(folder, record.key).exists)


async def _broadcast(
    folder: Path, spec: MatchSpec, decisions: Sequence[tuple[int, int]], reader: BroadcastReader
) -> Lines:
    async with Broadcast(folder, find_game(spec.game), spec) as running:
        await asyncio.to_thread(wait_until, lambda: written(folder, spec.key).exists())
        lines = list(reader.entries())  # the file is open from now on
        for seat, action in decisions:
            running.decided(seat, action)
    return [*lines, *reader.entries()]


def test_those_who_ask_get_what_a_spectator_of_the_recorded_match_sees(tmp_path: Path) -> None:
    record = recorded("m1")
    first, *steps = broadcast(tmp_path / "live", record)
    whole = document(record, SPECTATOR)
    assert [line["step"] for line in steps] == whole["steps"]
    begun = first["document"]
    assert {name for name in begun if begun[name] != dict(whole)[name]} - {"started"} == {
        "seats",
        "steps",
        "turning_points",
    }
    assert [(seat["bot"], seat["placement"], seat["termination"]) for seat in begun["seats"]] == [
        ("lowest", 0, ""),
        ("highest", 0, ""),
        ("lowest", 0, ""),
    ]


def test_a_broadcast_holds_what_a_spectator_observes_of_each_position(tmp_path: Path) -> None:
    record = recorded("m1")
    wire = find_game(record.game).wire()
    seen = [wire.decode(b64decode(line["seen"])) for line in broadcast(tmp_path / "live", record)]
    assert seen == [observe(state, SPECTATOR) for state in positions(record)]


def test_a_broadcast_holds_neither_the_seed_nor_thoughts_nor_secrets(tmp_path: Path) -> None:
    record = recorded("m1", seed=987654321987654321)
    text = str(broadcast(tmp_path / "live", record))
    assert str(record.seed) not in text
    assert "I bid" not in text
    assert {step["step"]["action"] for step in broadcast(tmp_path / "live", record)[1:]} == {0}  # all bids are secret


def test_nothing_is_written_without_a_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK_S", 0.0)
    assert not asyncio.run(_watched_in_vain(tmp_path, recorded("m1")))


def test_the_file_is_gone_when_the_match_is_over(tmp_path: Path) -> None:
    broadcast(tmp_path / "live", recorded("m1"))
    assert [path.name for path in (tmp_path / "live").iterdir()] == ["m1.asked"]


def test_a_drawing_that_fails_ends_the_broadcast_and_not_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("corn")

    monkeypatch.setattr(View, "step", fails)
    *_, last = broadcast(tmp_path / "live", recorded("m1"))
    assert last == {"failed": "KeyError: 'corn'"}


def test_a_request_that_is_old_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK_S", 0.0)
    asked(tmp_path, "m1").touch()
    os.utime(asked(tmp_path, "m1"), (0, 0))
    assert not asyncio.run(_watched_in_vain(tmp_path, recorded("m1")))


@pytest.mark.slow
def test_a_worker_broadcasts_the_match_that_it_plays(tmp_path: Path) -> None:
    """The bot answers its last question when the first ones have been seen."""
    folder, seen = tmp_path / "live", tmp_path / "seen"
    bots = (fixture_bot("waiting.py", str(seen)), LOWEST)
    clock = Clock(bank_ms=600_000, cap_ms=600_000)
    match = replace(match_of("m1", "bluff", {}, 3, bots, clock), broadcasts=folder)
    lines: Lines = []

    def has(count: int) -> bool:
        reader.ask()
        lines.extend(reader.entries())
        return len(lines) >= count

    with BroadcastReader(folder, "m1") as reader, Runner(workers=1) as runner, ThreadPoolExecutor(1) as thread:
        played = thread.submit(lambda: list(runner.run([match])))
        assert wait_until(lambda: has(3))
        seen.touch()
        (record,) = played.result(PATIENCE_S)
        assert wait_until(lambda: has(1 + len(record.decisions.seats)))
    assert [line["step"] for line in lines[1:]] == document(record, SPECTATOR)["steps"]
