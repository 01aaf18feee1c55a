"""What goes on in threads of its own while a contest is served."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from ballcourt.arena.faults import ArenaError
from ballcourt.engine.core import WrongInput

LOOK_S: Final = 1.0


@contextmanager
def meanwhile(name: str, task: Callable[[Event], None]) -> Iterator[None]:
    """Run a task in a thread meanwhile; it gets what is set when it is to end."""
    over = Event()
    thread = Thread(target=task, args=(over,), name=name)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def attempted(step: Callable[[], object], report: Callable[[str], None], trouble: str) -> str:
    """Take a step; return why it failed, empty if it did not. It is reported unless it is the `trouble` of before."""
    try:
        step()
    except (ArenaError, OSError, WrongInput) as error:
        if str(error) != trouble:
            report(str(error))
        return str(error)
    return ""


def followed(step: Callable[[], None], report: Callable[[str], None]) -> Callable[[Event], None]:
    """Return a task that takes a step every `LOOK_S` seconds, and reports once each reason why that fails."""

    def task(over: Event) -> None:
        trouble = ""
        while not over.wait(LOOK_S):
            trouble = attempted(step, report, trouble)

    return task
