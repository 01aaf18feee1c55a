"""Starts a bot of this machine that plays in an arena on another machine, and follows how its event stands there."""

import os
import random
import signal
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, Self

import grpc

from ballcourt.arena.bots.bot import Bot, BotError
from ballcourt.arena.processes.tree import end_processes, end_with_parent
from ballcourt.arena.remote.port import RemoteError, parse_address
from ballcourt.v1.following_pb2 import EventStatus, FollowRequest

TOKEN = "BALLCOURT_TOKEN"
LEAVE_S = 5.0
FOLLOW: Final = "/ballcourt.v1.Following/Follow"
RETRY_S: Final = 5.0
"""The longest pause before an arena that went away is asked again."""
OPTIONS: Final = (
    ("grpc.max_reconnect_backoff_ms", int(1000 * RETRY_S)),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
)
OLDER: Final = "this arena is older than `ballcourt connect` and does not tell how the event stands; the bot plays on"
BROKE: Final = "the connection to the arena broke; waiting for it to come back"


def environment_for(address: str, token_file: Path | None, ca: Path | None, *, insecure: bool) -> dict[str, str]:
    """Return the environment variables with which a bot connects.

    Raises RemoteError for an invalid address, and for a missing token or certificate.
    """
    parse_address("the address", address, insecure=insecure)
    if insecure and ca:
        raise RemoteError("give one of --ca and --insecure")
    if ca and not ca.is_file():
        raise RemoteError(f"--ca is {ca}, and there is no such file")
    variables = {"BALLCOURT_ADDRESS": address, TOKEN: _token(token_file)}
    if ca:
        variables["BALLCOURT_CA"] = str(ca.resolve())
    if insecure:
        variables["BALLCOURT_TLS"] = "off"
    return variables


@contextmanager
def running(bot: Bot, variables: Mapping[str, str], streams: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a bot with this number of streams while the context is open. It ends with this process, too."""
    left_out = ("BALLCOURT_SOCKET", "BALLCOURT_CA", "BALLCOURT_TLS")
    inherited = {name: value for name, value in os.environ.items() if name not in left_out}
    named = {**bot.identity(), "BALLCOURT_STREAMS": str(streams)}
    process = _start(bot, {**inherited, **named, **variables})
    try:
        yield process
    finally:
        end_processes([process], LEAVE_S)


class Follower:
    """Follows the event of a bot in a thread while its context is open, also when its host goes away and comes back.

    Enter it after the last process has been started: gRPC does not survive a fork.
    """

    def __init__(
        self,
        address: str,
        token: str,
        tls: ssl.SSLContext | None,
        heard: Callable[[EventStatus], None],
        say: Callable[[str], None],
    ) -> None:
        """Call `heard` with every status, and `say` with a sentence about the connection, both in the thread."""
        self._address = address
        self._token = token
        self._tls = tls
        self._heard = heard
        self._say = say
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        self._channel = _channel(self._address, self._tls)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()
        self._channel.close()
        self._thread.join(LEAVE_S)

    @property
    def is_alive(self) -> bool:
        """Whether it still follows."""
        return self._thread.is_alive()

    def finish(self) -> None:
        """Wait a moment for the last status."""
        self._thread.join(LEAVE_S)

    def _follow(self) -> None:
        is_lost = False
        while not self._left.is_set():
            try:
                for status in self._statuses():
                    is_lost = False
                    self._heard(status)
                return
            except grpc.RpcError as error:
                if self._left.is_set() or self._is_final(error):
                    return
                if not is_lost:
                    self._say(BROKE)
                is_lost = True
            self._left.wait(RETRY_S * random.uniform(0.1, 1.0))  # others may have lost the same arena

    def _statuses(self) -> Iterator[EventStatus]:
        """Yield how the event stands, until the host ends it. Raises RpcError."""
        follow: grpc.UnaryStreamMultiCallable[FollowRequest, EventStatus] = self._channel.unary_stream(
            FOLLOW, FollowRequest.SerializeToString, EventStatus.FromString
        )
        yield from follow(FollowRequest(token=self._token), wait_for_ready=True)

    def _is_final(self, error: grpc.RpcError) -> bool:
        """Whether asking again is of no use; say why, unless the bot gets the same answer."""
        match error.code():
            case grpc.StatusCode.UNIMPLEMENTED:
                self._say(OLDER)
            case grpc.StatusCode.RESOURCE_EXHAUSTED:
                self._say(f"{error.details()}; the bot plays on, and nothing is said here about the event")
            case grpc.StatusCode.PERMISSION_DENIED:
                pass
            case _:
                return False
        return True


def _token(file: Path | None) -> str:
    if file is None:
        token = os.environ.get(TOKEN, "")
        if not token:
            raise RemoteError(f"no token is given; give --token-file, or set {TOKEN}")
        return token
    try:
        token = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise RemoteError(f"cannot read the token in {file}: {error.strerror or error}") from error
    except UnicodeDecodeError:
        token = ""
    if not token or len(token.split()) != 1:
        raise RemoteError(
            f"{file} does not hold a token; it must hold the one line that `ballcourt admin token new` prints"
        )
    return token


def _channel(address: str, tls: ssl.SSLContext | None) -> grpc.Channel:
    """Open a channel that trusts what `tls` does."""
    if tls is None:
        return grpc.insecure_channel(address, OPTIONS)
    trusted = "".join(map(ssl.DER_cert_to_PEM_cert, tls.get_ca_certs(binary_form=True)))
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(trusted.encode() or None), OPTIONS)


def _start(bot: Bot, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            bot.command,
            cwd=bot.directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C reaches this process, which ends the bot
            # which Windows refuses
            preexec_fn=partial(end_with_parent, signal.SIGTERM) if sys.platform == "linux" else None,
        )
    except OSError as error:
        raise BotError(f"could not start '{' '.join(bot.command)}' in {bot.directory}: {error}") from error
