"""`ballcourt connect`: lets a bot on this machine play in an arena on another one, and says how the event stands."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.building.builds import built
from ballcourt.arena.remote.arrival import Unreachable, look_at, trusted
from ballcourt.arena.remote.connect import TOKEN, Follower, environment_for, running
from ballcourt.cli.declaring import argument, option, switch
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.output import note
from ballcourt.v1.following_pb2 import EventStatus


def connect(
    bot: Annotated[str, argument("BOT", "The bot: a name or a folder; its token is for this name.")],
    address: Annotated[str, argument("HOST:PORT", "Where the arena listens.")],
    token_file: Annotated[
        Path | None, option("The file with the token; by default the token is in BALLCOURT_TOKEN.", "FILE")
    ] = None,
    ca: Annotated[Path | None, option("Certificates to trust (PEM); the system's by default.", "FILE")] = None,
    insecure: Annotated[bool, switch("--insecure", "Do not use TLS; only for an arena on this machine.")] = False,
    streams: Annotated[int, option("The number of matches it may play at the same time.", "N", min=1, max=16)] = 1,
    wait: Annotated[
        float, option("How long to wait for an arena that is not open.", "SECONDS", min=0, max=86400)
    ] = 60.0,
) -> None:
    """Connect a bot on this machine to an arena on another one.

    It plays until the arena says Goodbye; meanwhile this command says how the event stands for it. The bot's command is
    started with BALLCOURT_ADDRESS, BALLCOURT_TOKEN, BALLCOURT_CA and BALLCOURT_STREAMS in its environment; all SDKs
    read them. What the bot prints is shown.

    \b
    Exit codes: 0 every stream ended with Goodbye; 1 one did not, or the arena cannot be reached; it says why.
    Examples:
      ballcourt connect ./mine arena.example.org:7433 --token-file mine.token
      ballcourt connect ./mine localhost:7433 --token-file mine.token --ca cert.pem --streams 2
    """
    variables = environment_for(address, token_file, ca, insecure=insecure)
    tls = None if insecure else trusted(ca)
    ready = built(resolve_bot(bot))
    try:
        look_at(address, tls, ca=ca, wait_s=wait)
    except Unreachable as error:
        note(str(error))
        if error.is_certain:
            raise typer.Exit(CHECK_FAILED) from error
    else:
        note(
            f"the arena at {address} is open; {ready.name} dials in and plays when its matches are due; Ctrl-C ends it"
        )
    with (
        running(ready, variables, streams) as process,
        Follower(address, variables[TOKEN], tls, Narrator(ready.name), note) as follower,
    ):
        code = process.wait()
        if not code:  # the arena has said Goodbye
            follower.finish()
    if code:
        raise typer.Exit(CHECK_FAILED)


class Narrator:
    """Says how an event stands for a bot, each sentence when it becomes true."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._before: set[str] = set()

    def __call__(self, status: EventStatus) -> None:
        """Print what the last status did not say."""
        lines = [*_sentences(self._name, status)]
        for line in lines:
            if line not in self._before:
                note(line)
        self._before = {*lines} or self._before


def _sentences(name: str, status: EventStatus) -> Iterator[str]:
    """Yield how an event stands for a bot."""
    if status.notice:
        yield f"{name} {status.notice}"
    if status.over:
        yield from _ends(name, status)
    elif status.running:
        yield f"{name} plays {_playing(status)}"
    elif not status.connected:
        yield f"the arena waits for {name}"
    elif status.missing_count:
        yield f"{name} is connected; waiting for {_missing(status)}"
    elif not status.played:
        yield f"{name} is connected; " + ("play has begun" if status.begun else "all bots are there")
    elif status.exact and status.played == status.matches:
        yield f"{name} has played all of its {status.matches} matches; waiting for the others"


def _playing(status: EventStatus) -> str:
    """Name the matches that are being played: their numbers among those of the bot, and the opponents."""
    of = f" of {'' if status.exact else 'at most '}{status.matches}" if status.matches else ""
    return " and ".join(
        f"match {number}{of}" + (f" against {', '.join(match.opponents)}" if match.opponents else "")
        for number, match in enumerate(status.running, start=status.played + 1)
    )


def _missing(status: EventStatus) -> str:
    more = status.missing_count - len(status.missing)
    until = f" until {status.start_at}" if status.start_at else ""
    return ", ".join(status.missing) + (f" and {more} more" if more else "") + until


def _ends(name: str, status: EventStatus) -> Iterator[str]:
    """Yield the result of a bot."""
    yield f"the event is over; {name} has played {status.played} matches, {status.faults} of them with a fault"
    if place := status.place.place:
        yield f"by the rules of {status.place.format}, {name} is number {place} of {status.place.bots}"
    for row in status.ratings:
        yield (
            f"{row.table}: {name} has rank {row.rank} of {row.bots}, a rating of {row.rating:.1f}, won {row.wins:.0%} "
            f"of {row.matches} matches, {row.faults} of them with a fault"
        )
