"""Who of a cluster can play a tournament."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Self

import pytest

from ballcourt.arena.cluster import members as module
from ballcourt.arena.cluster.members import ClusterMembers
from ballcourt.arena.cluster.orders import FACTS, Demands, Preparation, facts_of, objection
from ballcourt.arena.match.spec import ARENA
from ballcourt.arena.sandbox.tiers import NO_SANDBOX
from ballcourt.arena.workers.queue import WorkerChange, WorkerNews

DEMANDS = Demands((("bluff", "1"),), NO_SANDBOX, seats=2)


def facts(**changes: object) -> dict[str, Any]:
    return {**facts_of(2, {}), "games": {"bluff": "1"}, **changes}


@pytest.mark.parametrize(
    ("facts_given", "sentence"),
    [
        (facts(), ""),
        (None, "it was not started by `ballcourt admin worker`"),
        (facts(arena="ballcourt 0.0.1"), f"it has ballcourt 0.0.1 and the tournament is run by {ARENA}; install the"),
        (facts(games={}), "it does not have the game bluff; install it there"),
        (facts(games={"bluff": "7"}), "its rules of bluff are version 7, not 1; install the same there"),
    ],
)
def test_a_worker_of_another_version_is_refused_with_the_reason(
    facts_given: dict[str, Any] | None, sentence: str
) -> None:
    found = objection(facts_given, DEMANDS)
    assert found.startswith(sentence)
    assert bool(found) == bool(sentence)


class Scheduler:
    """Stands in for the client: it knows who is there."""

    def __init__(self) -> None:
        self.workers: dict[str, dict[str, Any]] = {}
        self.status = "running"

    @property
    def scheduler(self) -> Self:
        return self

    def sync(self, call: Callable[..., object], callback_timeout: float, **arguments: object) -> object:
        return call(**arguments)

    def identity(self, n_workers: int) -> dict[str, object]:
        return {"workers": self.workers}


def test_who_comes_and_goes_is_reported_once() -> None:
    scheduler = Scheduler()
    members = ClusterMembers(scheduler, DEMANDS)  # type: ignore[arg-type]
    scheduler.workers = {"tcp://1": {"name": "ann", FACTS: facts()}, "tcp://2": {"name": "old", FACTS: None}}
    assert [(news.worker, news.news) for news in members.look()] == [
        ("ann", WorkerChange.JOINED),
        ("old", WorkerChange.REFUSED),
    ]
    assert (members.count, members.slots) == (1, 2)
    assert members.look() == []
    scheduler.workers = {"tcp://3": {"name": "ann", FACTS: facts(slots=5)}}
    assert [(news.worker, news.news) for news in members.look()] == [
        ("ann", WorkerChange.LEFT),
        ("ann", WorkerChange.JOINED),
    ]
    assert members.slots == 5
    scheduler.workers = {}
    assert [news.sentence for news in members.look()] == ["left the cluster; what it was playing is played elsewhere"]
    assert members.slots == 0


def test_what_a_bot_has_made_fail_at_one_worker_goes_to_those_where_none_of_its_bots_has() -> None:
    scheduler = Scheduler()
    members = ClusterMembers(scheduler, DEMANDS)  # type: ignore[arg-type]
    scheduler.workers = {"tcp://1": {"name": "ann", FACTS: facts()}, "tcp://2": {"name": "ben", FACTS: facts()}}
    members.look()
    members.note_failure("ann", "low")
    assert members.able(["low", "any"]) == ["tcp://2"]
    assert members.able(["any"]) == []
    members.note_failure("ben", "any")
    assert members.able(["low", "any"]) == []
    assert members.able(["any"]) == ["tcp://1"]


class Building(Scheduler):
    """Stands in for a client whose workers build bots: the first leaves meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.workers = {"tcp://1": {"name": "ann", FACTS: facts()}, "tcp://2": {"name": "ben", FACTS: facts()}}

    def submit(self, _: object, __: object, workers: list[str], pure: bool) -> Future[str]:
        future: Future[str] = Future()
        if workers == ["tcp://2"]:
            future.set_result("it is slow")
        return future


def test_a_worker_that_leaves_while_bots_are_built_is_reported_and_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Building()
    monkeypatch.setattr(module, "fetched", lambda _, future: future)
    monkeypatch.setattr(module, "wait", lambda *_, **__: client.workers.pop("tcp://1"))
    members = ClusterMembers(client, DEMANDS)  # type: ignore[arg-type]
    members.look()
    news: list[WorkerNews] = []
    asked = Preparation(DEMANDS, {})
    assert members.prepare(asked, lambda: news.extend(members.look())) == ["worker ben: it is slow"]
    assert [(one.worker, one.news) for one in news] == [("ann", WorkerChange.LEFT)]
