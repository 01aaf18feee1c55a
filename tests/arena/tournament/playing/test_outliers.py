"""Workers of a cluster that stand out among the others."""

import random
from collections.abc import Iterator
from dataclasses import replace
from math import log
from pathlib import Path

import pytest

from ballcourt.arena.tournament.folder.events import BlockVoided, MatchPlayed
from ballcourt.arena.tournament.playing.outliers import FIRST_LOOK, RISK, Outliers, Sight, sight_of, standing_out
from ballcourt.v1.protocol_pb2 import SeatResult, Termination
from ballcourt.v1.record_pb2 import Entrant, Host, MatchRecord

WORKERS = ("ann", "bob", "cid")


def sights(chance: random.Random, matches: int, rates: dict[str, float]) -> Iterator[Sight]:
    """Matches of workers that are alike, between bots with these rates of faults."""
    for _ in range(matches):
        bots = tuple(chance.sample(sorted(rates), 2))
        faults = tuple(chance.random() < rates[bot] for bot in bots)
        yield Sight(chance.choice(WORKERS), bots, faults, log(300) + chance.gauss(0, 0.3))


def test_workers_that_are_alike_are_seldom_flagged() -> None:
    chance = random.Random(1)
    rates = {"sound": 0.0, "weak": 0.1, "bad": 0.6}
    flagged = sum(bool([*standing_out([*sights(chance, 60, rates)], risk=0.05)]) for _ in range(300))
    assert flagged <= 0.05 * 300


def test_faults_are_compared_with_those_of_the_same_bots() -> None:
    """A worker that had more matches of a bad bot does not stand out; one where a sound bot fails does."""
    met_the_bad = [Sight("ann", ("bad", "sound"), (True, False), 5.0)] * 12
    others = [Sight("bob", ("bad", "sound"), (True, False), 5.0)] * 2
    others += [Sight("bob", ("sound", "good"), (False, False), 5.0)] * 30
    assert [*standing_out([*met_the_bad, *others])] == []
    spoiled = [replace(sight, faults=(True, True)) for sight in met_the_bad]
    (found,) = standing_out([*spoiled, *others])
    assert (found.worker, found.by_faults) == ("ann", True)
    assert found.sentence.startswith("stands out: 24 of its 24 seats had a fault, where ")


@pytest.mark.parametrize(("times", "flagged"), [(3.0, ["ann"]), (1.2, []), (0.3, [])])
def test_an_overhead_must_be_much_larger_than_that_of_the_others(times: float, flagged: list[str]) -> None:
    found = [
        replace(sight, overhead=sight.overhead + log(times)) if sight.worker == "ann" else sight
        for sight in sights(random.Random(2), 120, {"mia": 0.0, "joe": 0.0, "lea": 0.0})
    ]
    assert [one.worker for one in standing_out(found)] == flagged


def test_the_overhead_of_slow_bots_is_not_held_against_the_worker_that_met_them() -> None:
    quick = [Sight("bob", ("mia", "joe"), (False, False), log(100) + n / 100) for n in range(20)]
    slow = [Sight("ann", ("lea", "kim"), (False, False), log(900) + n / 100) for n in range(20)]
    assert [*standing_out([*quick, *slow])] == []


class Counted(list[Sight]):
    """Counts how often it is iterated."""

    times = 0

    def __iter__(self) -> Iterator[Sight]:
        self.times += 1
        return super().__iter__()


def test_all_matches_are_gone_through_as_often_for_many_workers_as_for_two() -> None:
    times = []
    for workers in (2, 40):
        found = Counted(Sight(f"w{n % workers}", ("mia", "joe"), (False, False), log(100) + n % 7) for n in range(800))
        assert [*standing_out(found)] == []
        times.append(found.times)
    assert times[0] == times[1]


