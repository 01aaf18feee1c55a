"""The workers of a cluster, and which of them can play a tournament."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import wait
from typing import Any, Final

from distributed import Client

from ballcourt.arena.cluster.answers import Answer, asked, fetched
from ballcourt.arena.cluster.orders import FACTS, Demands, Preparation, objection
from ballcourt.arena.cluster.security import ClusterError
from ballcourt.arena.cluster.slots import prepare
from ballcourt.arena.faults import notes_of
from ballcourt.arena.match.policy import counted
from ballcourt.arena.workers.queue import WorkerChange, WorkerNews
from ballcourt.engine.core import WrongInput

LOOK_S: Final = 1.0
"""Seconds between looks while waiting."""


class ClusterMembers:
    """The workers of a cluster as they were when `look` was called last."""

    def __init__(self, client: Client, demands: Demands) -> None:
        self._client = client
        self._demands = demands
        self._addresses: dict[str, str] = {}  # by name, of those that can play
        self._slots: dict[str, int] = {}  # likewise
        self._refused: set[str] = set()
        self._shut_out: set[str] = set()
        self._failed: set[tuple[str, str]] = set()
        """The workers that failed because of a bot, with its name; others may be able to build it."""

    @property
    def slots(self) -> int:
        """How many matches they can play at the same time."""
        return sum(self._slots.values())

    @property
    def count(self) -> int:
        """How many of them can play."""
        return len(self._slots)

    def look(self) -> list[WorkerNews]:
        """Look who is there; return what has changed. Raises ArenaError if the cluster has ended or is silent."""
        there = asked(self._client, "identity", n_workers=-1)["workers"]
        known = {str(info["name"]): (address, info) for address, info in there.items()}
        news = [
            WorkerNews(name, WorkerChange.LEFT, "left the cluster; what it was playing is played elsewhere")
            for name in self._addresses
            if self._addresses[name] != known.get(name, ("", {}))[0]
        ]
        for name in [gone.worker for gone in news]:
            del self._addresses[name], self._slots[name]
        self._refused &= known.keys()
        for name, (address, info) in known.items():
            news += self._welcome(name, address, info)
        return news

    def _welcome(self, name: str, address: str, info: Mapping[str, Any]) -> Iterator[WorkerNews]:
        """Take note of a worker, if it is a new one; have one that is shut out leave again."""
        if name in self._shut_out:
            self._send_away(address)
            return
        if name in self._addresses or name in self._refused:
            return
        facts = info.get(FACTS)
        if sentence := objection(facts, self._demands):
            self._refused.add(name)
            yield WorkerNews(name, WorkerChange.REFUSED, f"cannot play: {sentence}")
            return
        assert facts
        self._addresses[name], self._slots[name] = address, int(facts["slots"])
        yield WorkerNews(name, WorkerChange.JOINED, f"joined, for {counted(self._slots[name], 'match')} at a time")

    def note_failure(self, name: str, suspect: str) -> None:
        """Take note that a worker failed because of a bot."""
        self._failed.add((name, suspect))

    def able(self, bots: Iterable[str]) -> list[str]:
        """Return the addresses of those that no bot of these has made fail; empty if it makes no difference."""
        wanted = {*bots}
        failed = {name for name, suspect in self._failed if suspect in wanted}
        return [address for name, address in self._addresses.items() if name not in failed] if failed else []

    def shut_out(self, name: str) -> None:
        """Have a worker leave the cluster for good."""
        self._shut_out.add(name)
        self._slots.pop(name, None)
        if address := self._addresses.pop(name, ""):
            self._send_away(address)

    def is_shut_out(self, name: str) -> bool:
        """Whether a worker has been shut out; it may still answer for what it was sent before."""
        return name in self._shut_out

    def _send_away(self, address: str) -> None:
        """Have the scheduler give up a worker; others play what it was to play."""
        asked(self._client, "retire_workers", workers=[address], close_workers=True, remove=True)

    def prepare(self, preparation: Preparation, look: Callable[[], object]) -> list[str]:
        """Have all of them build the bots; return their cautions. Call `look`, which notes changes, while they build.

        Raises ClusterError if one of them cannot play; workers that leave in the meantime are skipped.
        """
        answers: dict[str, Answer[str]] = {
            name: fetched(self._client, self._client.submit(prepare, preparation, workers=[address], pure=False))
            for name, address in self._addresses.items()
        }
        while busy := [answer for name, answer in answers.items() if name in self._addresses and not answer.done()]:
            wait(busy, timeout=LOOK_S)
            look()
        return [
            f"worker {name}: {caution}"
            for name, answer in answers.items()
            if answer.done() and (caution := _result(name, answer))
        ]


def _result(name: str, answer: Answer[str]) -> str:
    """Return the caution of a worker. Raises ClusterError."""
    error = answer.exception()
    if isinstance(error, WrongInput):
        sentence = ClusterError(f"worker {name}: {error}")
        for line in notes_of(error):
            sentence.add_note(line)
        raise sentence from error
    return answer.result()
