"""`python -m ballcourt` is the command `ballcourt`; an installation puts the same one on the PATH."""

import os
import signal


def main() -> None:
    """Run the command. Until its modules are imported, Ctrl-C ends the process at once: nothing has been done yet."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell may have it ignored
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from ballcourt.cli import main as run

    run()


if __name__ == "__main__":
    main()
