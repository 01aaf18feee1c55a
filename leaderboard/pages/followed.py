"""A match that browsers follow: what has been broadcast of it, and its state, in words and with what pages do next.

    waiting -> live -> ended -> counted, and at any time gone, from where it may begin again

A page that gets no place in a full server is in a state too, and so is one that cannot be shown what happens.
"""

import re
import secrets
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, Final, Literal, TypedDict

from fastapi.sse import ServerSentEvent

from ballcourt.arena.printable import printable
from ballcourt.arena.replays.broadcast import ASKED_S, BROADCASTS, BroadcastReader
from ballcourt.arena.replays.document import Appraisal
from ballcourt.leaderboard.pages.outlooks import MatchOutlook, Outlooks

SETTLED_S: Final = 2.0
"""How long after its record the last decisions of a match may come."""
KNOWN: Final = re.compile(r"(\w{8})\.(\d{1,7})\.(\d{1,7})", re.ASCII)
"""The id of an event: an edition, how many steps have been sent, and how many judgements."""

Next = Literal["stay", "load", "ask"]


class FollowedState(TypedDict):
    """The state of what a page follows."""

    name: str
    sentence: str
    """Empty if there is nothing to say."""
    next: str
    """What the page does: "stay" and listen, "load" itself again to show the replay, or "ask" again later."""


class Followed(Enum):
    """A state by its name: its sentence, and what the page does next."""

    WAITING = (
        "The match has begun, and its first position is on the way. If it is played on another machine, this page shows"
        " it when it is over.",
        "stay",
    )
    LIVE = "", "stay"
    ENDED = "The match is over; the tables will count it in some seconds", "load"
    COUNTED = "", "load"
    GONE = (
        "The match was stopped before its end, or does not count. When it is played again, this page goes on.",
        "ask",
    )
    FULL = "The server is full: {most} browsers follow it. This page asks again every 10 seconds.", "ask"
    REFUSED = "The match cannot be watched: {why}. This page shows it when it is over.", "stay"

    def __init__(self, sentence: str, then: Next) -> None:
        self.sentence = sentence
        self.then = then

    def state(self, **values: object) -> FollowedState:
        """Return the state as pages read it, with the values of its sentence."""
        return {"name": self.name.lower(), "sentence": self.sentence.format(**values), "next": self.then}


class WatchedMatch:
    """What has been broadcast of a match, for all who watch it."""

    def __init__(self, folder: Path, key: str, judge: Outlooks | None = None) -> None:
        self.key = key
        self._reader = BroadcastReader(folder / BROADCASTS, key)
        self._lock = Lock()
        self._asked = self._changed = -ASKED_S
        self._document: dict[str, Any] | None = None
        self._steps: list[dict[str, Any]] = []
        self._edition = ""
        """Changes when the match or this process is started again; then a browser gets everything again."""
        self._trouble = ""
        self._judge = judge
        self._outlook: MatchOutlook | None = None
        self._judged: list[tuple[int, Appraisal]] = []

    def close(self) -> None:
        """Stop reading."""
        with self._lock:
            self._reader.leave()
            if self._outlook:
                self._outlook.leave()

    def since(self, known: str, *, is_recorded: bool) -> tuple[list[ServerSentEvent], FollowedState]:
        """Return what is new to a browser whose last event had the id `known`, and the state of the match."""
        with self._lock:
            self._read()
            events = list(self._news(*self._reported(known)))
            if not events and is_recorded and monotonic() - self._changed > SETTLED_S:
                return [], Followed.ENDED.state()
            if self._trouble:
                return events, Followed.REFUSED.state(why=self._trouble)
            return events, (Followed.LIVE if self._document else Followed.WAITING).state()

    def _reported(self, known: str) -> tuple[int | None, int]:
        """Return how many steps of this edition a browser knows, and how many judgements.

        None if it has another edition or none.
        """
        found = KNOWN.fullmatch(known)
        return (int(found[2]), int(found[3])) if found and found[1] == self._edition else (None, 0)

    def _news(self, sent: int | None, judged: int) -> Iterator[ServerSentEvent]:
        here = f"{self._edition}.{len(self._steps)}"
        all_judged = len(self._judged)
        if self._document and sent is None:
            everything = {**self._document, "steps": self._steps[:]}
            yield ServerSentEvent(event="match", data=everything, id=f"{here}.{all_judged}")
            return
        if sent is not None and sent < len(self._steps):
            yield ServerSentEvent(event="steps", data=self._steps[sent:], id=f"{here}.{judged}")
        if sent is not None and judged < all_judged:
            yield ServerSentEvent(event="judged", data=self._judged[judged:], id=f"{here}.{all_judged}")

    def _read(self) -> None:
        if monotonic() - self._asked > ASKED_S / 4:
            self._asked = monotonic()
            self._ask()
        for entry in self._reader.entries():
            self._changed = monotonic()
            self._take(entry)
        for number, estimate in self._outlook.found(len(self._steps)) if self._outlook else ():
            self._steps[number]["judged"] = estimate
            self._judged.append((number, estimate))

    def _take(self, entry: dict[str, Any]) -> None:
        if "document" in entry:
            self._begin(entry["document"])
        elif "step" in entry:
            self._steps.append(entry["step"])
        elif "failed" in entry:
            self._trouble = f"its broadcast broke off ({printable(entry['failed'])})"
        if self._outlook and "seen" in entry:
            self._outlook.see(len(self._steps), entry["seen"])

    def _begin(self, document: dict[str, Any]) -> None:
        self._steps, self._judged, self._edition, self._trouble = [], [], secrets.token_hex(4), ""
        self._document = document
        if self._judge:
            self._document["judge"] = self._judge.judge
            self._outlook = MatchOutlook(self._judge, document["game"])

    def _ask(self) -> None:
        try:
            self._reader.ask()
        except OSError as error:
            self._trouble = f"{error.strerror} in the folder of the tournament"
