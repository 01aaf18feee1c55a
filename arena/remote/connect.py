"""Starts a bot of this machine that plays in an arena on another machine."""

import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ballcourt.arena.bots.bot import Bot, BotError
from ballcourt.arena.processes.tree import PR_SET_PDEATHSIG, end_processes, load_libc
from ballcourt.arena.remote.port import RemoteError, parse_address

TOKEN = "BALLCOURT_TOKEN"
LEAVE_S = 5.0


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


def run(bot: Bot, variables: Mapping[str, str], streams: int) -> int:
    """Run a bot with this number of streams until it exits; return its exit code. The bot ends with this process."""
    left_out = ("BALLCOURT_SOCKET", "BALLCOURT_CA", "BALLCOURT_TLS")
    inherited = {name: value for name, value in os.environ.items() if name not in left_out}
    named = {**bot.identity(), "BALLCOURT_STREAMS": str(streams)}
    process = _start(bot, {"GRPC_VERBOSITY": "ERROR", **inherited, **named, **variables})
    try:
        return process.wait()
    finally:
        end_processes([process], LEAVE_S)


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


def _start(bot: Bot, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    libc = load_libc()
    try:
        return subprocess.Popen(
            bot.command,
            cwd=bot.directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C reaches this process, which ends the bot
            preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM),
        )
    except OSError as error:
        raise BotError(f"could not start '{' '.join(bot.command)}' in {bot.directory}: {error}") from error
