"""A worker of a cluster: joins it, plays what it is sent, and leaves it."""

import asyncio
import secrets
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import dask
from distributed import Security, Worker

from ballcourt.arena.cluster.listening import WithoutPages, own_address
from ballcourt.arena.cluster.orders import FACTS, facts_of, resource
from ballcourt.arena.cluster.security import ClusterError, silence_dask
from ballcourt.arena.cluster.slots import Slots
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.files import raise_file_limit
from ballcourt.arena.match.policy import counted
from ballcourt.arena.processes.tree import adopting
from ballcourt.arena.temporary import OWN, private_folder
from ballcourt.engine.registry import games

PAUSE_S: Final = 1.0
"""How long a worker rests before it joins again."""
SETTINGS = {
    # these wake up many times a second, beside thinking bots
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.gil.enabled": False,
}


class _Worker(WithoutPages, Worker):
    pass


def drawn_name() -> str:
    """Draw a name for a worker that was given none; it says nothing about the machine."""
    return f"worker-{secrets.token_hex(3)}"


def work(
    address: str, security: Security | None, name: str, slots: int, wait_s: float, report: Callable[[str], None]
) -> int:
    """Join a cluster, and play until a signal ends this process; return its number.

    When the cluster ends, try for `wait_s` seconds to join it again. Raises ClusterError if there is no cluster or
    another worker has the name, ArenaError if the cluster does not come back, and a WrongInput if this machine cannot
    play what it is sent. Sentences go to `report`.
    """
    raise_file_limit()
    silence_dask()

    def joined() -> None:
        report(f"{name} has joined {address}, for {counted(slots, 'match')} at a time")

    with asyncio.Runner() as runner:  # one loop for every cluster: the end of a loop gives up its handlers of signals
        first = runner.run(_first_signal())
        ended = _work(runner, first, address, security, name, slots, wait_s, joined)
        while not ended:
            report(f"the cluster at {address} has ended, or has given up this worker; it tries to join again")
            try:
                ended = _work(runner, first, address, security, name, slots, wait_s, joined, PAUSE_S)
            except ClusterError as error:
                raise ArenaError(f"the cluster has ended, or has given up this worker: {error}") from error
        return ended


async def _first_signal() -> "asyncio.Future[int]":
    """Return what the first Ctrl-C or SIGTERM from now on will set to its number."""
    loop = asyncio.get_running_loop()
    first: asyncio.Future[int] = loop.create_future()

    def end(number: int) -> None:
        if not first.done():
            first.set_result(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end, number)
    return first


def _work(
    runner: asyncio.Runner,
    first: "asyncio.Future[int]",
    address: str,
    security: Security | None,
    name: str,
    slots: int,
    wait_s: float,
    joined: Callable[[], None],
    rest_s: float = 0.0,
) -> int:
    """Rest, join a cluster once, and play; return the signal that ended it, 0 if the cluster did."""
    seats = Slots(slots)
    with dask.config.set(SETTINGS), adopting(), private_folder() as place:
        make = partial(
            _Worker,
            address,
            host=_own_address(address),
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
            ended = runner.run(_serve(make, first, address, name, wait_s, joined, rest_s))
        finally:
            seats.close()
    if seats.refusal:
        raise seats.refusal
    return ended


def _own_address(address: str) -> str:
    try:
        return own_address(address)
    except OSError as error:
        raise ClusterError(f"the cluster at {address} cannot be reached: {error.strerror or error}") from error


async def _serve(
    make: Callable[[], Worker],
    first: "asyncio.Future[int]",
    address: str,
    name: str,
    wait_s: float,
    joined: Callable[[], None],
    rest_s: float,
) -> int:
    """Play until the worker is closed; return the signal that closed it, 0 if none did."""
    if (await asyncio.wait([first], timeout=rest_s))[0]:
        return first.result()
    worker = make()
    joining = asyncio.create_task(worker.start())
    await asyncio.wait([joining, first], return_when=asyncio.FIRST_COMPLETED)
    if not joining.done():
        joining.cancel()
        await asyncio.wait([joining])
        return first.result()
    try:
        joining.result()
    except (TimeoutError, OSError) as error:
        raise ClusterError(
            f"no cluster answers at {address}, tried for {wait_s:g} s; start one with `dask scheduler`, check the "
            "address, and give the same certificates"
        ) from error
    except ValueError as error:
        raise ClusterError(f"the cluster at {address} refuses a worker called {name}: {error}") from error
    joined()
    await asyncio.wait([asyncio.create_task(worker.finished()), first], return_when=asyncio.FIRST_COMPLETED)
    await worker.close()
    return first.result() if first.done() else 0
