"""Hostile bots get what they deserve, cost nobody else anything, and leave nothing behind."""

from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.workers.runner import Runner
from tests.arena.conftest import Traces, wait_until
from tests.attacks.attack import ATTACKS, Attack, peaceful, shortcomings
from tests.attacks.remains import remains


def problems(attacks: list[Attack], traces: Traces, *, confined: bool) -> dict[str, list[str]]:
    """Carry out attacks, several at the same time, and judge each."""
    specs = [peaceful(confined=confined), *(attack.match(confined=confined) for attack in attacks)]
    with Runner(workers=1, matches_per_worker=4) as runner:
        records = {record.key: record for record in runner.run(specs)}
    peace = records["peace"]
    assert wait_until(lambda: not remains(traces)), remains(traces)
    return {attack.way: found for attack in attacks if (found := shortcomings(attack, records[attack.way], peace))}


def test_attacks_on_an_arena_that_confines_its_bots(traces: Traces, tier_1: Sandbox) -> None:
    assert problems(list(ATTACKS), traces, confined=True) == {}


def test_attacks_that_need_no_sandbox_to_be_harmless(traces: Traces) -> None:
    assert problems([attack for attack in ATTACKS if not attack.only_confined], traces, confined=False) == {}
