"""A cluster on this machine: a scheduler in this process, and workers as `ballcourt admin worker` starts them."""

import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import dask
from distributed import Scheduler, Security, SpecCluster

from ballcourt.arena.cluster import scheduler as patience
from ballcourt.arena.cluster.listening import WithoutPages
from ballcourt.arena.cluster.security import Credentials, security
from ballcourt.arena.extras import needs
from ballcourt.arena.processes.tree import end_processes, end_with_parent
from ballcourt.arena.temporary import OWN, private_folder
from ballcourt.arena.workers.cores import Cores
from ballcourt.arena.workers.process import HANG_S, environment
from ballcourt.arena.workers.queue import DEATHS

LEAVE_S: Final = 30.0


class _Scheduler(WithoutPages, Scheduler):
    pass


@dataclass(slots=True)
class _Worker:
    """A worker of a cluster on this machine."""

    start: Callable[[], "subprocess.Popen[bytes]"]
    process: "subprocess.Popen[bytes]"
    deaths: int = 0
    """How often it has died since a block ended."""


class LocalWorkers:
    """A cluster on this machine: its address, its certificates and its workers."""

    def __init__(self, address: str, security: Security) -> None:
        self.address = address
        self.security = security
        self._workers: list[_Worker] = []

    def start(self, start: Callable[[], "subprocess.Popen[bytes]"]) -> None:
        """Start one more worker by `start`, which is called again to restart it."""
        self._workers.append(_Worker(start, start()))

    def running(self) -> int:
        """Return how many workers have not ended."""
        return sum(worker.process.poll() is None for worker in self._workers)

    def restart(self) -> None:
        """Restart workers that have died, except those that have died `DEATHS` times since a block ended."""
        for worker in self._workers:
            if worker.deaths < DEATHS and worker.process.poll() is not None:
                worker.deaths += 1
                if worker.deaths < DEATHS:
                    worker.process = worker.start()

    def note_block(self) -> None:
        """Forget earlier deaths, since a block has ended; workers that were given up stay so."""
        for worker in self._workers:
            if worker.deaths < DEATHS:
                worker.deaths = 0

    def end(self) -> None:
        """End all workers."""
        end_processes([worker.process for worker in self._workers], LEAVE_S)


@contextmanager
def local_cluster(workers: int, cores: Sequence[Cores] | None = None) -> Iterator[LocalWorkers]:
    """Run a cluster with this number of workers, one slot each.

    With `cores`, each worker has its own. Other users of this machine cannot join: the certificates are new.
    """
    settings = {
        "distributed.scheduler.worker-ttl": f"{HANG_S:g}s",
    }
    with ExitStack() as stack:
        place = Path(stack.enter_context(private_folder()), OWN)
        stack.enter_context(dask.config.set({**settings, "temporary-directory": str(place)}))
        given = _credentials(place)
        safe = security("tls://", given)
        assert safe, "TLS is asked for"
        options = {
            "host": "127.0.0.1",
            "protocol": "tls",
            "security": safe,
            "port": 0,
            "preload": [patience.__name__],
        }
        chosen = {"cls": _Scheduler, "options": options}
        scheduler = stack.enter_context(SpecCluster(scheduler=chosen, security=safe, silence_logs=50))
        local = LocalWorkers(scheduler.scheduler_address, safe)
        stack.callback(local.end)
        for number in range(workers):
            own = processors_of(cores, number) if cores else None
            local.start(partial(_start, local.address, f"local-{number + 1}", given, own))
        yield local


def processors_of(cores: Sequence[Cores], number: int) -> set[int]:
    """Return the processors of a worker: those of its bots, and of the arena's those where no others' bots run."""
    others = {one for other, each in enumerate(cores) if other != number for one in each.bots}
    return {*cores[number].bots, *({*cores[number].arena} - others)}


def _credentials(place: Path) -> Credentials:
    """Write a new certificate and its key into a new folder."""
    needs("cluster")
    made = Security.temporary()
    files = {"ca.pem": made.tls_ca_file, "cert.pem": made.tls_worker_cert, "key.pem": made.tls_worker_key}
    place.mkdir()
    for name, content in files.items():
        (place / name).write_text(content)
    return Credentials(*(place / name for name in files))


def _start(
    address: str, name: str, given: Credentials, processors: Collection[int] | None
) -> "subprocess.Popen[bytes]":
    flags = [word for flag, file in given.files.items() for word in (f"--{flag}", str(file))]
    chosen = ["--processors", ",".join(map(str, sorted(processors)))] if processors else []
    return subprocess.Popen(
        [
            sys.executable,
            "-P",
            "-m",
            "ballcourt",
            "admin",
            "worker",
            address,
            "--name",
            name,
            "--slots",
            "1",
            *flags,
            *chosen,
        ],
        env=environment(),
        stdin=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C reaches this process, which ends them
        preexec_fn=partial(end_with_parent, signal.SIGTERM),
    )
