"""Floods at the port of a host, by strangers and by the holder of a token."""

import asyncio

from ballcourt.arena.remote.tokens import TokenFile
from tests.arena.hosted import Door, make_certificate
from tests.attacks.attack import Deed, Ground
from tests.attacks.besieged import harm_of_flood
from tests.attacks.classes.door import inhospitable
from tests.attacks.flooding import AT_A_HOST, HOLDER, OF_A_HOLDER
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


ATTACKS = tuple(_flood(way, is_proven=ways is OF_A_HOLDER) for ways in (AT_A_HOST, OF_A_HOLDER) for way in ways)
