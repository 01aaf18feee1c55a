"""Hostile bots end as expected, harm nobody else and leave nothing behind."""

from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.workers.runner import Runner
from tests.arena.conftest import Traces, wait_until
from tests.attacks.attack import ATTACKS, Attack, peaceful, shortcomings
from tests.attacks.remains import remains


def problems(attacks: list[Attack], traces: Traces, *, confined: bool) -> dict[str, list[str]]:
    """Carry out attacks, several at a time, and check each."""
    specs = [peaceful(confined=confined), *(attack.match(confined=confined) for attack in attacks)]
    with Runner(workers=1, matches_per_worker=4) as runner:
        records = {record.key: record for record in runner.run(specs)}
    peace = records["peace"]
    assert wait_until(lambda: not remains(traces)), remains(traces)
    return {attack.way: found for attack in attacks if (found := shortcomings(attack, records[attack.way], peace))}


def test_confined_attacks_end_as_expected(traces: Traces, tier_1: Sandbox) -> None:
    assert problems(list(ATTACKS), traces, confined=True) == {}


def test_unconfined_harmless_attacks_end_as_expected(traces: Traces) -> None:
    assert problems([attack for attack in ATTACKS if not attack.only_confined], traces, confined=False) == {}
