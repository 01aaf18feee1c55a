"""The host's own process: it owns the port, and a worker that lets bots in through it."""

import socket
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from ballcourt.arena.bots.bot import REMOTE, Bot, remote_bot, resolve_bot
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.remote.addresses import PORT, parse_address
from ballcourt.arena.remote.hosting import Hosting, tls_context
from ballcourt.arena.remote.tokens import TokenFile
from ballcourt.arena.tournament.settings import Settings, SettingsError
from ballcourt.arena.workers.orders import Beat, Present, RollCall
from ballcourt.arena.workers.runner import Runner

ORDERS = 1000
"""So many matches are on their way to the worker, so that those whose bots are away do not hold up the others."""
BACKLOG = 64


class HostRunner(Runner):
    """A runner whose one worker lets remote bots in."""

    def __init__(self, hosting: Hosting) -> None:
        super().__init__(workers=1, matches_per_worker=ORDERS, hosting=hosting)
        self._hosting: Hosting = hosting

    def roll_call(self) -> dict[str, str]:
        """Wait until all remote bots are there; return their versions by name, which hold from then on."""
        (worker,) = self._workers
        try:
            worker.connection.send(RollCall())
            while isinstance(present := worker.connection.recv(), Beat):
                pass
        except (EOFError, OSError):
            raise ArenaError("the worker that waits for the remote bots died; what it said is above") from None
        assert isinstance(present, Present), "no match has been ordered yet"
        self._hosting = replace(self._hosting, versions=present.versions)  # for a worker that replaces this one
        return present.versions


def take_port(address: str | None, certificate: Path | None, key: Path | None, *, insecure: bool) -> socket.socket:
    """Listen on a TCP port, by default the usual one of all addresses, or of this machine alone when insecure.

    Raises SettingsError for an address, a certificate or a key that cannot be used.
    """
    address = address or f"{'127.0.0.1' if insecure else '0.0.0.0'}:{PORT}"
    host, port = parse_address("--listen", address, insecure=insecure)
    _check_tls(certificate, key, insecure=insecure)
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.socket(family, kind)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(BACKLOG)
    except OSError as error:
        raise SettingsError(f"cannot listen on {address}: {error.strerror or error}; give another --listen") from error
    return listener


def remote_names(settings: Settings) -> tuple[str, ...]:
    """Pick the names of the remote bots from the bots of a tournament. Raises SettingsError when there are none."""
    names = tuple(entry.removeprefix(REMOTE) for entry in settings.bots or () if entry.startswith(REMOTE))
    if not names:
        raise SettingsError(
            f'no bot of the tournament is remote; name those that dial in "{REMOTE}NAME", '
            "or play it with `ballcourt tournament`"
        )
    return names


def resolver(tokens: TokenFile, versions: Mapping[str, str]) -> Callable[[str], Bot]:
    """Make what turns the bots of a tournament file into bots, given the versions of the remote ones by name.

    What it returns raises BotError, and TokenError for a bot that no token lets in.
    """

    def resolve(entry: str) -> Bot:
        if not entry.startswith(REMOTE):
            return resolve_bot(entry)
        name = entry.removeprefix(REMOTE)
        return remote_bot(name, versions[name], tokens.owner_of(name))

    return resolve


def _check_tls(certificate: Path | None, key: Path | None, *, insecure: bool) -> None:
    """Refuse what is neither encrypted nor said to be insecure, and certificates that cannot be used."""
    if insecure and certificate:
        raise SettingsError("give one of --cert and --insecure")
    if not insecure and not certificate:
        raise SettingsError("no certificate is given; give --cert and --key, or --insecure for this machine alone")
    try:
        tls_context(str(certificate or ""), str(key or ""))
    except OSError as error:
        files = f"--cert {certificate}" + (f" with --key {key}" if key else "")
        raise SettingsError(f"cannot use {files}: {error.strerror or error}") from error
