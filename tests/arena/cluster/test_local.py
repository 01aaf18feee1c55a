"""The processors of the workers of a cluster on this machine."""

from ballcourt.arena.cluster.local import processors_of
from ballcourt.arena.workers.cores import Cores


def test_workers_share_what_is_left_for_the_arena() -> None:
    cores = [Cores(bots=(0, 1), arena=(4, 5)), Cores(bots=(2, 3), arena=(4, 5))]
    assert [processors_of(cores, number) for number in range(2)] == [{0, 1, 4, 5}, {2, 3, 4, 5}]


def test_a_worker_keeps_off_the_processors_of_the_bots_of_others() -> None:
    """If nothing is left for the arena, it may use all: each worker then stays with its own bots."""
    cores = [Cores(bots=(0, 1), arena=(0, 1, 2, 3)), Cores(bots=(2, 3), arena=(0, 1, 2, 3))]
    assert [processors_of(cores, number) for number in range(2)] == [{0, 1}, {2, 3}]
