"""Floods of the pages that `serve` shows, by programs of this machine or what a reverse proxy lets through."""

import signal
from urllib.error import URLError
from urllib.request import urlopen

from ballcourt.arena.records.store import write_record
from ballcourt.arena.tournament.folder.output import RECORDS
from tests.arena.recorded import recorded
from tests.attacks.attack import Ground, Outcome
from tests.attacks.besieged import Flood, Visit, besieged
from tests.attacks.flooding import AT_A_PAGE
from tests.cli.test_serve import served

PATIENCE_S = 300.0
TRIES = 10
"""How often a person loads a page again; the first three were all cut off once, on a busy machine."""


def _flood(way: str) -> Flood:
    """Return a flood of `serve`, while a browser asks for a page."""

    def siege(ground: Ground) -> Outcome:
        with ground.folder() as place:
            (place / RECORDS).mkdir()
            write_record(place / RECORDS, recorded("m1"))
            with served(place) as (address, process):
                port = int(address.strip("/").rpartition(":")[2])
                visits = [Visit("this machine", lambda: _closed(address))]
                outcome = besieged(ground, way, port, process.pid, visits)
                process.send_signal(signal.SIGINT)
                process.wait(PATIENCE_S)  # otherwise its temporary files are left
                return outcome

    return Flood(f"flood of {way} at serve", siege)


def _closed(address: str) -> list[str]:
    """Ask for a page, a few times if the connection is cut to make room for others; return what is wrong in the end."""
    for _ in range(TRIES):
        try:
            with urlopen(address, timeout=PATIENCE_S) as answer:
                return [] if b"lowest" in answer.read() else ["a browser gets another page"]
        except (OSError, URLError) as error:
            harm = f"a browser gets no page: {error}"
    return [harm]


ATTACKS = tuple(map(_flood, AT_A_PAGE))
