"""Hostile bots end as expected, harm no other and leave nothing behind."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from ballcourt.arena.sandbox.bubblewrap import missing
from ballcourt.arena.sandbox.cgroups import found
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.workers.runner import Runner
from tests.arena.conftest import Traces, need_sandbox, wait_until
from tests.attacks.attack import Attack, Ground, Need
from tests.attacks.classes import ATTACKS, CLASSES, IN_MATCH
from tests.attacks.classes.launcher import MAPS, UNWALLED, Dear
from tests.attacks.controls import harms
from tests.attacks.flooding import AT_A_CONTEST, AT_A_HOST, AT_A_PAGE, WAYS
from tests.attacks.in_match import InMatch, peaceful, shortcomings
from tests.attacks.remains import remains

ON_OTHER_WALLS = {
    "a large file whose name is not text",
    "a tournament file beyond bounds",
    "an unsafe tournament file",
    "goes on after its build",
    "hidden folders without end",
    "leaves a pipe in its build",
    "leaves a setuid program",
    "more files than can be mounted",
    "reaches what listens on this machine",
    "sleeps in its build",
    "starts in a folder that is not built",
    "starts in a hidden folder",
}
"""Attacks that need the sandbox and are refused by another wall: what is checked before, or cleared away afterwards."""
ON_THE_SANDBOX = {
    attack.way
    for attack in ATTACKS
    if Need.CONFINEMENT in attack.needs and not isinstance(attack, Dear) and attack.way not in ON_OTHER_WALLS
} - {"memory hog"}
"""The rest, but for one that ends at the memory of the control as it does at the limit of the sandbox."""
DEAR = {
    "escapes in a name",
    "flood of pings at a host",
    "flood of silence at serve",
    "guesses the seed",
    "hogs the memory bus",
    "kills the arena",
    "requests beyond bounds at a contest",
}
"""Attacks that take seconds of a processor."""
BY_CLASS = [[attack for attack in attacks if not isinstance(attack, InMatch)] for attacks in CLASSES]
DEEDS = [
    pytest.param(attack, id=attack.way, marks=pytest.mark.slow if number or attack.way in DEAR else ())
    for attacks in BY_CLASS
    for number, attack in enumerate(attacks)
]
"""The first of each class is tried on every run, unless it is dear."""
FIRST = [attacks[0] for found in CLASSES if (attacks := [attack for attack in found if isinstance(attack, InMatch)])]
"""Of attacks in a match too."""


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play a void block again at once."""
    monkeypatch.setattr("ballcourt.arena.workers.queue.PAUSES_S", (0.0, 0.0))


def problems(attacks: Sequence[InMatch], traces: Traces, tier: int) -> dict[str, list[str]]:
    """Carry out attacks, several at a time, and check each."""
    specs = [peaceful(tier), *(attack.match(tier) for attack in attacks)]
    with Runner(workers=1, matches_per_worker=4) as runner:
        records = {record.key: record for record in runner.run(specs)}
    peace = records["peace"]
    assert wait_until(lambda: not remains(traces)), remains(traces)
    return {attack.way: found for attack in attacks if (found := shortcomings(attack, records[attack.way], peace))}


@pytest.mark.parametrize(
    "attacks",
    [
        pytest.param(FIRST, id="first"),
        pytest.param([each for each in IN_MATCH if each not in FIRST], id="others", marks=pytest.mark.slow),
    ],
)
def test_confined_attacks_end_as_expected(traces: Traces, tier_1: Sandbox, attacks: Sequence[InMatch]) -> None:
    ground = Ground(traces, 1)
    assert problems([attack for attack in attacks if ground.offers(attack)], traces, 1) == {}


@pytest.mark.slow
def test_unconfined_harmless_attacks_end_as_expected(traces: Traces) -> None:
    assert problems([attack for attack in IN_MATCH if not attack.needs], traces, 0) == {}


@pytest.mark.slow
@pytest.mark.parametrize("way", sorted(ON_THE_SANDBOX))
def test_without_the_sandbox_an_attack_on_it_does_harm(way: str, tier_1: Sandbox) -> None:
    if not found().memory:
        pytest.skip("needs a control group, so that the harm ends")
    assert harms(way)


@pytest.mark.slow
def test_a_launcher_that_waits_for_what_it_asks_about_a_bot_is_slow_for_all(traces: Traces, tier_1: Sandbox) -> None:
    assert replace(MAPS, unwalled=UNWALLED).carry_out(Ground(traces, 1)).problems


@pytest.mark.parametrize("attack", DEEDS)
def test_attacks_on_the_arena_break_no_promise(traces: Traces, attack: Attack) -> None:
    ground = Ground(traces, 0 if missing() else 1)
    if Need.CONFINEMENT in attack.needs:
        need_sandbox()
    if not ground.offers(attack):
        pytest.skip(f"needs {', '.join(need.value for need in attack.needs)}")
    assert attack.carry_out(ground).problems == ()


@pytest.mark.slow
def test_a_bot_in_gvisor_cannot_thaw_itself(traces: Traces, tier_2: Sandbox) -> None:
    (thawing,) = [attack for attack in ATTACKS if attack.way == "thaws itself with a timer"]
    assert thawing.carry_out(Ground(traces, tier_2.tier)).problems == ()


def test_every_attack_has_a_name_of_its_own() -> None:
    ways = [attack.way for attack in ATTACKS]
    assert sorted(ways) == sorted(set(ways))


def test_every_flood_has_a_name_of_its_own() -> None:
    assert len(WAYS) == len(AT_A_HOST) + len(AT_A_PAGE) + len(AT_A_CONTEST)
