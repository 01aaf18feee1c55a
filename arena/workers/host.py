"""The runner of a host: its one worker lets remote bots in."""

from contextlib import suppress
from dataclasses import replace

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.workers.orders import Beat, Dismiss, Dismissed, Present, RollCall
from ballcourt.arena.workers.runner import Runner

ORDERS = 1000
"""How many matches the worker is sent at a time: enough that those whose bots are away do not hold up the others."""


class HostRunner(Runner):
    """A runner whose one worker lets remote bots in."""

    def __init__(self, hosting: Hosting) -> None:
        super().__init__(workers=1, matches_per_worker=ORDERS, hosting=hosting)
        self._hosting: Hosting = hosting

    def __exit__(self, *exception: object) -> None:
        """End the worker; say Goodbye to all bots first if play is over, or a person has interrupted it.

        Otherwise the streams break, so that the bots dial again and meet the host that is started next.
        """
        try:
            if exception[0] in (None, KeyboardInterrupt):
                self._dismiss("the arena closes")
        finally:
            super().__exit__(*exception)

    def _dismiss(self, reason: str) -> None:
        (worker,) = self._workers
        with suppress(EOFError, OSError):  # the worker is dead or hangs
            worker.connection.send(Dismiss(reason))
            while not isinstance(worker.connection.recv(), Dismissed):
                pass

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
