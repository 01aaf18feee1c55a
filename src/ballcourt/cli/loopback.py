"""A server for browsers on this machine."""

import os
import socket
from typing import Final

import typer

from ballcourt.cli.journal import is_json
from ballcourt.cli.output import note, say

LOOPBACK: Final = "127.0.0.1"


def announce(sentence: str) -> None:
    """Say where the pages are: on stdout, or in the log for programs."""
    if is_json():
        note(sentence)
    else:
        say([sentence])


def listening(port: int) -> socket.socket:
    """Return a socket that listens on the loopback interface. Raises BadParameter."""
    try:
        listener = socket.create_server((LOOPBACK, port))
    except OSError as error:
        raise typer.BadParameter(
            f"port {port} cannot be used ({os.strerror(error.errno or 0)}); --port 0 chooses a free one"
        ) from error
    # connections inherit it; without it, the end of an answer waits 40 ms for the browser to confirm its beginning
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
