"""Exit codes, and how exceptions become one of them and a sentence on stderr."""

import traceback
from typing import Any, Final

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

CHECK_FAILED: Final = 1
WRONG_INPUT: Final = 2
ARENA_FAILED: Final = 3
INTERRUPTED: Final = 130


class Commands(TyperGroup):
    """The group of all commands; prints the exceptions that they raise for people to read."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401
        """Run a command, and exit with the code that belongs to its exception."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except (typer.Exit, typer.Abort, TyperException, BrokenPipeError):
            raise  # typer handles these itself
        except Exception as error:
            raise typer.Exit(_explain(error)) from None


def _explain(error: Exception) -> int:
    """Print a sentence, or the traceback of an unexpected internal error; return the exit code."""
    from ballcourt.arena.faults import ArenaError
    from ballcourt.engine.core import WrongInput

    if isinstance(error, WrongInput):
        from ballcourt.arena.records.readable import printable

        lines = (printable(line) for line in str(error).split("\n"))
        typer.echo("ballcourt: " + "\n".join(lines), err=True)
        return WRONG_INPUT
    if isinstance(error, ArenaError | OSError):
        typer.echo("\n".join([f"ballcourt: the arena failed: {error}", *getattr(error, "__notes__", ())]), err=True)
        return ARENA_FAILED
    traceback.print_exception(error)
    typer.echo("ballcourt: this is a bug in ballcourt; please report it with the lines above", err=True)
    return ARENA_FAILED
