"""Exit codes, and how whatever goes wrong becomes one of them and a sentence on stderr."""

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
    """The group of all subcommands; a subcommand may raise, this says it to a person."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401
        """Run a subcommand, and exit with the code its exception stands for."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except (typer.Exit, typer.Abort, TyperException, BrokenPipeError):
            raise  # typer's own ways out
        except Exception as error:
            raise typer.Exit(_explain(error)) from None


def _explain(error: Exception) -> int:
    """Print a sentence, or for an error of ours that nobody foresaw all there is to know; return the exit code."""
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
    typer.echo("ballcourt: this is a fault of ballcourt itself; please report it with the lines above", err=True)
    return ARENA_FAILED
