"""Results of tasks, fetched from the workers of a cluster while the arena goes on with other things."""

import asyncio
from concurrent.futures import Future as Answer
from typing import TypeVar

from distributed import Client, Future

__all__ = ["Answer", "fetched"]

Result = TypeVar("Result")


def fetched(client: Client, task: Future[Result]) -> Answer[Result]:
    """Return the answer of a task, which is done when its result is here: it is fetched as soon as there is one.

    A result stays with its worker until it is fetched. If that worker dies first, Dask has the task done again, and
    whoever asks `task` for its result, though it was done before, waits until it is: for ever if no worker is left.
    """

    async def fetch() -> Result:
        result: Result = await client.gather(task, asynchronous=True)
        return result

    assert client.loop, "the client is open"
    return asyncio.run_coroutine_threadsafe(fetch(), client.loop.asyncio_loop)  # type: ignore[attr-defined]
