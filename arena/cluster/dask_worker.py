"""A worker of a cluster: joins it, plays what it is sent, and leaves it."""

import asyncio
import secrets
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import dask
from distributed import Security, Worker

from ballcourt.arena.cluster.orders import FACTS, facts_of, resource
from ballcourt.arena.cluster.security import ClusterError, silence_dask
from ballcourt.arena.cluster.slots import Slots
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.files import raise_file_limit
from ballcourt.arena.processes.tree import adopting
from ballcourt.arena.temporary import OWN, private_folder
from ballcourt.engine.registry import games

SETTINGS = {
    # these wake up many times a second, beside thinking bots
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.gil.enabled": False,
}


def drawn_name() -> str:
    """Draw a name for a worker that was given none; it says nothing about the machine."""
    return f"worker-{secrets.token_hex(3)}"


def work(
    address: str, security: Security | None, name: str, slots: int, wait_s: float, joined: Callable[[], None]
) -> int:
    """Join a cluster, call `joined`, and play until a signal ends this process; return its number.

    Raises ClusterError if there is no cluster or another worker has the name, ArenaError if the cluster ends, and a
    WrongInput if this machine cannot play what it is sent.
    """
    raise_file_limit()
    silence_dask()
    seats = Slots(slots)
    with dask.config.set(SETTINGS), adopting(), private_folder() as place:
        make = partial(
            Worker,
            address,
            name=name,
            nthreads=slots,
            resources={resource(game.name, game.rules_version): float(slots) for game in games().values()},
            startup_information={FACTS: lambda _: facts_of(slots, games())},
            plugins=(seats,),
            security=security,
            death_timeout=wait_s,
            memory_limit=0,
            dashboard=False,
            local_directory=str(Path(place, OWN)),
        )
        try:
            ended = asyncio.run(_serve(make, address, name, wait_s, joined))
        finally:
            seats.close()
    if seats.refusal:
        raise seats.refusal
    if not ended:
        raise ArenaError(f"the cluster at {address} has ended, or has given up this worker; start it again to join")
    return ended


async def _serve(make: Callable[[], Worker], address: str, name: str, wait_s: float, joined: Callable[[], None]) -> int:
    """Play until the worker is closed; return the signal that closed it, 0 if none did."""
    signals: list[int] = []
    over = asyncio.Event()

    def end(number: int) -> None:
        signals.append(number)
        over.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, end, number)
    worker = make()
    try:
        await worker
    except (TimeoutError, OSError) as error:
        raise ClusterError(
            f"no cluster answers at {address}, tried for {wait_s:g} s; start one with `dask scheduler`, check the "
            "address, and give the same certificates"
        ) from error
    except ValueError as error:
        raise ClusterError(f"the cluster at {address} refuses a worker called {name}: {error}") from error
    joined()
    waits = [asyncio.create_task(worker.finished()), asyncio.create_task(over.wait())]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    await worker.close()
    return signals[0] if signals else 0
