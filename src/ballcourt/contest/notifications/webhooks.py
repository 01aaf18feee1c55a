"""Webhooks of teams, signed as Standard Webhooks (https://www.standardwebhooks.com) describes.

A hook is an address that a stranger names and this server calls, so it must not lead into the organiser's network: it
is resolved once, every address that comes out has to be public, and the call goes to the one that was checked.
Redirects are not followed, and what is answered is not read.
"""

import base64
import hmac
import ipaddress
import secrets
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from sqlalchemy import Connection, Row, delete, insert, select, update

from ballcourt.arena.fetching.destinations import is_public
from ballcourt.arena.naming import line_objection
from ballcourt.arena.secrets import new_id
from ballcourt.contest.http_client import CallError, Request, ask, port_of
from ballcourt.contest.notifications.outbox import forget_target
from ballcourt.contest.refusals import ContestError, NotThereError, StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import HOOKS, TEAMS

SECRET: Final = "whsec_"
LONGEST_URL: Final = 500
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
NOT_SAFE: Final = "the address of a hook must begin with https://"
MOST_FAILURES: Final = 20
"""After how many failures in a row a hook is called no more, until its team calls it by hand."""


class HookError(ContestError):
    """A hook cannot be called."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a hook."""

    id: str
    timestamp: int
    body: bytes

    def headers(self, secret: str) -> dict[str, str]:
        """Return the headers that tie the call to the secret of the hook."""
        key = base64.b64decode(secret.removeprefix(SECRET))
        signed = f"{self.id}.{self.timestamp}.".encode() + self.body
        signature = base64.b64encode(hmac.digest(key, signed, sha256)).decode()
        return {
            "Content-Type": "application/json",
            "User-Agent": "ballcourt",
            "webhook-id": self.id,
            "webhook-timestamp": str(self.timestamp),
            "webhook-signature": f"v1,{signature}",
        }


def add_hook(contest: Contest, team: str, url: str) -> str:
    """Add a hook to a team; return its secret, which is shown only now. Raises ContestError."""
    most = contest.settings.hooks.of_team
    if not most:
        raise StateError("this contest calls no webhooks; its organiser allows them in contest.toml")
    check_address(url, is_private_allowed=contest.settings.hooks.private)
    secret = SECRET + base64.b64encode(secrets.token_bytes(32)).decode()
    with contest.store.writing() as connection:
        if len(hooks_of(connection, team)) >= most:
            raise StateError(f"your team has as many hooks as are allowed, {most}; remove one first")
        values = {"team": team, "url": url, "secret": secret, "created": contest.now()}
        connection.execute(insert(HOOKS).values(id=new_id(), **values))
    return secret


def hooks_of(connection: Connection, team: str) -> Sequence[Row[Any]]:
    """Return the hooks of a team, the oldest first."""
    return connection.execute(select(HOOKS).where(HOOKS.c.team == team).order_by(HOOKS.c.created)).all()


def remove_hook(connection: Connection, team: str, hook: str) -> None:
    """Remove a hook of a team, and what it has not got yet. Raises NotThereError."""
    if not connection.execute(delete(HOOKS).where(HOOKS.c.id == hook, HOOKS.c.team == team)).rowcount:
        raise NotThereError("there is no such hook")
    forget_target(connection, hook)


def hook_words(connection: Connection, hook: str) -> str:
    """Return the words for a hook in the log of the server: its id, its team and its host."""
    found = connection.execute(select(HOOKS.c.url, TEAMS.c.name).join(TEAMS).where(HOOKS.c.id == hook)).first()
    return f"hook {hook} of team {found.name} at {urlsplit(found.url).hostname}" if found else f"hook {hook}"


def note_call(connection: Connection, hook: str, trouble: str | None = None) -> None:
    """Note why a call of a hook has failed; None if it has not."""
    failures = 0 if trouble is None else HOOKS.c.failures + 1
    connection.execute(update(HOOKS).where(HOOKS.c.id == hook).values(failures=failures, trouble=trouble or ""))


def check_address(url: str, *, is_private_allowed: bool) -> None:
    """Raise HookError for an address that is never called; what a name leads to is looked up before each call."""
    parts, numbers = _parts(url), []
    with suppress(ValueError):  # a name
        numbers = [ipaddress.ip_address(str(parts.hostname))]
    _check(parts, numbers, is_private_allowed=is_private_allowed)


def resolved(url: str, *, is_private_allowed: bool) -> tuple[SplitResult, str]:
    """Return the parts of an address that may be called, and the number that its host has. Raises HookError."""
    parts = _parts(url)
    try:
        found = socket.getaddrinfo(parts.hostname, port_of(parts), type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise HookError(f"the host {parts.hostname} cannot be found") from error
    numbers = [ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in found]
    _check(parts, numbers, is_private_allowed=is_private_allowed)
    return parts, str(numbers[0])


def _check(parts: SplitResult, numbers: Sequence[IPAddress], *, is_private_allowed: bool) -> None:
    """Raise HookError unless a host that has these numbers may be called."""
    if not is_private_allowed and not all(map(is_public, numbers)):  # and which it is concerns no stranger
        raise HookError(f"the host {parts.hostname} cannot be found at a public address")
    if parts.scheme == "http" and not (is_private_allowed and all(one.is_loopback for one in numbers)):
        raise HookError(NOT_SAFE)


def call(url: str, secret: str, called: Call, trust: ssl.SSLContext, *, is_private_allowed: bool) -> None:
    """Call a hook. Raises HookError unless it answers that it has taken the call, in time."""
    parts, number = resolved(url, is_private_allowed=is_private_allowed)
    try:
        status, _ = ask(Request(parts, called.headers(secret), "POST", called.body, number), trust)
    except CallError as error:
        raise HookError(f"the hook cannot be reached: {error}") from error
    if not 200 <= status < 300:
        raise HookError(f"the hook answered {status}")


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1) and "@" not in parts.netloc
    except ValueError:
        good = False
    if not good or len(url) > LONGEST_URL or line_objection(url) or not url.isascii() or " " in url:
        raise HookError("the address of a hook must be like https://example.org/path")
    return parts
