"""The `ballcourt` command: one file per command, which imports what it needs when it runs."""

import io
import os
import sys


def main() -> None:
    """Run the command with the arguments of this process, and exit with its code."""
    from ballcourt.cli.commands import COMMANDS, app_with
    from ballcourt.cli.failures import Stdout, end_on_sigterm
    from ballcourt.cli.libraries import guard_address_space

    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started this process
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = Stdout.around(sys.stdout)
    guard_address_space()
    end_on_sigterm()
    asked = [command for command in COMMANDS if command in sys.argv[1:2]]
    app_with(asked or COMMANDS)()
