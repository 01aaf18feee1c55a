"""Floods at the ports of a host and of a cluster's scheduler, by strangers and by the holder of a token."""

import asyncio
import time

from ballcourt.arena.cluster.security import Credentials
from ballcourt.arena.remote.tokens import TokenFile
from tests.arena.cluster.test_endings import scheduler_at
from tests.arena.hosted import Door, make_certificate
from tests.attacks.attack import Ground, Outcome
from tests.attacks.besieged import Flood, Visit, besieged
from tests.attacks.classes.door import PATIENCE_S, inhospitable
from tests.attacks.clusters import unplayed
from tests.attacks.flooding import AT_A_HOST, AT_A_SCHEDULER, HOLDER, OF_A_HOLDER
from tests.cli.test_host import hosting

NAMES = ("bob-bot", HOLDER, "carol-bot")
"""Who may dial in. The last never does, so no match begins."""
EVENT = f'game = "tzolkin"\nbots = {[f"remote:{name}" for name in NAMES]}\nseats = 2\nrounds = 1\n'
ANOTHER = "127.0.0.2"
"""An address of this machine that no flood comes from."""
BOUND_S = 10.0
"""How long a bot that comes from there may wait for its welcome, on a busy machine."""
PAUSE_S = 1.0
"""The pause before a bot whose connection was cut dials again."""


def _flood(way: str, *, is_proven: bool) -> Flood:
    """Return a flood of a host over TLS, while an honest bot comes and goes, at the same address and at another one."""

    def siege(ground: Ground) -> Outcome:
        with ground.folder() as place:
            certificate = make_certificate(place)
            (place / "event.toml").write_text(EVENT)
            tokens = TokenFile(place / "tokens.json")
            secrets = {name: tokens.new(name, name.partition("-")[0])[1] for name in NAMES}
            token = (secrets[HOLDER],) if is_proven else ()
            with hosting(place) as (process, address):
                port = int(address.rpartition(":")[2])
                door = Door(port, tokens, certificate)
                visits = [
                    Visit("the same address", lambda: _turned_away(door)),
                    Visit("another address", lambda: _turned_away(door, ANOTHER), BOUND_S),
                ]
                return besieged(ground, way, port, process.pid, visits, *token)

    return Flood(f"flood of {way} at a host{' by a bot' if is_proven else ''}", siege)


def _turned_away(door: Door, source: str = "") -> list[str]:
    """Dial in as bots do, again if the connection is cut; return what is wrong with the last answer."""
    give_up = time.monotonic() + PATIENCE_S
    while (harm := asyncio.run(inhospitable(door, source))) and time.monotonic() < give_up:
        time.sleep(PAUSE_S)
    return harm


def _flood_of_a_scheduler(way: str) -> Flood:
    """Return a flood of a scheduler with TLS, while an honest worker comes from the same address, plays and goes."""

    def siege(ground: Ground) -> Outcome:
        with ground.folder() as place:
            made = make_certificate(place)
            given = Credentials(made.path, made.path, made.key)
            files = (("ca-file", made.path), ("cert", made.path), ("key", made.key))
            flags = [word for flag, file in files for word in (f"--tls-{flag}", str(file))]
            with scheduler_at("0", place, "--protocol", "tls", *flags) as (process, address):
                port = int(address.rpartition(":")[2])
                visits = [Visit("the same address", lambda: unplayed(address, given, place))]
                return besieged(ground, way, port, process.pid, visits)

    return Flood(f"flood of {way} at a scheduler", siege)


ATTACKS = (
    *(_flood(way, is_proven=ways is OF_A_HOLDER) for ways in (AT_A_HOST, OF_A_HOLDER) for way in ways),
    *map(_flood_of_a_scheduler, AT_A_SCHEDULER),
)
