"""Where remote bots dial in, by the flags that `host` and `ladder` share."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ballcourt.arena.extras import needs
from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.remote.port import address_of, take_port
from ballcourt.arena.remote.registry import ANY
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.workers.runner import ORDERS, HostRunner
from ballcourt.cli.declaring import option, switch
from ballcourt.cli.output import note

REMOTE = "Remote bots"


@dataclass(frozen=True, slots=True)
class HostingFlags:
    """Where bots dial in, and what they find there."""

    listen: Annotated[
        str | None,
        option(
            "The address for bots to dial; 0.0.0.0:7433 by default. Port 0 is any free one.", "HOST:PORT", panel=REMOTE
        ),
    ] = None
    cert: Annotated[Path | None, option("The certificate chain (PEM).", "FILE", panel=REMOTE)] = None
    key: Annotated[Path | None, option("The private key (PEM), if it is in a separate file.", "FILE", panel=REMOTE)] = (
        None
    )
    insecure: Annotated[bool, switch("--insecure", "Do not use TLS; only for bots on this machine.", panel=REMOTE)] = (
        False
    )
    tokens: Annotated[Path, option("The file with the hashes of the tokens.", "FILE", panel=REMOTE)] = Path(
        "tokens.json"
    )
    concurrent: Annotated[
        int | None,
        option("The number of matches at the same time; one per processor by default.", "N", min=1, panel=REMOTE),
    ] = None
    reconnect_ms: Annotated[
        int, option("How long a bot may be disconnected during a match.", "MS", min=0, max=600000, panel=REMOTE)
    ] = 10_000
    reflection: Annotated[
        bool, switch("--reflection", "Describe the services to tools such as grpcurl.", panel=REMOTE)
    ] = False


def check_hosting(flags: HostingFlags) -> None:
    """Raise MissingExtra, before anything is read or opened, if a package is not installed that the flags need."""
    if flags.reflection:
        needs("reflection")


@contextmanager
def opened(
    flags: HostingFlags,
    planned: Plan,
    bots: tuple[str, ...] | None,
    tables: int,
    *,
    versions: Mapping[str, str] = ANY,
    start_at: str = "",
    forfeits: bool,
    orders: int = ORDERS,
) -> Iterator[HostRunner]:
    """Yield a runner that lets remote bots in: those with these names, or all that have a token if `bots` is None.

    The other arguments are those of `Hosting` and `HostRunner`. Raises RemoteError for an address or a certificate that
    cannot be used.
    """
    with take_port(flags.listen, flags.cert, flags.key, insecure=flags.insecure) as port:
        hosting = Hosting(
            listener=port.fileno(),
            games=tuple(dict.fromkeys(setup.game for setup in planned.setups)),
            bots=bots,
            versions=dict(versions),
            tokens=str(flags.tokens),
            certificate=str(flags.cert or ""),
            key=str(flags.key or ""),
            start_at=start_at,
            forfeits=forfeits,
            reconnect_ms=flags.reconnect_ms,
            tables=tables,
            reflection=flags.reflection,
        )
        with HostRunner(hosting, orders) as runner:
            encryption = "without TLS" if flags.insecure else "with TLS"
            whom = f"all bots with a token in {flags.tokens}" if bots is None else ", ".join(bots)
            note(f"listening on {address_of(port)} {encryption} for {whom}")
            yield runner
