"""Bots in other languages search with the rules in every sandbox, and pay for it."""

import os
from collections.abc import Callable

import pytest

from ballcourt.arena.match.spec import Clock
from ballcourt.arena.sandbox.tiers import GVISOR, NO_SANDBOX, TIER_1, Sandbox
from ballcourt.arena.workers.runner import Runner
from tests.arena.conftest import RANDOM, fixture_bot, need_gvisor, need_sandbox
from tests.arena.matches import match_of

CALM = Clock(bank_ms=3_600_000, cap_ms=600_000, match_start_ms=60_000)


@pytest.mark.parametrize(
    ("sandbox", "need"),
    [
        (NO_SANDBOX, lambda: None),
        (Sandbox(1, TIER_1), need_sandbox),
        pytest.param(Sandbox(2, TIER_1), need_gvisor, marks=pytest.mark.slow),
    ],
    ids=["plain", "bubblewrap", "gvisor"],
)
def test_a_bot_searches_with_the_rules_and_pays_for_their_time(sandbox: Sandbox, need: Callable[[], None]) -> None:
    need()
    with Runner(workers=1) as runner:
        (record,) = runner.run(
            [match_of("search", "maya", {}, 5, (fixture_bot("searching.py"), RANDOM), CALM, sandbox=sandbox)]
        )
    assert [fault.detail + fault.stderr_tail for fault in record.faults] == []
    made, ticks = max(tuple(map(int, thoughts.split())) for thoughts in record.decisions.thoughts.values())
    assert made > 0
    if sandbox.tier != GVISOR:  # which keeps a clock of its own for its processes
        assert record.cpu_us[0] / 1e6 >= ticks / os.sysconf("SC_CLK_TCK")
