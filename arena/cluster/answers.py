"""What a cluster answers: its scheduler at once, its workers while the arena goes on with other things."""

from __future__ import annotations  # the futures of distributed 2025.4 are not generic

import asyncio
from concurrent.futures import Future as Answer
from typing import Any, Final, TypeVar

from distributed import Client, Future

from ballcourt.arena.faults import ArenaError

__all__ = ["Answer", "asked", "fetched"]

Result = TypeVar("Result")
SILENT_S: Final = 30.0
"""How long a scheduler may take to answer; one that is stopped never does, though its machine keeps the connection."""
TRIES: Final = 2
"""How often it is asked: the time may have passed while we were stopped ourselves."""


def asked(client: Client, what: str, sending_s: float = 0.0, **arguments: Any) -> Any:  # noqa: ANN401
    """Return what the scheduler says to a question, which it may take some time to send.

    Raises ArenaError if the scheduler has ended, or is silent.
    """
    limit_s = SILENT_S + sending_s
    for _ in range(TRIES):
        try:
            if client.status in ("running", "connecting"):
                return client.sync(getattr(client.scheduler, what), callback_timeout=limit_s, **arguments)
        except TimeoutError:
            continue
        except OSError:
            pass  # the connection is gone
        raise ArenaError("the cluster has ended; run the same command again when it is there")
    raise ArenaError(
        f"the scheduler of the cluster has been silent for {TRIES * limit_s:g} s; if it is stopped, continue or "
        "replace it, and run the same command again"
    )


def fetched(client: Client, task: Future[Result]) -> Answer[Result]:
    """Return the answer of a task, which is done when its result is here: it is fetched as soon as there is one.

    A result stays with its worker until it is fetched. If that worker dies first, Dask has the task done again, and
    a call that asks `task` for its result waits until it is done again: forever if no worker is left.
    """

    async def fetch() -> Result:
        result: Result = await client.gather(task, asynchronous=True)
        return result

    assert client.loop, "the client is open"
    return asyncio.run_coroutine_threadsafe(fetch(), client.loop.asyncio_loop)  # type: ignore[attr-defined]
