"""Bots cannot think while others are asked, measured by their CPU time."""

import pytest

from ballcourt.arena.match.spec import Clock
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import RANDOM, Traces, fixture_bot
from tests.arena.matches import match_of

SPINNER = fixture_bot("spinner.py")
SLOW = fixture_bot("spinner.py", "slow", "400")
ROUNDS = "3"


def played(*specs: PlayableMatch) -> dict[str, MatchRecord]:
    with Runner(workers=1, matches_per_worker=1) as runner:
        return {record.key: record for record in runner.run(specs)}


def spinning(sandbox: Sandbox) -> tuple[int, int]:
    """Return the CPU time of a bot that computes out of turn, without and with pondering."""
    options = {"rounds": ROUNDS}
    records = played(
        *(
            match_of(str(ponder), "bluff", options, 5, (SPINNER, SLOW), Clock(ponder=ponder), sandbox=sandbox)
            for ponder in (False, True)
        )
    )
    assert all(not record.faults for record in records.values())
    return records["False"].cpu_us[0], records["True"].cpu_us[0]


@pytest.mark.slow
def test_a_bot_that_computes_out_of_turn_gets_almost_no_cpu_time_unless_pondering_is_allowed(traces: Traces) -> None:
    frozen, pondering = spinning(NO_SANDBOX)
    assert frozen < pondering / 2
    assert traces.all_gone()


@pytest.mark.parametrize("tier", ["tier_1", pytest.param("tier_2", marks=pytest.mark.slow)])
def test_a_confined_bot_that_computes_out_of_turn_gets_almost_no_cpu_time_either(
    traces: Traces, request: pytest.FixtureRequest, tier: str
) -> None:
    frozen, pondering = spinning(request.getfixturevalue(tier))
    assert frozen < pondering / 2
    assert traces.all_gone()


@pytest.mark.slow
def test_a_frozen_bot_that_observes_still_gets_every_push(traces: Traces) -> None:
    """RANDOM asks for pushes; one process plays several matches, being stopped and continued."""
    specs = [match_of(f"m{n}", "bluff", {"rounds": ROUNDS}, n, (RANDOM, RANDOM, RANDOM), Clock()) for n in range(3)]
    records = played(*specs)
    assert all(not record.faults for record in records.values())
    assert all(all(cpu_us > 0 for cpu_us in record.cpu_us) for record in records.values())
    assert traces.all_gone()


@pytest.mark.slow
@pytest.mark.parametrize("way", ["burn and crash", "burn and cheat", "burn and be killed"])
def test_the_cpu_time_of_a_confined_bot_that_lost_its_seat_is_known(traces: Traces, tier_1: Sandbox, way: str) -> None:
    burning = fixture_bot("misbehaving.py", way)
    match = match_of("m", "bluff", {"rounds": ROUNDS}, 5, (burning, RANDOM), Clock(), sandbox=tier_1)
    [record] = played(match).values()
    assert len(record.faults) == 1
    assert record.cpu_us[0] >= 200_000


@pytest.mark.slow
def test_the_cpu_time_of_a_dead_bot_is_known(traces: Traces) -> None:
    crashing = fixture_bot("misbehaving.py", "crashes")
    [record] = played(match_of("m", "bluff", {"rounds": ROUNDS}, 5, (crashing, RANDOM), Clock())).values()
    assert [fault.exit_code for fault in record.faults] == [4]
    assert record.cpu_us[0] > 0
