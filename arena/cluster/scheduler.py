"""The scheduler of a cluster on this machine, which does not mistake its own pauses for those of its workers."""

from time import time
from typing import Any, Final

from distributed import Scheduler
from tornado.ioloop import PeriodicCallback

LOOK_S: Final = 1.0


class PatientScheduler(Scheduler):
    """A scheduler that gives up workers only for a silence that it has witnessed.

    Dask compares when a worker was heard last with the time of day. When this process was stopped, the machine slept
    or its clock was set, all workers seem to have been silent, and would be given up at once.
    """

    def __init__(self, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**options)
        self._looked = time()
        self.periodic_callbacks["look"] = PeriodicCallback(self.look, LOOK_S * 1000)

    def look(self) -> None:
        """Note the time; if more has passed than between two looks, or less, none of it counts as silence."""
        now = time()
        passed_s, self._looked = now - self._looked, now
        if not 0 <= passed_s <= 2 * LOOK_S:
            for worker in self.workers.values():
                worker.last_seen += passed_s

    async def check_worker_ttl(self) -> None:
        """Give up the workers that are silent."""
        self.look()
        await super().check_worker_ttl()
