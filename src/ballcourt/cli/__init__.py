"""The `ballcourt` command: a file for each command, which is imported when the command runs."""

import io
import os
import sys

from ballcourt.cli.commands import app
from ballcourt.cli.failures import Stdout, end_on_sigterm


def main() -> None:
    """Run the command with the arguments of this process, and exit with its code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the parent of this process
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = Stdout.around(sys.stdout)
    end_on_sigterm()
    app()
