"""The runner of a host: its one worker lets remote bots in."""

from dataclasses import replace

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.workers.orders import Beat, Present, RollCall
from ballcourt.arena.workers.runner import Runner

ORDERS = 1000
"""How many matches the worker is sent at a time: enough that those whose bots are away do not hold up the others."""


class HostRunner(Runner):
    """A runner whose one worker lets remote bots in."""

    def __init__(self, hosting: Hosting) -> None:
        super().__init__(workers=1, matches_per_worker=ORDERS, hosting=hosting)
        self._hosting: Hosting = hosting

    def roll_call(self) -> dict[str, str]:
        """Wait until all remote bots are there; return their versions by name, which hold from then on."""
        (worker,) = self._workers
        try:
            worker.connection.send(RollCall())
            while isinstance(present := worker.connection.recv(), Beat):
                pass
        except (EOFError, OSError):
            raise ArenaError("the worker that waits for the remote bots died; its output is above") from None
        assert isinstance(present, Present), "no match has been ordered yet"
        self._hosting = replace(self._hosting, versions=present.versions)  # for a worker that replaces this one
        return present.versions
