"""The desk of an examiner on another machine: it asks the server of the contest, by a token with the scope `examine`.

It sends what it found out, and not the files of the bot: the contest unpacks those of its own archive, and compares.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from ballcourt.arena.tournament.decisions.trail import TRAIL
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.examining.desks import Desk, ExamPlaces, ExamTerms
from ballcourt.contest.examining.sources import FarArchives
from ballcourt.contest.examining.work import Leased, WorkFinding

_LEASED: Final = TypeAdapter(Leased)


class FarDesk(Desk):
    """See the module."""

    def __init__(self, server: ContestServer, scratch: Path) -> None:
        """Raise ContestError and ArenaError if the server does not take this examiner."""
        self._server = server
        self._output = scratch / "ladder"
        self._output.mkdir()
        self.terms = ExamTerms.model_validate(server.ask_json("GET", "/examiner/terms"))

    def step(self, *, is_busy: bool = False) -> None:
        """Do nothing: an examiner on the contest's machine hands accepted bots over."""

    def lease(self, holder: str) -> Leased | None:
        """Get the newest trail of the ladder, too."""
        found = self._server.ask_json("POST", "/examiner/lease", {"holder": holder})["leased"]
        if found is None:
            return None
        with (self._output / TRAIL).open("wb") as file:
            self._server.fetch_into("/examiner/trail", file)
        return _LEASED.validate_python(found)

    def archives(self, leased: Leased) -> FarArchives:
        server, lease = self._server, _address(leased)
        return FarArchives(url=server.url, token=server.token, lease=lease, fence=leased.fence)

    def places(self, leased: Leased, folder: Path) -> ExamPlaces:
        del leased
        return ExamPlaces(self._output, folder / "records", folder / "copy")

    def beat(self, leased: Leased) -> bool:
        return bool(self._server.ask_json("POST", f"{_address(leased)}/beat", {"fence": leased.fence})["held"])

    def give_back(self, leased: Leased) -> None:
        self._server.ask_json("POST", f"{_address(leased)}/return", {"fence": leased.fence})

    def settle(self, leased: Leased, finding: WorkFinding, places: ExamPlaces | None) -> str | None:
        """Send the records of its matches first, each in a part of its own."""
        if places and places.records.is_dir():
            for record in sorted(places.records.iterdir()):
                address = f"{_address(leased)}/records/{record.name}?fence={leased.fence}"
                self._server.send("PUT", address, record.read_bytes())
        found = {"fence": leased.fence, "finding": asdict(finding)}
        answer = self._server.ask_json("POST", f"{_address(leased)}/outcome", found)
        return answer["state"] and str(answer["state"])


def _address(leased: Leased) -> str:
    return f"/examiner/{leased.work}"
