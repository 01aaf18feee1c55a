"""Where a tournament, comparison or ladder is played: on this machine, or on the cluster of the flag --cluster."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import typer

from ballcourt.arena.cluster.security import Credentials, local_workers
from ballcourt.arena.tournament.event.model import Conditions
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.playing.cluster import cluster_of, demands_of
from ballcourt.arena.tournament.playing.play import start_for, workers_of
from ballcourt.arena.tournament.playing.run import Start
from ballcourt.arena.workers.capacity import CapacityError
from ballcourt.arena.workers.cores import crowding
from ballcourt.cli.output import note

CREDENTIALS: Final = ("ca", "cert", "key")


@dataclass(frozen=True, slots=True)
class Machines:
    """Where matches are played: with the workers of a cluster, or of this machine if no address is given."""

    address: str | None
    ca: Path | None
    cert: Path | None
    key: Path | None

    @classmethod
    def of(cls, address: str | None, table: Mapping[str, object]) -> Self:
        """Return what the flag --cluster and the keys of `cluster` in --set say. Raises BadParameter."""
        for name, value in table.items():
            if name not in CREDENTIALS or not isinstance(value, str):
                raise typer.BadParameter(
                    f"cluster.{name} is {value!r}; cluster.{', cluster.'.join(CREDENTIALS)} are paths of PEM files",
                    param_hint="--set",
                )
        return cls(address, *(Path(str(table[name])) if name in table else None for name in CREDENTIALS))

    @property
    def is_cluster(self) -> bool:
        """Whether an address was given."""
        return self.address is not None

    @property
    def credentials(self) -> Credentials:
        """The certificates and the key of this machine."""
        return Credentials(self.ca, self.cert, self.key)

    def check(self, workers: int | None) -> None:
        """Raise BadParameter for flags that do not go together; `workers` is the value of --workers."""
        if self.is_cluster and workers:
            raise typer.BadParameter(
                "with --cluster, each worker says how many matches it plays (--slots)", param_hint="--workers"
            )
        if not self.is_cluster and (self.ca or self.cert or self.key):
            raise typer.BadParameter("cluster.ca, cluster.cert and cluster.key are for --cluster tls://HOST:PORT")

    @contextmanager
    def starting(self, planned: Plan, settings: Conditions, *, strict: bool) -> Iterator[tuple[Start, int]]:
        """Yield what starts a runner, and the number of matches that are played at the same time.

        The workers of a cluster have joined and built the bots by then. Raises CapacityError or ClusterError.
        """
        if self.address is None:
            say_crowding(planned, settings, strict=strict)
            yield start_for(settings, planned), workers_of(settings)
            return

        if workers := local_workers(self.address):
            say_crowding(planned, settings.replaced(workers=workers), strict=strict)
        demands = demands_of(planned.setups, planned.sandbox, planned.clock, settings.cpus or 0, strict=strict)
        with cluster_of(demands, planned.bots, self.address, self.credentials, note) as runner:
            yield (lambda _: nullcontext(runner)), runner.slots


def say_crowding(planned: Plan, settings: Conditions, *, strict: bool) -> None:
    """Say that bots will wait for each other while their clocks run. If it is to be `strict`, raise CapacityError."""
    workers = min(workers_of(settings), planned.matches)
    sentence = crowding(workers, planned.seats, settings.cpus or 0, planned.clock)
    if not sentence:
        return
    if strict:
        raise CapacityError(f"--strict: {sentence}")
    note(f"caution: {sentence}")
