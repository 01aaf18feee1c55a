"""Processors of their own for the bots of each worker."""

import os

import pytest

from ballcourt.arena.match.spec import Clock
from ballcourt.arena.workers import cores
from ballcourt.arena.workers.capacity import CapacityError
from ballcourt.arena.workers.cores import Cores, crowding, share, usable, workers_by_default
from ballcourt.arena.workers.runner import Runner
from tests.arena.conftest import LOWEST, Traces
from tests.arena.matches import match_of


@pytest.fixture
def six(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with six processors, of which the first cannot be used."""
    monkeypatch.setattr(cores, "usable", lambda: [1, 2, 3, 4, 5])


@pytest.mark.usefixtures("six")
def test_bots_of_different_workers_share_no_processor_and_the_arena_has_the_rest() -> None:
    assert share(2, 2) == [Cores(bots=(1, 2), arena=(5,)), Cores(bots=(3, 4), arena=(5,))]
    assert share(1, 3) == [Cores(bots=(1, 2, 3), arena=(4, 5))]


@pytest.mark.usefixtures("six")
def test_an_arena_without_a_processor_of_its_own_may_use_all() -> None:
    assert share(5, 1)[4] == Cores(bots=(5,), arena=(1, 2, 3, 4, 5))


@pytest.mark.usefixtures("six")
@pytest.mark.parametrize(("cpus", "workers"), [(0, 5), (1, 4), (2, 2), (3, 1), (5, 1)])
def test_by_default_a_processor_is_left_to_the_arena_if_there_is_one(cpus: int, workers: int) -> None:
    assert workers_by_default(cpus) == workers


@pytest.mark.usefixtures("six")
@pytest.mark.parametrize(
    ("workers", "cpus", "advice"),
    [(6, 1, "5 workers"), (3, 2, "2 workers"), (3, 3, "1 worker"), (1, 6, "5 processors")],
)
def test_more_than_there_are_is_refused_with_what_fits(workers: int, cpus: int, advice: str) -> None:
    with pytest.raises(CapacityError, match=rf"do not fit into the 5 processors that .*: give at most {advice}$"):
        share(workers, cpus)


@pytest.mark.usefixtures("six")
def test_bots_that_think_at_the_same_time_on_too_few_processors_are_counted() -> None:
    assert crowding(5, 4, 0, Clock()) == ""
    assert crowding(2, 4, 1, Clock()) == ""
    assert crowding(1, 4, 4, Clock(ponder=True)) == ""
    assert crowding(6, 4, 0, Clock(work=1)) == ""
    assert crowding(6, 4, 0, Clock()).startswith("up to 6 bots think at the same time on 5 processors")
    assert crowding(2, 3, 2, Clock(ponder=True)).startswith("up to 6 bots think at the same time on 4 processors")


@pytest.mark.slow
def test_bots_run_on_the_processors_of_their_worker(traces: Traces) -> None:
    own = Cores(bots=(usable()[0],), arena=tuple(usable()[-1:]))
    with Runner(workers=1, cores=[own]) as runner:
        (record,) = runner.run([match_of("m", "bluff", {}, 1, (LOWEST, LOWEST))])
        bot, worker = traces.pid_of("honest.py"), traces.pid_of("ballcourt.arena.workers.worker")
        assert os.sched_getaffinity(bot) == {*own.bots}
        assert os.sched_getaffinity(worker) == {*own.arena}
    assert record.bot_cpus == 1
    assert record.host.cpus == len(usable()), "the machine's, not the worker's"
    assert traces.all_gone()
