"""The `ballcourt` command: a function for each command, in a file that is imported when the command is named.

- `commands`: all commands, the panels of the help, and what each needs
- `declaring`, `flags`, `given`: options and groups of options; the keys of a tournament file as flags
- `output`, `progress`, `announce`: what is printed, with the words of strangers escaped
- `failures`: sentences and exit codes
- `studies`: studies of results; other distributions add some by entry points
"""

import io
import os
import sys

from ballcourt.cli.commands import app
from ballcourt.cli.failures import Stdout, end_on_sigterm, heed_interruptions


def main() -> None:
    """Run the command with the arguments of this process, and exit with its code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the parent of this process
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = Stdout.around(sys.stdout)
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # its log repeats what commands say in sentences
    end_on_sigterm()
    heed_interruptions()
    app()
