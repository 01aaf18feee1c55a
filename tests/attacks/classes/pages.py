"""Floods of the pages that `serve` shows, by programs of this machine or what a reverse proxy lets through."""

import signal
from email.message import Message
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from ballcourt.arena.records.store import write_record
from ballcourt.arena.tournament.folder.output import RECORDS
from tests.arena.recorded import recorded
from tests.attacks.attack import Ground, Outcome, deed
from tests.attacks.besieged import Flood, Visit, besieged
from tests.attacks.classes.words import NASTY, SCRIPT
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


NOT_FRAMED = "frame-ancestors 'none'"
STRANGE = (
    "..%2f..%2fetc%2fpasswd",
    "%3Cscript%3E",
    "m1%00",
    "m1%2f..%2fm1",
    "%1b%5b2J",
    "a" * 5000,
    "m1;x",
    "%E2%80%AE",
)
"""What names no match."""
OURS = ("", "matches", "matches/m1", "news", "api/matches", "embed/none", *(f"embed/{name}" for name in STRANGE))
"""What no page of another site may show."""
REACHES = ("connect-src", "frame-src", "'unsafe-", "http:", "https:", "*")
"""What lets a page reach more than it has in itself."""


@deed("frames pages of serve")
def _frames(ground: Ground) -> list[str]:
    """Show pages in frames of another site, one of them of a match full of scripts, so that people click in them."""
    with ground.folder() as place:
        record = recorded("m1")
        for number in range(len(record.decisions.seats)):
            record.decisions.thoughts[number] = f"{SCRIPT}{NASTY}"
        (place / RECORDS).mkdir()
        write_record(place / RECORDS, record)
        with served(place) as (address, process):
            found = {path: _answer(f"{address}{path}") for path in (*OURS, "embed/m1")}
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE_S)
    status, headers, text = found.pop("embed/m1")
    policy = headers["Content-Security-Policy"].removesuffix("; frame-ancestors *")
    problems = [f"{path[:30]} may be framed" for path, (_, sent, _) in found.items() if not _is_ours_alone(sent)]
    problems += [f"{path[:30]} is answered with {status}" for path, (status, _, _) in found.items() if status >= 500]
    problems += [] if status == 200 else [f"the match is answered with {status}"]
    problems += [f"the match may reach more: {policy}"] if any(word in policy for word in REACHES) else []
    problems += [
        f"the match lacks {part}" for part in ("default-src 'none'", "form-action 'none'") if part not in policy
    ]
    problems += ["it sets a cookie"] if "Set-Cookie" in headers else []
    return problems + (["a page has their words as they are"] if SCRIPT in text or str(place) in text else [])


def _is_ours_alone(headers: Message) -> bool:
    policy, use = headers["Content-Security-Policy"] or "", headers["Cross-Origin-Resource-Policy"]
    return NOT_FRAMED in policy and use == "same-origin"


def _answer(address: str) -> tuple[int, Message, str]:
    """Return the answer to another site's frame."""
    asked = Request(address, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"})
    try:
        with urlopen(asked, timeout=PATIENCE_S) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except HTTPError as error:
        return error.code, error.headers, error.read().decode()


ATTACKS = (_frames, *map(_flood, AT_A_PAGE))
