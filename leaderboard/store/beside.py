"""Functions of this program that run in another process, which ends with this one however this one ends."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Final, TypeVar

NICE: Final = 10
"""What is added to the niceness of a process whose results can wait."""

Given = TypeVar("Given")


def begin_beside() -> None:
    """Begin a process of `multiprocessing`: it ends with its parent, on every system, and ignores Ctrl-C before."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    if parent := parent_process():
        wait([parent.sentinel])
        os._exit(0)


@contextmanager
def beside(work: Callable[[Connection, Given], None], given: Given) -> Iterator[Connection]:
    """Run a function in another process, which ends with the context or with this process; yield a pipe from it.

    What the function is given may have passwords: it gets there by a pipe, not as an argument of a command.
    """
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(work, theirs, given), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        process.kill()
        process.join()
        ours.close()


def _work(work: Callable[[Connection, Given], None], parent: Connection, given: Given) -> None:
    begin_beside()
    with suppress(BrokenPipeError):
        work(parent, given)
