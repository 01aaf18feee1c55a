"""A server that a test runs beside itself, in a thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import TCPServer
from threading import Thread


@contextmanager
def serving(server: TCPServer) -> Iterator[str]:
    """Run a server on loopback until the context ends; yield HOST:PORT."""
    with server:
        thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
