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
from tests.attacks.classes import ATTACKS, CLASSES, IN_MATCH, floods, freezing, resources
from tests.attacks.classes.launcher import MAPS, NO_CPU_GROUPS, SESSIONS, UNWALLED, Dear
from tests.attacks.controls import harms
from tests.attacks.flooding import AT_A_CONTEST, AT_A_HOST, AT_A_PAGE, WAYS
from tests.attacks.in_match import InMatch, peaceful, shortcomings
from tests.attacks.openings import OPENINGS, UNOPENED
from tests.attacks.remains import remains

OPENED = {way: opening for opening in OPENINGS for way in opening.ways}
ON_THE_SANDBOX = {
    attack.way
    for attack in ATTACKS
    if Need.CONFINEMENT in attack.needs and not isinstance(attack, Dear)
    if attack.way not in {**OPENED, **UNOPENED}
}
DEAR = {
    "escapes in a name",
    "flood of pings at a host",
    "flood of silence at serve",
    "guesses the seed",
    "hogs the memory bus",
    "kills the arena",
    "requests beyond bounds at a contest",
    "views of games that are not here",
}
"""Attacks that take seconds of a processor."""


def is_by_a_bot(attack: Attack) -> bool:
    """Whether an attack is one of a bot or its build, which its tier confines."""
    return Need.CONFINEMENT in attack.needs or attack in (*floods.ATTACKS, *freezing.ATTACKS, *resources.ATTACKS)


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
def test_confined_attacks_end_as_expected(traces: Traces, confined: Sandbox, attacks: Sequence[InMatch]) -> None:
    ground = Ground(traces, confined.tier)
    assert problems([attack for attack in attacks if not ground.lacks(attack)], traces, confined.tier) == {}


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
@pytest.mark.parametrize("way", OPENED)
def test_where_its_wall_is_open_an_attack_does_harm(way: str, tier_1: Sandbox) -> None:
    if not found().memory:
        pytest.skip("needs a control group, so that the harm ends")
    assert harms(way, OPENED[way])


def test_each_attack_has_a_control_or_a_reason_why_there_is_none() -> None:
    assert sum(len(opening.ways) for opening in OPENINGS) == len(OPENED)
    assert OPENED.keys() & UNOPENED.keys() == set()
    controlled = {*OPENED, *ON_THE_SANDBOX, MAPS.way, SESSIONS.way}
    assert {*UNOPENED, *controlled} == {attack.way for attack in ATTACKS}


@pytest.mark.slow
def test_a_launcher_that_waits_for_what_it_asks_about_a_bot_is_slow_for_all(traces: Traces, tier_1: Sandbox) -> None:
    assert replace(MAPS, changes=UNWALLED).carry_out(Ground(traces, 1)).problems


@pytest.mark.slow
def test_a_bot_of_many_sessions_slows_others_down_without_control_groups(traces: Traces, tier_1: Sandbox) -> None:
    if not found().cpu:
        pytest.skip("this machine lets us make no control group for the processors")
    assert replace(SESSIONS, changes=NO_CPU_GROUPS).carry_out(Ground(traces, 1)).problems


@pytest.mark.parametrize("attack", DEEDS)
def test_attacks_on_the_arena_break_no_promise(traces: Traces, attack: Attack) -> None:
    ground = Ground(traces, 0 if missing() else 1)
    if Need.CONFINEMENT in attack.needs:
        need_sandbox()
    if lacking := ground.lacks(attack):
        pytest.skip(f"needs {' and '.join(lacking)}")
    assert attack.carry_out(ground).problems == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "attack", [pytest.param(attack, id=attack.way) for attacks in BY_CLASS for attack in attacks if is_by_a_bot(attack)]
)
def test_in_gvisor_attacks_on_the_arena_break_no_promise_either(
    traces: Traces, tier_2: Sandbox, attack: Attack
) -> None:
    ground = Ground(traces, tier_2.tier)
    if lacking := ground.lacks(attack):
        pytest.skip(f"needs {' and '.join(lacking)}")
    assert attack.carry_out(ground).problems == ()


def test_every_attack_has_a_name_of_its_own() -> None:
    ways = [attack.way for attack in ATTACKS]
    assert sorted(ways) == sorted(set(ways))


def test_every_flood_has_a_name_of_its_own() -> None:
    assert len(WAYS) == len(AT_A_HOST) + len(AT_A_PAGE) + len(AT_A_CONTEST)
