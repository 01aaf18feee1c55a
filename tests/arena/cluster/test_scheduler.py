"""A cluster on one machine survives pauses of its scheduler."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Scheduler

from ballcourt.arena.cluster import scheduler as module
from ballcourt.arena.cluster.scheduler import LOOK_S

TTL_S = 60.0


class Clock:
    """The time of day as the scheduler sees it."""

    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now


def given_up(monkeypatch: pytest.MonkeyPatch, steps: list[float]) -> bool:
    """Pass time in steps, each with a look; return whether a worker that says nothing has been given up."""
    clock, lost = Clock(), []
    for place in ("distributed.scheduler.time", f"{module.__name__}.time"):
        monkeypatch.setattr(place, clock)

    async def restart(addresses: list[str], **_: object) -> None:
        lost.extend(addresses)

    async def live() -> None:
        scheduler = Scheduler(dashboard_address="127.0.0.1:0", worker_ttl=TTL_S, preload=[module.__name__])
        await scheduler.preloads.start()
        check = scheduler.periodic_callbacks["worker-ttl"].callback
        silent: Any = SimpleNamespace(address="tls://silent", last_seen=clock(), nanny=None)
        scheduler.workers["tls://silent"] = silent
        monkeypatch.setattr(scheduler, "restart_workers", restart)
        for step_s in steps:
            clock.now += step_s
            checked = check()
            assert checked is not None
            await checked
        del scheduler.workers["tls://silent"]

    asyncio.run(live())
    return bool(lost)


def test_a_silent_worker_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not given_up(monkeypatch, [LOOK_S] * 59)
    assert given_up(monkeypatch, [LOOK_S] * 61)


@pytest.mark.parametrize("step_s", [75.0, 86_400.0, -86_400.0])
def test_a_pause_of_the_scheduler_or_a_clock_that_is_set_counts_against_no_worker(
    step_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not given_up(monkeypatch, [step_s])
    assert not given_up(monkeypatch, [LOOK_S] * 30 + [step_s] + [LOOK_S] * 29)
    assert given_up(monkeypatch, [LOOK_S] * 30 + [step_s] + [LOOK_S] * 31)
