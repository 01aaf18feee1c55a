"""Where remote bots dial in, by the flags that `host` and `ladder` share."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from ballcourt.arena.extras import needs
from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.remote.port import address_of, take_port
from ballcourt.arena.remote.registry import ANY
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.workers.runner import ORDERS, HostRunner
from ballcourt.cli.commands.events import HostingFlags
from ballcourt.cli.output import note


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
