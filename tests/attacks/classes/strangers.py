"""Floods at the ports of a host and of a cluster's scheduler, by strangers and by the holder of a token."""

import asyncio

from ballcourt.arena.cluster.security import Credentials
from ballcourt.arena.remote.tokens import TokenFile
from tests.arena.cluster.test_endings import scheduler_at
from tests.arena.hosted import Door, make_certificate
from tests.attacks.attack import Deed, Ground
from tests.attacks.besieged import harm_of_flood
from tests.attacks.classes.door import inhospitable
from tests.attacks.clusters import unplayed
from tests.attacks.flooding import AT_A_HOST, AT_A_SCHEDULER, HOLDER, OF_A_HOLDER
from tests.cli.test_host import hosting

NAMES = ("bob-bot", HOLDER, "carol-bot")
"""Who may dial in. The last never does, so no match begins."""
EVENT = f'game = "tzolkin"\nbots = {[f"remote:{name}" for name in NAMES]}\nseats = 2\nrounds = 1\n'


def _flood(way: str, *, is_proven: bool) -> Deed:
    """Return a flood of a host over TLS, while an honest bot comes and goes at the same address."""

    def harms(ground: Ground) -> list[str]:
        with ground.folder() as place:
            certificate = make_certificate(place)
            (place / "event.toml").write_text(EVENT)
            tokens = TokenFile(place / "tokens.json")
            secrets = {name: tokens.new(name, name.partition("-")[0])[1] for name in NAMES}
            token = (secrets[HOLDER],) if is_proven else ()
            with hosting(place) as (process, address):
                port = int(address.rpartition(":")[2])
                door = Door(port, tokens, certificate)
                return harm_of_flood(ground, way, port, process.pid, lambda: asyncio.run(inhospitable(door)), *token)

    return Deed(f"flood of {way} at a host{' by a bot' if is_proven else ''}", harms)


def _flood_of_a_scheduler(way: str) -> Deed:
    """Return a flood of a scheduler with TLS, while an honest worker comes from the same address, plays and goes."""

    def harms(ground: Ground) -> list[str]:
        with ground.folder() as place:
            made = make_certificate(place)
            given = Credentials(made.path, made.path, made.key)
            files = (("ca-file", made.path), ("cert", made.path), ("key", made.key))
            flags = [word for flag, file in files for word in (f"--tls-{flag}", str(file))]
            with scheduler_at("0", place, "--protocol", "tls", *flags) as (process, address):
                port = int(address.rpartition(":")[2])
                return harm_of_flood(ground, way, port, process.pid, lambda: unplayed(address, given, place))

    return Deed(f"flood of {way} at a scheduler", harms)


ATTACKS = (
    *(_flood(way, is_proven=ways is OF_A_HOLDER) for ways in (AT_A_HOST, OF_A_HOLDER) for way in ways),
    *map(_flood_of_a_scheduler, AT_A_SCHEDULER),
)
