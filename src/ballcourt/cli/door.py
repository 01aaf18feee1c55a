"""Where remote bots dial in, by the flags that `host` and `ladder` share."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from ballcourt.arena.extras import needs
from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.remote.port import address_of, take_port
from ballcourt.arena.remote.registry import ANY
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.workers.runner import ORDERS, HostRunner
from ballcourt.cli.commands.events import DoorFlags
from ballcourt.cli.output import note


def check_door(door: DoorFlags) -> None:
    """Raise MissingExtra, before anything is read or opened, if a package is not installed that the flags need."""
    if door.reflection:
        needs("reflection")


@contextmanager
def opened(
    door: DoorFlags,
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
    with take_port(door.listen, door.cert, door.key, insecure=door.insecure) as port:
        hosting = Hosting(
            listener=port.fileno(),
            games=tuple(dict.fromkeys(setup.game for setup in planned.setups)),
            bots=bots,
            versions=dict(versions),
            tokens=str(door.tokens),
            certificate=str(door.cert or ""),
            key=str(door.key or ""),
            start_at=start_at,
            forfeits=forfeits,
            reconnect_ms=door.reconnect_ms,
            tables=tables,
            reflection=door.reflection,
        )
        with HostRunner(hosting, orders) as runner:
            encryption = "without TLS" if door.insecure else "with TLS"
            whom = f"all bots with a token in {door.tokens}" if bots is None else ", ".join(bots)
            note(f"listening on {address_of(port)} {encryption} for {whom}")
            yield runner