def played(key: int, worker: str, *, fault: bool, speed: float = 1.0, overhead_us: float = 300.0) -> MatchPlayed:
    how = Termination.TERMINATION_CRASH if fault else Termination.TERMINATION_OK
    record = MatchRecord(
        key=str(key),
        worker=worker,
        entrants=[Entrant(name="mia"), Entrant(name="joe")],
        results=[SeatResult(termination=how), SeatResult(termination=Termination.TERMINATION_OK)],
        overhead_p50_us=overhead_us,
        host=Host(speed=speed),
    )
    return MatchPlayed(str(key), ("mia", "joe"), (1, 2), (1.0, 0.0), Path(), True, record)


def test_a_run_looks_when_the_matches_have_doubled_and_says_each_thing_once() -> None:
    outliers = Outliers()
    reported = [
        (number, change.worker)
        for number in range(4 * FIRST_LOOK)
        for change in outliers.follow(played(number, "ann" if number % 2 else "bob", fault=bool(number % 2)))
    ]
    assert reported == [(2 * FIRST_LOOK - 1, "ann")]


def test_matches_that_do_not_count_are_forgotten() -> None:
    outliers = Outliers()
    for number in range(2 * FIRST_LOOK - 1):
        assert not [*outliers.follow(played(number, "ann" if number % 2 else "bob", fault=bool(number % 2)))]
    gone = tuple(str(number) for number in range(1, 2 * FIRST_LOOK, 2))
    assert not [*outliers.follow(BlockVoided(gone, "", ()))]
    assert not [*outliers.follow(played(2 * FIRST_LOOK, "ann", fault=False))]


def test_a_slow_machine_may_have_the_overhead_of_its_speed() -> None:
    outliers = Outliers()
    changes = [
        change
        for number in range(4 * FIRST_LOOK)
        for change in outliers.follow(
            played(number, "slow", fault=False, speed=0.25, overhead_us=1200 + number)
            if number % 2
            else played(number, "fast", fault=False, overhead_us=300 + number)
        )
    ]
    assert changes == []


def with_faults(look: int, faults: int) -> list[MatchPlayed]:
    """Matches up to a look: as many of ann's as asked for, the last ones, have a fault, so earlier looks see none."""
    count = FIRST_LOOK << (look - 1)
    first = count - 2 * faults
    return [
        played(number, "ann" if number % 2 else "bob", fault=bool(number % 2) and number >= first)
        for number in range(count)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("look", [4, 5])
def test_a_look_spends_its_share_of_the_risk(look: int) -> None:
    """Look k spends 1/(k(k+1)) of it, so that all looks together spend at most the whole."""
    runs = [with_faults(look, faults) for faults in range(15, 30)]
    flagged = [any([*outliers.follow(event)] for event in run) for run in runs for outliers in [Outliers()]]
    seen = [[sight_of(event.record) for event in run] for run in runs]
    due = {share: [bool([*standing_out(found, RISK / share)]) for found in seen] for share in (1, 2, look + 1)}
    assert flagged == [bool([*standing_out(found, RISK / (look * (look + 1)))]) for found in seen]
    assert flagged not in due.values()


@pytest.mark.parametrize(("risk", "flagged"), [(4 * 0.00046, []), (4 * 0.00048, ["ann"])])
def test_two_tests_of_each_worker_divide_the_risk(risk: float, flagged: list[str]) -> None:
    """That 8 of 16 matches have the 8 largest overheads is 3.308 standard deviations: a probability of 0.00047."""
    slow = [Sight("ann", ("mia", "joe"), (False, False), log(900) + n / 100) for n in range(8)]
    quick = [Sight("bob", ("mia", "joe"), (False, False), log(100) + n / 100) for n in range(8)]
    assert [found.worker for found in standing_out([*slow, *quick], risk)] == flagged


def test_all_workers_divide_the_risk() -> None:
    run = [sight_of(event.record) for event in with_faults(4, 20)]
    rest = [replace(sight, worker=f"bob {number % 4}") for number, sight in enumerate(run) if sight.worker == "bob"]
    many = [sight for sight in run if sight.worker == "ann"] + rest
    for risk in (0.001, 0.002, 0.004, 0.008, 0.016):
        assert [*standing_out(many, risk)] == [*standing_out(run, risk * 2 / 5)]
