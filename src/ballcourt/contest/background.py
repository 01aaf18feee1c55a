"""What goes on in threads of its own while a contest is served."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging import Logger
from threading import Event, Thread
from typing import Final

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


def followed(step: Callable[[], None], log: Logger, warning: str) -> Callable[[Event], None]:
    """Return a task that takes a step every `LOOK_S` seconds, and warns once of each reason why that fails.

    The warning has a %s for the reason, an OSError or a WrongInput.
    """

    def task(over: Event) -> None:
        trouble = ""
        while not over.wait(LOOK_S):
            try:
                step()
                trouble = ""
            except (OSError, WrongInput) as error:
                if str(error) != trouble:
                    trouble = str(error)
                    log.warning(warning, trouble)

    return task
