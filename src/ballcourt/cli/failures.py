"""Exit codes, and how exceptions become one of them and a sentence on stderr."""

import io
import os
import signal
import sys
import traceback
from _thread import interrupt_main
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from errno import ENAMETOOLONG
from threading import Timer
from typing import Any, Final, Self

import typer
from typer.exceptions import TyperException

from ballcourt.arena.printable import cut
from ballcourt.cli.output import note

CHECK_FAILED: Final = 1
WRONG_INPUT: Final = 2
ARENA_FAILED: Final = 3
"""The arena failed, or a server that it asked."""
INTERRUPTED: Final = 130
OUTPUT_CLOSED: Final = 141
TERMINATED: Final = 143
DROPPED_S: Final = 0.05
"""How long after it was dropped an interruption comes again."""
LONGEST_SENTENCE: Final = 2000
"""In characters; a value that is quoted in it may be a whole file."""


@contextmanager
def explained() -> Iterator[None]:
    """Print the exception that a command raises for people to read, and exit with the code that belongs to it."""
    _raise_on_sigint()
    try:
        yield
    except Terminated:
        note("terminated")
        raise typer.Exit(TERMINATED) from None
    except KeyboardInterrupt:
        note("interrupted")
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:  # the reader of the output, such as `head`, has seen enough
        _discard_stdout()
        raise typer.Exit(OUTPUT_CLOSED) from None
    except OutputError as error:
        _discard_stdout()
        note(f"ballcourt: the output could not be written: {error.strerror}")
        raise typer.Exit(ARENA_FAILED) from None
    except TyperException as error:
        _reword(error)
        raise  # typer handles these itself
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        raise typer.Exit(explain(error)) from None


class OutputError(OSError):
    """What a command prints could not be written, for example because the disk is full."""


class Stdout(io.TextIOWrapper):
    """A stdout whose failures can be distinguished from those of other files."""

    @classmethod
    def around(cls, stdout: io.TextIOWrapper) -> Self:
        """Return a stream that takes the place of `stdout`, which cannot be used any longer."""
        like: Any = {"encoding": stdout.encoding, "errors": stdout.errors, "line_buffering": stdout.line_buffering}
        return cls(stdout.detach(), **like)

    def write(self, text: str) -> int:
        """Write a string, long ones at once. Raises as `flush` does."""
        with _as_output_error():
            return super().write(text)

    def flush(self) -> None:
        """Write what is buffered. Raises OutputError if it cannot be written, BrokenPipeError if its reader is gone."""
        with _as_output_error():
            super().flush()


@contextmanager
def _as_output_error() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.errno, error.strerror) from error


class Terminated(KeyboardInterrupt):
    """SIGTERM came. Unlike an interruption by a person, it often precedes another start."""


def end_on_sigterm() -> None:
    """Make SIGTERM raise `Terminated`, so that a command ends as tidily as after Ctrl-C."""

    def raise_it(*_: object) -> None:
        signal.signal(signal.SIGTERM, lambda *_: None)  # the end is under way
        raise Terminated

    signal.signal(signal.SIGTERM, raise_it)


def heed_interruptions() -> None:
    """Repeat an interruption that came where Python drops exceptions: in a callback of the collector, or `__del__`."""

    def repeat(dropped: "sys.UnraisableHookArgs") -> None:
        if issubclass(dropped.exc_type, Terminated):
            end_on_sigterm()
            Timer(DROPPED_S, interrupt_main, [signal.SIGTERM]).start()  # here it would be dropped again
        elif issubclass(dropped.exc_type, KeyboardInterrupt):
            Timer(DROPPED_S, interrupt_main).start()
        else:
            sys.__unraisablehook__(dropped)

    sys.unraisablehook = repeat


def _raise_on_sigint() -> None:
    """Make Ctrl-C raise KeyboardInterrupt, which until now ended the process: see `ballcourt.__main__`."""
    if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, signal.default_int_handler):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _reword(error: TyperException) -> None:
    """Say what is wrong with a flag as the other sentences do, and where the options of games belong."""
    for wrong in getattr(error.__cause__, "errors", list)():  # of pydantic, which typer uses
        if allowed := _allowed(wrong["type"], wrong.get("ctx", {})):
            error.message = f"it is {cut(repr(wrong['input']))}; it must be {allowed}"
    if "unexpected extra argument" in error.message and ".match" in error.message:
        error.message += "; give one record: `last` is the newest in ./runs, and a folder stands for its newest"
    name = str(getattr(error, "option_name", "")).lstrip("-")
    takes = {parameter.name for parameter in getattr(getattr(error, "cmd", None), "params", ())}
    if name and "option" in takes:
        error.message += f"; an option of the game is written --option {name}=VALUE"
        if "set" in takes:
            error.message += f", a key of a tournament file --set {name}=VALUE"


def _allowed(kind: str, limits: Mapping[str, object]) -> str:
    """Return what pydantic asks of the value of a flag, by the kind of its error; empty for all that say it well."""
    match kind:
        case "int_parsing" | "int_parsing_size":
            return "a whole number"
        case "float_parsing":
            return "a number"
        case "greater_than_equal":
            return f"at least {limits['ge']}".removesuffix(".0")
        case "less_than_equal":
            return f"at most {limits['le']}".removesuffix(".0")
    return ""


def explain(error: Exception) -> int:
    """Print a sentence, or the traceback of an unexpected internal error; return the exit code."""
    from ballcourt.arena.faults import ArenaError, ServerError, notes_of  # help needs none of these
    from ballcourt.arena.files import FULL, MAKE_SPACE
    from ballcourt.engine.core import WrongInput

    if isinstance(error, WrongInput | ServerError):
        for line in (f"ballcourt: {error}", *notes_of(error)):
            note(cut(line, LONGEST_SENTENCE))
        return ARENA_FAILED if isinstance(error, ArenaError | ServerError) else WRONG_INPUT
    if isinstance(error, FileNotFoundError) and "temporary" in str(error.strerror):  # of tempfile.gettempdir
        note("ballcourt: there is no folder for temporary files; set TMPDIR to one that can be written")
        return WRONG_INPUT
    if isinstance(error, FileNotFoundError) and error.filename is None:  # of getcwd(2)
        note("ballcourt: the current folder has been removed; change to another one")
        return WRONG_INPUT
    if isinstance(error, OSError) and error.errno == ENAMETOOLONG:
        note(f"ballcourt: there can be no file {cut(str(error.filename))}: its name is too long; name another one")
        return WRONG_INPUT
    if isinstance(error, OSError) and error.errno in FULL:
        file = cut(str(error.filename or "a file"), LONGEST_SENTENCE)
        note(f"ballcourt: the arena failed: {file} cannot be written: {MAKE_SPACE}")
        return ARENA_FAILED
    if isinstance(error, ArenaError | OSError):
        for line in (f"ballcourt: the arena failed: {error}", *notes_of(error)):
            note(cut(line, LONGEST_SENTENCE))
        return ARENA_FAILED
    if isinstance(error, MemoryError):
        note("ballcourt: the arena failed: it ran out of memory; raise the limit (ulimit -v), or end other programs")
        return ARENA_FAILED
    for line in "".join(traceback.format_exception(error)).splitlines():
        note(line)
    note("ballcourt: this is a bug in ballcourt; please report it with the lines above")
    return ARENA_FAILED


def _discard_stdout() -> None:
    """Discard what is left to print, so that Python does not complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
