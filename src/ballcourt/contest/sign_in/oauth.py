"""What every issuer has: where a browser is sent, and the code that it brings back, which is used once (RFC 6749)."""

import ssl
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, Final
from urllib.parse import urlsplit

from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.client import OAuth2Client
from authlib.oauth2.rfc6749.parameters import prepare_token_request

from ballcourt.arena.files import parse_json, read_regular
from ballcourt.contest.http_client import CallError, Request, ask
from ballcourt.contest.people.identities import Identity
from ballcourt.contest.refusals import ContestFileError, NotAllowedError, NotReadyError
from ballcourt.contest.settings import SignInTable, is_safe_address
from ballcourt.contest.sign_in.attempt import IssuerAttempt

MOST_ANSWER: Final = 256 << 10
"""The bytes of an answer of an issuer."""
AT_ONCE: Final = 4
"""How many sign-ins may wait for an issuer, so that one that hangs does not hold all threads of the server."""
MOST_SECRET: Final = 4096
LONGEST_SHOWN, LONGEST_SUBJECT = 200, 255


class Issuer(ABC):
    """An issuer at which people sign in."""

    scope = ""

    def __init__(self, table: SignInTable, url: str, trust: ssl.SSLContext) -> None:
        """`url` is the address of the contest. Raises ContestFileError for a secret that cannot be used."""
        self.table = table
        self._redirect = f"{url}/sign-in/with/{table.name}/back"
        self._trust = trust
        self._secret = read_secret(table.secret_file) if table.secret_file else ""
        self._turn = BoundedSemaphore(AT_ONCE)

    @abstractmethod
    def address(self, attempt: IssuerAttempt, now: float) -> str:
        """Return where a browser is sent to sign in. Raises ContestError."""

    @abstractmethod
    def identity(self, attempt: IssuerAttempt, code: str, now: float) -> Identity:
        """Return who has come back with a code. Raises ContestError."""

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Ask the issuer meanwhile. Raises NotReadyError while it lets too many others wait."""
        if not self._turn.acquire(blocking=False):
            raise NotReadyError(f"{self.table.title} is answering others; try again in some seconds")
        try:
            yield
        finally:
            self._turn.release()

    def _sent_to(self, endpoint: str, attempt: IssuerAttempt, **more: str) -> str:
        """Return the address of the page on which people sign in."""
        client = OAuth2Client(
            None, self.table.client, scope=self.scope, redirect_uri=self._redirect, code_challenge_method="S256"
        )
        address, _ = client.create_authorization_url(
            endpoint, attempt.state(self.table.issuer), attempt.verifier(self.table.issuer), **more
        )
        return str(address)

    def _tokens(self, endpoint: str, attempt: IssuerAttempt, code: str, method: str) -> Mapping[str, Any]:
        """Return what an issuer gives for a code. Raises CallError, and NotAllowedError if it gives nothing."""
        verifier = attempt.verifier(self.table.issuer)
        body = prepare_token_request(
            "authorization_code", redirect_uri=self._redirect, code=code, code_verifier=verifier
        )
        auth = ClientAuth(self.table.client, self._secret, method if self._secret else "none")
        kind = "application/x-www-form-urlencoded"
        _, headers, body = auth.prepare("POST", endpoint, {"Content-Type": kind, "Accept": "application/json"}, body)
        status, found = self._asked(endpoint, headers, body.encode())
        if status != 200 or "error" in found:
            why = str(found.get("error", status))[:LONGEST_SHOWN]
            raise NotAllowedError(f"{self.table.title} gives nothing for this code ({why}); begin again")
        return found

    def _got(self, endpoint: str, headers: Mapping[str, str] | None = None) -> Mapping[str, Any]:
        """Return a document. Raises CallError."""
        status, found = self._asked(endpoint, {"Accept": "application/json", **(headers or {})})
        if status != 200:
            raise self._failed(f"{endpoint} answered {status}")
        return found

    def _asked(
        self, endpoint: object, headers: Mapping[str, str], body: bytes | None = None
    ) -> tuple[int, Mapping[str, Any]]:
        if not isinstance(endpoint, str) or not is_safe_address(endpoint):
            raise self._failed(f"its document names the address {str(endpoint)[:LONGEST_SHOWN]!r}, which is not HTTPS")
        method, named = "GET" if body is None else "POST", {"User-Agent": "ballcourt", **headers}
        try:
            status, answer = ask(Request(urlsplit(endpoint), named, method, body), self._trust, MOST_ANSWER)
            found = parse_json(answer)
        except CallError as error:
            raise self._failed(str(error)) from error
        except ValueError as error:
            raise self._failed(f"{endpoint} answered with no JSON") from error
        if not isinstance(found, dict):
            raise self._failed(f"{endpoint} answered with no JSON object")
        return status, found

    def _failed(self, why: str) -> CallError:
        return CallError(f"{self.table.title} cannot be asked: {why}; try again later, or sign in by a link")

    def _known_as(self, subject: object, shown: object) -> Identity:
        """Return an identity by the identifier of an issuer. Raises NotAllowedError."""
        if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or not subject.isprintable():
            raise NotAllowedError(f"{self.table.title} does not say who you are")
        words = shown if isinstance(shown, str) and shown.isprintable() and shown else subject
        return Identity(self.table.issuer, subject, words[:LONGEST_SHOWN])


def read_secret(file: Path) -> str:
    """Return the secret in a file that only its owner may read. Raises ContestFileError."""
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
        secret = read_regular(file, MOST_SECRET).decode("ascii").strip()
    except (OSError, ValueError) as error:
        raise ContestFileError(f"secret_file is {file}; it must be a file with a secret in ASCII: {error}") from error
    if mode & 0o077:
        raise ContestFileError(f"others may read {file}, which has a secret; run chmod 600 {file}")
    if not secret or not secret.isprintable():
        raise ContestFileError(f"secret_file is {file}; it must have the secret of the client in one line")
    return secret
