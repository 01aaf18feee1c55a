"""The speed of a machine, and what depends on it."""

import os
import threading

import pytest

from ballcourt.arena.match.spec import Clock, Scale
from ballcourt.arena.workers import speed as module
from ballcourt.arena.workers.cores import usable
from ballcourt.arena.workers.runner import Runner
from ballcourt.arena.workers.speed import REFERENCE_MS, speed
from tests.arena.conftest import LOWEST, PATIENCE_S
from tests.arena.matches import match_of


@pytest.mark.parametrize(("times", "index"), [((8, 4, 5), 2.0), ((32, 16, 24), 0.5), ((1e6, 2e6, 3e6), 0.01)])
def test_the_fastest_round_counts_relative_to_the_reference(
    monkeypatch: pytest.MonkeyPatch, times: tuple[float, ...], index: float
) -> None:
    rounds = iter([time * REFERENCE_MS / 8 for time in times])
    monkeypatch.setattr(module, "ROUNDS", len(times))
    monkeypatch.setattr(module, "_round_ms", lambda _: next(rounds))
    assert speed() == index


def test_measuring_some_processors_leaves_the_thread_where_it_may_run() -> None:
    seen: list[set[int]] = []

    def measure() -> None:
        speed(usable()[-1:])
        seen.append(os.sched_getaffinity(0))

    thread = threading.Thread(target=measure)
    thread.start()
    thread.join(PATIENCE_S)
    assert seen == [{*usable()}]


@pytest.mark.slow
def test_every_record_has_the_speed_and_a_scaled_clock_follows_it() -> None:
    asked = Clock(cap_ms=10_000, bank_ms=50_000, scale=Scale.REFERENCE)
    with Runner(workers=1) as runner:
        (scaled,) = runner.run([match_of("s", "bluff", {}, 1, (LOWEST, LOWEST), asked)])
        (plain,) = runner.run([match_of("p", "bluff", {}, 1, (LOWEST, LOWEST))])
    assert scaled.host.speed == plain.host.speed > 0
    assert scaled.clock.cap_ms == round(10_000 / scaled.host.speed)
    assert scaled.clock.bank_ms == round(50_000 / scaled.host.speed)
    assert (scaled.clock_scale, plain.clock_scale) == ("reference", "")
    assert plain.clock.bank_ms == Clock().bank_ms
