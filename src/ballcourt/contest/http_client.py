"""HTTP requests to other servers, such as webhooks and issuers, bounded in time and in what is read of a response.

Redirects are not followed. A connection that takes too long is cut, however steadily the other side sends.
"""

import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event, Timer
from typing import Final
from urllib.parse import SplitResult

from ballcourt.contest.refusals import ContestError, ContestFileError

TIME_S: Final = 5.0
"""How long a request may take in all, once the name of its host is resolved."""


class CallError(ContestError):
    """A server of others cannot be reached, or does not answer as it should."""

    status = 502
    word = "elsewhere"


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent, and where to."""

    parts: SplitResult
    """The parts of its address."""
    headers: Mapping[str, str] = field(default_factory=dict)
    method: str = "GET"
    body: bytes | None = None
    number: str = ""
    """The number of the host, if its name must not be resolved again."""


def port_of(parts: SplitResult) -> int:
    """Return the port of an address."""
    return parts.port or (443 if parts.scheme == "https" else 80)


def trusting(authorities: Path | None) -> ssl.SSLContext:
    """Return whom to trust: the authorities of this machine, and those in a file. Raises ContestFileError."""
    context = ssl.create_default_context()
    if authorities:
        try:
            context.load_verify_locations(authorities)
        except (OSError, ssl.SSLError) as error:
            raise ContestFileError(
                f"ca_file is {authorities}; it must be a file of certificates in PEM: {error.strerror or error}"
            ) from error
    return context


def reason(error: Exception) -> str:
    """Say why a server cannot be asked, and what to do if it is not trusted."""
    if isinstance(error, ssl.SSLCertVerificationError):
        what = error.verify_message.rstrip(".")
        return f"its certificate is not trusted ({what}); name the file of its authority as ca_file in contest.toml"
    return str(error) or type(error).__name__


def ask(request: Request, trust: ssl.SSLContext, most: int = 0, time_s: float = TIME_S) -> tuple[int, bytes]:
    """Return the status of an answer and its body, of which at most `most` bytes are read. Raises CallError."""
    connection, is_late = _Connection(request, trust, time_s), Event()
    timer = Timer(time_s, _cut, (connection, is_late))
    timer.start()
    late = CallError(f"it took longer than {time_s:g} s")
    try:
        path = (request.parts.path or "/") + (f"?{request.parts.query}" if request.parts.query else "")
        connection.request(request.method, path, request.body, dict(request.headers))
        with connection.getresponse() as answer:
            body = answer.read(most + 1) if most else b""
    except (OSError, HTTPException, ValueError) as error:
        raise (late if is_late.is_set() else CallError(reason(error))) from error
    finally:
        timer.cancel()
        connection.close()
    if is_late.is_set():
        raise late
    if len(body) > most:
        raise CallError(f"it answered more than {most} bytes")
    return answer.status, body


class _Connection(HTTPConnection):
    """A connection to a number, or to the name of the host, for which its certificate has to be in either case."""

    def __init__(self, request: Request, trust: ssl.SSLContext, time_s: float) -> None:
        super().__init__(str(request.parts.hostname), port_of(request.parts), timeout=time_s)
        self._number = request.number
        self._trust = trust if request.parts.scheme == "https" else None
        self.default_port = 443 if self._trust else 80  # which is not in the header Host
        self.line: socket.socket | None = None

    def connect(self) -> None:
        """Connect."""
        self.line = self.sock = socket.create_connection((self._number or self.host, self.port), self.timeout)
        if self._trust:
            # so that a handshake can be cut, too
            secure = self._trust.wrap_socket(self.line, server_hostname=self.host, do_handshake_on_connect=False)
            self.line = self.sock = secure
            secure.do_handshake()


def _cut(connection: _Connection, is_late: Event) -> None:
    """Break a connection that takes too long. `sock` is not its line any more once the head of an answer has come."""
    is_late.set()
    if connection.line:
        try:
            connection.line.shutdown(socket.SHUT_RDWR)
        except OSError:
            return
