"""The pages of replays that are looked at, and what opens one."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ballcourt.arena.replays.document import Document, Ranked, document
from ballcourt.arena.replays.judgement import judged, judgement_of
from ballcourt.arena.replays.playouts import by_playouts
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord
from tests.arena.recorded import recorded
from tests.arena.replays.matches import GAMES, NAMES, played
from tests.arena.replays.test_page import HOSTILE

DARK, LIGHT = {"color_scheme": "dark"}, {"color_scheme": "light"}
PHONE = {"viewport": {"width": 360, "height": 740}}
MATCHES = int(os.environ.get("BALLCOURT_REPLAYS", "1"))
"""How many random matches of each game are stepped through; `make replays` takes ten."""


@cache
def random_matches(name: str) -> list[MatchRecord]:
    """Return the matches of the page "random-NAME". They are played before the browser starts."""
    if name == "bluff":
        return [recorded()]
    return [played(*GAMES[NAMES.index(name)], seed) for seed in range(5, 5 + MATCHES)]


def lost_seat() -> MatchRecord:
    """Return a match in which an illegal answer of seat 1 was forgiven at decision 1, and the seat crashed at 4."""
    record = recorded()
    record.results[1].termination = Termination.TERMINATION_CRASH
    record.tolerated.add(
        seat=1, decision=1, termination=Termination.TERMINATION_ILLEGAL, detail="it bid 9", remedy="retry"
    )
    record.faults.add(seat=1, decision=4, termination=Termination.TERMINATION_CRASH, detail="it left")
    for number in range(4, len(record.decisions.seats)):
        if record.decisions.seats[number] == 1:
            record.decisions.decided_by[number] = DecidedBy.DECIDED_BY_NOBODY
    return record


def restarted() -> MatchRecord:
    """Return a match in which seat 2 came up only when it was started again."""
    record = recorded()
    failed = Termination.TERMINATION_FAILED_TO_START
    record.tolerated.add(seat=2, termination=failed, detail="it had no memory", remedy="retry")
    return record


def thoughtful() -> MatchRecord:
    """Return a match whose bots explain themselves at length, in many lines and in words without an end."""
    record = recorded()
    for number in range(len(record.decisions.seats)):
        record.decisions.thoughts[number] = "\n".join(("they bid low; " * 9, "a" * 400) * 20)
    return record


def with_judgement(record: MatchRecord) -> Document:
    """Return a match whose second decision was worse than another one, and whose bot drew attention to a place."""
    (first, second, *_) = by_playouts(record, 9, lambda _: None)
    ranked: list[Ranked] = [
        {"action": 1, "label": "Bid 1", "value": 0.5, "visits": 400},
        {"action": 3, "label": "Bid 3", "value": 0.1, "visits": 400},
    ]
    second = {**second, "estimate": {**second["estimate"], "ranked": ranked, "spread": 1.0}}
    return judged(document(record), judgement_of(record, "an oracle", [first, second]))


def of_other_rules(view: Document) -> Document:
    """Return a view of scenes that the drawing of its game cannot draw."""
    return {**view, "rules_version": "0", "first": {**view["first"], "board": {"tide": "high"}}}


SPOILED: dict[str, Callable[[Any], Any]] = {
    "words": lambda value: HOSTILE if isinstance(value, str) else value,
    "long": lambda value: "<svg>" + "W" * 20_000 if isinstance(value, str) else value,
    "tall": lambda value: value * 10**12 if isinstance(value, int | float) and value > 1 else value,
    "numbers": lambda value: 10**15 if isinstance(value, int | float) and not isinstance(value, bool) else value,
}
"""What a stranger puts in place of all values of what they kept of the scenes of a match."""


def spoiled(view: Document, spoil: Callable[[Any], Any]) -> Document:
    """Return a view of a game that is not installed, whose scenes a stranger has spoiled."""

    def walked(value: Any) -> Any:  # noqa: ANN401  # JSON values
        if isinstance(value, dict):
            return {name: walked(inner) for name, inner in value.items()}
        return [walked(inner) for inner in value] if isinstance(value, list) else spoil(value)

    scene: Any = {**view["first"], "board": walked(view["first"]["board"])}
    return {**view, "game": "strange", "first": scene, "scenery": walked(view["scenery"])}


@dataclass
class Viewer:
    """A page in the browser, with everything that went wrong on it."""

    files: dict[str, Path]
    tab: Any
    problems: list[str] = field(default_factory=list)

    def open(self, name: str, address: str = "") -> None:
        self.tab.goto("about:blank")  # an address on the same page would not load it again
        self.tab.goto(f"file://{self.files[name]}{address}")
        self.tab.wait_for_selector(".player")

    def where(self) -> str:
        return str(self.tab.inner_text("[data-part=where]"))

    def text(self, part: str) -> str:
        return str(self.tab.inner_text(f"[data-part={part}]"))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)


def opened(browser: Any, files: dict[str, Path], **settings: Any) -> Viewer:  # noqa: ANN401
    tab = browser.new_context(**{"reduced_motion": "reduce", **settings}).new_page()
    tab.set_default_timeout(300_000)
    viewer = Viewer(files, tab)
    tab.on("console", lambda message: viewer.problems.append(message.text))
    tab.on("pageerror", lambda error: viewer.problems.append(str(error)))
    tab.on("dialog", lambda dialog: viewer.problems.append(f"a dialog: {dialog.message}"))
    tab.on("request", lambda request: viewer.problems.extend([] if _is_own(request.url) else [request.url]))
    return viewer


def _is_own(address: str) -> bool:
    return address.startswith(("file:", "data:", "about:", "blob:"))
