"""Plays a tournament with the workers of a cluster; see `ballcourt.arena.cluster`."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from ballcourt.arena.cluster.orders import Demands
from ballcourt.arena.cluster.security import Credentials, check_address, local_workers, security
from ballcourt.arena.extras import needs
from ballcourt.arena.workers.capacity import require
from ballcourt.arena.workers.cores import share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ballcourt.arena.bots.bot import Bot
    from ballcourt.arena.bots.entrant import Entrant
    from ballcourt.arena.cluster.runner import ClusterRunner
    from ballcourt.arena.match.spec import Clock
    from ballcourt.arena.sandbox.tiers import Sandbox
    from ballcourt.arena.tournament.event.setups import SetUp


@contextmanager
def cluster_of(
    demands: Demands, bots: Mapping[Entrant, Bot], address: str, given: Credentials, report: Callable[[str], None]
) -> Iterator[ClusterRunner]:
    """Yield a runner whose workers have built the bots: those at an address, or of a cluster made for `local:N`.

    Sentences for the organiser go to `report`. Raises ClusterError if there is no such cluster or a worker cannot play
    what is demanded; ArenaError if all workers of `local:N` die again and again; CapacityError if this machine cannot
    carry them.
    """
    needs("cluster")
    from ballcourt.arena.cluster.local import local_cluster
    from ballcourt.arena.cluster.runner import ClusterRunner

    workers = local_workers(address)
    with ExitStack() as stack:
        if workers:
            require(workers, demands.seats)
            cores = share(workers, demands.cpus) if demands.cpus else None
            own = stack.enter_context(local_cluster(workers, cores))
            runner = ClusterRunner(own.address, own.security, demands, own)
        else:
            check_address(address, demands.sandbox.tier)
            runner = ClusterRunner(address, security(address, given), demands)
        stack.enter_context(runner)
        report(f"starting {workers} workers" if workers else f"waiting for workers: ballcourt admin worker {address}")
        runner.gather(workers or 1, dict(bots), report)
        yield runner


def demands_of(setups: Sequence[SetUp], sandbox: Sandbox, clock: Clock, cpus: int, *, strict: bool) -> Demands:
    """Return what is asked of every machine that plays these set-ups.

    `cpus` is the number of processors that the bots of each slot have to themselves.
    """
    return Demands(
        games=tuple({setup.game: setup.rules_version for setup in setups}.items()),
        sandbox=sandbox,
        seats=max(setup.seats for setup in setups),
        cpus=cpus,
        clock=clock,
        strict=strict,
    )
