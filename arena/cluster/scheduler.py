"""Makes a scheduler patient with its workers, and not with strangers.

It does not mistake its own pauses for those of its workers, and waits only so long for a visitor's certificate. It is a
preload of Dask: `dask scheduler --preload ballcourt.arena.cluster.scheduler`.
"""

from time import time
from typing import Final

from distributed import Scheduler
from tornado.ioloop import PeriodicCallback

from ballcourt.arena.cluster import listening  # noqa: F401 - it sets how the scheduler listens

LOOK_S: Final = 1.0


class Patience:
    """Has a scheduler give up workers only for a silence that it has witnessed.

    Dask compares when a worker was heard last with the time of day. When the process was stopped, the machine slept or
    its clock was set, all workers seem to have been silent, and would be given up at once.
    """

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._looked = time()

    def look(self) -> None:
        """Note the time; if more has passed than between two looks, or less, none of it counts as silence."""
        now = time()
        passed_s, self._looked = now - self._looked, now
        if not 0 <= passed_s <= 2 * LOOK_S:
            for worker in self._scheduler.workers.values():
                worker.last_seen += passed_s

    async def check(self) -> None:
        """Give up the workers that are silent."""
        self.look()
        await self._scheduler.check_worker_ttl()


def dask_setup(scheduler: Scheduler) -> None:
    """Make a scheduler patient before its callbacks are started. Dask calls this."""
    patience = Patience(scheduler)
    scheduler.periodic_callbacks["look"] = PeriodicCallback(patience.look, LOOK_S * 1000)
    if scheduler.worker_ttl:
        scheduler.periodic_callbacks["worker-ttl"] = PeriodicCallback(patience.check, scheduler.worker_ttl * 1000)
