"""Floods by strangers at the port of a host."""

import asyncio

from ballcourt.arena.remote.tokens import TokenFile
from tests.arena.hosted import Door, make_certificate
from tests.attacks.attack import Deed, Ground
from tests.attacks.besieged import harm_of_flood
from tests.attacks.classes.door import inhospitable
from tests.attacks.flooding import AT_A_HOST
from tests.cli.test_host import hosting

OWNERS = {"bob-bot": "bob", "alice-bot": "alice"}
EVENT = 'game = "tzolkin"\nbots = ["first-legal", "remote:bob-bot", "remote:alice-bot"]\nseats = 2\nrounds = 1\n'


def _flood(way: str) -> Deed:
    """Return a flood of a host over TLS, while an honest bot comes and goes at the same address."""

    def harms(ground: Ground) -> list[str]:
        with ground.folder() as place:
            certificate = make_certificate(place)
            (place / "event.toml").write_text(EVENT)
            tokens = TokenFile(place / "tokens.json")
            for name, owner in OWNERS.items():
                tokens.new(name, owner)
            with hosting(place) as (process, address):
                port = int(address.rpartition(":")[2])
                door = Door(port, tokens, certificate)
                return harm_of_flood(ground, way, port, process.pid, lambda: asyncio.run(inhospitable(door)))

    return Deed(f"flood of {way} at a host", harms)


ATTACKS = tuple(map(_flood, AT_A_HOST))
