"""A program that is asked one thing, in a process of its own: it reads a line of JSON, and prints its answer as one.

The process that asks goes on meanwhile, and may end the program at any time. The program ends when its parent does.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from tempfile import TemporaryFile
from typing import Generic, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.models import Model
from ballcourt.arena.processes.tree import end_on_interrupts, end_with_parent

Asking = TypeVar("Asking", bound=Model)
Answering = TypeVar("Answering")
Answer = TypeVar("Answer", covariant=True)


class AnswerDue(Protocol[Answer]):
    """A program that was asked, or what stands for one."""

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""

    def outcome(self) -> Answer:
        """Return its answer. Raises ArenaError."""

    def end(self) -> None:
        """End it now."""


class AskedProcess(Generic[Answering]):
    """A program that was asked."""

    def __init__(
        self, module: str, asking: Model, answering: type[Answering], environment: Mapping[str, str], what: str
    ) -> None:
        """`module` is run with a line of JSON; errors call what it does `what`, such as "its check"."""
        self._answering = TypeAdapter(answering)
        self._what = what
        self._printed, self._complained = TemporaryFile(), TemporaryFile()  # noqa: SIM115  # until they are read
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=self._printed,
            stderr=self._complained,
            start_new_session=True,  # signals from the terminal reach only the parent, which ends it
        )
        assert self._process.stdin, "it is a pipe"
        with suppress(BrokenPipeError), self._process.stdin as pipe:  # if it has ended, `outcome` says so
            pipe.write(asking.model_dump_json().encode() + b"\n")

    @property
    def is_over(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def outcome(self) -> Answering:
        """Wait for the end; return the answer. Raises ArenaError."""
        code = self._process.wait()
        for file in (self._printed, self._complained):
            file.seek(0)
        try:
            return self._answering.validate_json(self._printed.read())
        except ValidationError:
            lines = self._complained.read().decode(errors="replace").splitlines()
            end = lines[-1] if lines else "no output"
            raise ArenaError(f"{self._what} ended with exit code {code}: {end}") from None

    def end(self) -> None:
        """End the process and all that it started."""
        self._process.kill()
        self._process.wait()


def answer(asking: type[Asking], find: Callable[[Asking], object]) -> None:
    """Be such a program: read what is asked, and print what `find` returns."""
    end_on_interrupts()
    end_with_parent()
    if line := sys.stdin.readline():  # nothing if the parent has ended already
        found = find(asking.model_validate_json(line))
        os.write(sys.stdout.fileno(), TypeAdapter[object](type(found)).dump_json(found))
