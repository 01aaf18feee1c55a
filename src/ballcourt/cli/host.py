"""`ballcourt host`: plays a tournament with remote bots."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache, partial
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.cli.flags import (
    Blocks,
    FailOnFault,
    Format,
    Json,
    LimitFlags,
    Matches,
    ReadableFlags,
    Rounds,
    SandboxFlag,
    StrictFlag,
    Tokens,
)
from ballcourt.cli.output import confinement, note
from ballcourt.cli.running import play_and_show, report, say_confinement


def host(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A tournament file (TOML).", show_default=False)],
    listen: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT", help="The address for bots to dial; 0.0.0.0:7433 by default. Port 0 is any free one."
        ),
    ] = None,
    cert: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate chain (PEM).")] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The private key (PEM), if it is in a separate file.")
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Do not use TLS; only for bots on this machine.")
    ] = False,
    tokens: Tokens = Path("tokens.json"),
    format: Format = None,  # the flag is called like this
    rounds: Rounds = None,
    blocks: Blocks = None,
    matches: Matches = None,
    concurrent: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="The number of matches at the same time; one per processor by default."),
    ] = None,
    reconnect_ms: Annotated[
        int, typer.Option(min=0, max=600_000, metavar="MS", help="How long a bot may be disconnected during a match.")
    ] = 10_000,
    reflection: Annotated[
        bool, typer.Option("--reflection", help="Describe the services to tools such as grpcurl.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The output folder; runs/NAME by default.")
    ] = None,
    sandbox: SandboxFlag = None,
    limit: LimitFlags = None,
    readable: ReadableFlags = None,
    strict: StrictFlag = False,
    fail_on_fault: FailOnFault = False,
    as_json: Json = False,
) -> None:
    """Play a tournament with bots that dial in from other machines.

    They use TCP with TLS, and each has a token. In the tournament file their names begin with "remote:". Play begins
    when all of them are connected; later, a match is played whenever its bots are. Arrivals, departures and refusals
    are written to stderr, one JSON object per line. After an interruption of any kind, run the same command again: it
    plays the remaining matches.

    \b
    Examples:
      ballcourt token new alice-bot --owner alice
      ballcourt host event.toml --cert cert.pem --key key.pem
      ballcourt host event.toml --insecure --listen 127.0.0.1:0
    """
    from ballcourt.arena.remote.hosting import Hosting
    from ballcourt.arena.remote.port import address_of, take_port
    from ballcourt.arena.remote.services import require_reflection
    from ballcourt.arena.remote.tokens import TokenFile
    from ballcourt.arena.tournament.event.reading import event_from, output_folder
    from ballcourt.arena.tournament.folder.manifest import kept_versions
    from ballcourt.arena.tournament.playing.play import plan_in
    from ballcourt.arena.tournament.playing.remote_bots import remote_names, resolver
    from ballcourt.arena.workers.cores import usable
    from ballcourt.arena.workers.runner import HostRunner

    said = {
        "format": format, "rounds": rounds, "blocks": blocks, "matches": matches,
        "output": str(output) if output else None, "sandbox": confinement(sandbox, limit, readable),
    }  # fmt: skip
    confine = partial(say_confinement, strict=strict)
    if reflection:
        require_reflection()
    settings = event_from(file, said, "the command line")
    folder = output_folder(file, settings)
    names = remote_names(settings)
    known = TokenFile(tokens)
    versions = kept_versions(folder, names)
    # checks everything that does not need the bots' versions before waiting for the bots
    planned = plan_in(folder, settings, resolver(known, dict.fromkeys(names, "?") | versions), confine)
    tables = concurrent or settings.workers or len(usable())
    with take_port(listen, cert, key, insecure=insecure) as port:
        hosting = Hosting(
            listener=port.fileno(),
            games=tuple(dict.fromkeys(setup.game for setup in planned.setups)),
            bots=names,
            versions=versions,
            tokens=str(tokens),
            certificate=str(cert or ""),
            key=str(key or ""),
            reconnect_ms=reconnect_ms,
            tables=tables,
            reflection=reflection,
        )
        with HostRunner(hosting) as runner:
            note(f"listening on {address_of(port)} {'without TLS' if insecure else 'with TLS'} for {', '.join(names)}")
            versions = versions or runner.roll_call()
            replan = partial(plan_in, folder, settings, cache(resolver(known, versions)))
            planned = replan()
            start = lambda _: nullcontext(runner)  # noqa: E731
            results = play_and_show(planned, folder, settings.database, start, tables, replan, live=False)
    report(planned, folder, results, as_json=as_json, fail_on_fault=fail_on_fault or strict)
