"""The folder of a tournament of bluff, written by the test as its run and workers would write it."""

import json
import sys
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

from ballcourt.arena.printable import values_of
from ballcourt.arena.records.replay import opening, positions
from ballcourt.arena.records.store import write_record
from ballcourt.arena.replays.broadcast import BROADCASTS, written
from ballcourt.arena.replays.document import Appraisal, document
from ballcourt.arena.tournament.folder.events import Finished, MatchPlayed, MatchStarted
from ballcourt.arena.tournament.folder.log import EVENTS
from ballcourt.arena.tournament.folder.output import LOCK
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.leaderboard.pages.outlooks import Outlooks
from tests.arena.recorded import recorded

BOTS = ("lowest", "highest", "lowest")
HOLD = """import sys
from ballcourt.arena.locks import claim
with open(sys.argv[1], "a") as lock:
    claim(lock)
    print("held", flush=True)
    sys.stdin.read()"""


class InstantJudge(Outlooks):
    """A judge that answers at once: seat 0 wins."""

    def ask(self, game: str, seen: str) -> Future[Appraisal]:
        answer: Future[Appraisal] = Future()
        if seen == "wrong":
            answer.set_exception(ValueError(game))
        else:
            answer.set_result({"values": [], "wins": [1.0, 0.0, 0.0], "points": [], "ranked": [], "marks": []})
        return answer


@dataclass
class Cup:
    """A tournament of four matches, of which `m1` is watched. Begins its first run."""

    folder: Path

    def __post_init__(self) -> None:
        self.records = {key: recorded(key) for key in ("m1", "m2")}
        self.folder.mkdir(exist_ok=True)
        (self.folder / "records").mkdir()
        self.begin()

    def begin(self) -> None:
        """Begin a run with a log of its own, which says nothing of the end of the run before."""
        (self.folder / EVENTS).unlink(missing_ok=True)
        sizes = {"seats": 3, "matches": 4, "exact": True}
        self.log({"event": "planned", "game": "bluff", "bots": BOTS, "format": "round-robin", **sizes})

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder by another process, as that of a run does."""
        with Popen((sys.executable, "-c", HOLD, self.folder / LOCK), stdin=PIPE, stdout=PIPE) as process:
            assert process.stdin and process.stdout
            with process.stdin:
                assert process.stdout.readline() == b"held\n"
                yield

    def log(self, entry: dict[str, Any]) -> None:
        with (self.folder / EVENTS).open("a") as log:
            log.write(json.dumps({**entry, "at": "2026-11-22T12:00:00.000Z"}) + "\n")

    def start(self, key: str = "m1") -> None:
        self.log(values_of(MatchStarted(key, "bluff", BOTS)))

    def play(self, key: str = "m1") -> None:
        record = self.records[key]
        path = write_record(self.folder / "records", record)
        self.log(values_of(MatchPlayed(key, BOTS, (1, 2, 3), (4.0, 3.0, 2.0), path, True, record)))

    def finish(self) -> None:
        self.log(values_of(Finished(1, self.folder, ())))

    def seen(self) -> Iterator[str]:
        """Yield the positions of `m1` as a broadcast has them."""
        record = self.records["m1"]
        encoder = Encoder(opening(record)[0].wire())
        for state in positions(record):
            yield b64encode(encoder.encode(state, SPECTATOR)).decode()

    def broadcast(self, steps: int, *, begins: bool = False) -> None:
        """Write the first steps of `m1` down; a worker that begins it again writes another file."""
        path = written(self.folder / BROADCASTS, "m1")
        path.parent.mkdir(exist_ok=True)
        whole = document(self.records["m1"], SPECTATOR)
        lines: list[dict[str, Any]] = [{"document": {**whole, "steps": []}}]
        lines += [{"step": step} for step in whole["steps"][:steps]]
        lines = [{**line, "seen": seen} for line, seen in zip(lines, self.seen(), strict=False)]
        if begins:
            path.unlink(missing_ok=True)
        done = len(path.read_text().splitlines()) if path.exists() else 0
        with path.open("a") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines[done:])
