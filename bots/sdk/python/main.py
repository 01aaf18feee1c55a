"""Runs a bot class as a program."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from traceback import FrameSummary, StackSummary, format_list, walk_stack
from types import FrameType
from typing import Any, NoReturn

from ballcourt.bots.sdk.python.address import Address, AddressError, address
from ballcourt.bots.sdk.python.bot import Bot, CannotPlay
from ballcourt.bots.sdk.python.parameters import VARIABLE, ParameterError, Parameters
from ballcourt.bots.sdk.python.profiling import Profile, ProfiledSession
from ballcourt.bots.sdk.python.session import Refused, Session

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

INTERRUPTED = 130
MOST_STREAMS = 16
WAITING = ("asyncio", "grpc")
"""The packages in which the SDK waits for the arena."""
ONE_THREAD = "-event_engine_client"
"""What GRPC_EXPERIMENTS is unless it is set. Its EventEngine hands every message from thread to thread; without it, a
message takes a third less CPU time."""
BY_HAND = """\
This program is a bot. An arena starts it and sets BALLCOURT_SOCKET and BALLCOURT_TOKEN in its environment.
To see it play, run `ballcourt check bot {folder}`.
To let it play in a remote arena, run `ballcourt connect {folder} HOST:PORT --token-file FILE`.
"""
if os.environ.get("BALLCOURT_TOKEN"):  # a bot that hangs before `run` shows where, too
    with suppress(OSError, ValueError, RuntimeError, AttributeError):  # no standard error; Windows has no `register`
        faulthandler.register(signal.SIGTERM, chain=True)


def run(bot_class: type[Bot]) -> NoReturn:
    """Play for the arena named by the environment, then exit.

    A signal that ends it while it computes makes it say where it was: SIGTERM, which the arena sends to a bot that
    takes too long, and SIGINT, which is Ctrl-C.

    Exit codes: 0 after Goodbye or SIGTERM, 1 if the bot cannot play, or the arena refused it or went away, 2 if the
    environment does not name an arena, 130 after SIGINT.
    """
    folder = folder_of(bot_class)
    arena, token = _arena(), os.environ.get("BALLCOURT_TOKEN")
    if not arena or not token:
        sys.stderr.write(BY_HAND.format(folder=folder))
        sys.exit(2)
    given = _given()
    streams, at_once = _streams(), int(_declared(folder).get("matches", 1))
    place, others = _fork(streams, at_once)
    profile = Profile.asked(os.environ)
    signal.signal(signal.SIGTERM, lambda _, frame: _leave(others, frame, profile, 0))
    signal.signal(signal.SIGINT, lambda _, frame: _leave(others, frame, profile, INTERRUPTED))
    try:
        bots = [bot_class() for _ in range(min(at_once, streams - place * at_once))]
        for bot in bots:
            introduce(bot, folder, given)
        code = _play([ProfiledSession(bot, profile) for bot in bots], arena, token, profile)
    except (CannotPlay, ParameterError) as reason:
        sys.stderr.write(f"{reason}\n")
        code = 1
    finally:
        _write(profile)
    sys.exit(max([code, *map(_exit_code, others)]))


def folder_of(bot_class: type[Bot]) -> Path:
    """Return the folder of the program that defines a class; that of a notebook is the current one."""
    program = getattr(sys.modules[bot_class.__module__], "__file__", None)
    return Path(program).resolve().parent if program else Path.cwd()


def _streams() -> int:
    """Return how many matches to play at the same time."""
    asked = os.environ.get("BALLCOURT_STREAMS")
    return next((count for count in range(1, MOST_STREAMS + 1) if str(count) == asked), 1)


def _fork(streams: int, at_once: int) -> tuple[int, list[int]]:
    """Start as many processes as the streams need; return the place of this one, and in the first one their pids.

    This must happen before gRPC is loaded.
    """
    others: list[int] = []
    if streams > at_once and not hasattr(os, "fork"):
        sys.stderr.write(
            f"this system cannot fork, so {at_once} of {streams} matches at a time can be played: `matches` in the "
            "bot.toml says how many one process plays\n"
        )
        return 0, others
    for place in range(1, -(-streams // at_once)):
        if not (pid := os.fork()):
            return place, []
        others.append(pid)
    return 0, others


def _exit_code(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _arena() -> Address | None:
    try:
        return address(os.environ)
    except AddressError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)


def _given() -> Parameters:
    try:
        return Parameters.read(os.environ.get(VARIABLE, ""))
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)


def introduce(bot: Bot, folder: Path, given: Mapping[str, float] | None = None) -> None:
    """Fill in the bot's empty attributes from what the arena says, or else from the bot.toml in its folder, if any.

    Parameters that are not given have the values that its class or bot.toml says.
    """
    declared = _declared(folder)
    bot.name = bot.name or declared.get("name", folder.name)
    bot.version = bot.version or declared.get("version", "")
    bot.author = bot.author or declared.get("author", "")
    bot.url = bot.url or declared.get("url", "")
    bot.games = bot.games or tuple(declared.get("games", ()))
    bot.parameters = Parameters({**bot.parameters, **_defaults(declared.get("parameters", {})), **(given or {})})


def _declared(folder: Path) -> Mapping[str, Any]:
    """Return what bot.toml says: the arena, which has read it, passes it on; a program of its own reads it itself."""
    passed_on = {name: os.environ.get(f"BALLCOURT_{name.upper()}", "") for name in ("name", "version", "author", "url")}
    if passed_on["name"]:
        games = tuple(filter(None, os.environ.get("BALLCOURT_PLAYS", "").split(",")))
        return {**passed_on, "games": games, "matches": os.environ.get("BALLCOURT_MATCHES") or 1}
    file = folder / "bot.toml"
    return tomllib.loads(file.read_text(encoding="utf-8-sig")) if file.exists() else {}


def _defaults(declared: Mapping[str, Any]) -> dict[str, float]:
    """Return the defaults of the parameters that bot.toml declares; each has numbers, perhaps a scale."""
    return {
        name: table["default"]
        if all(isinstance(value, int | str) for value in table.values())
        else float(table["default"])
        for name, table in declared.items()
    }


def _play(sessions: Sequence[Session], arena: Address, token: str, profile: Profile) -> int:
    os.environ.setdefault("GRPC_EXPERIMENTS", ONE_THREAD)  # before grpc is loaded
    # here and not above, so that a bot hosted in another process never loads grpc
    import asyncio

    from ballcourt.bots.sdk.python.stream import Disconnected, converse_all

    try:
        asyncio.run(converse_all(sessions, arena, token, profile))
    except Refused as refusal:
        sys.stderr.write(f"the arena refused the bot: {refusal}\n")
        return 1
    except Disconnected as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _write(profile: Profile) -> None:
    try:
        profile.write()
    except OSError as error:
        sys.stderr.write(f"the profile cannot be written: {error}\n")


def _leave(others: Sequence[int], frame: FrameType | None, profile: Profile, code: int) -> NoReturn:
    """Say where the bot is, and end at once: a SystemExit raised here could be lost in one of gRPC's callbacks."""
    if busy := _busy_at(frame):
        with suppress(RuntimeError):  # the signal came in the middle of a print
            sys.stderr.write("".join(["it was asked to end while it was here:\n", *format_list(busy)]))
    for pid in others:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    _write(profile)
    with suppress(RuntimeError):  # the signal came in the middle of a print
        sys.stdout.flush()
    os._exit(code)


def _busy_at(frame: FrameType | None) -> list[FrameSummary]:
    """Return the part of the stack that is the bot's own, outermost first; none while it waits for the arena."""
    stack = [*walk_stack(frame)]
    depth = next((depth for depth, (inner, _) in enumerate(stack) if _package(inner) == __package__), len(stack))
    own = stack[:depth]
    if not own or _package(own[-1][0]).partition(".")[0] in WAITING:
        return []
    return [*StackSummary.extract(reversed(own))]


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__package__") or "")
