"""The log of a run: what it says, and how it is read while it is written."""

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from ballcourt.arena.files import PACKAGE
from ballcourt.arena.tournament.decisions.trail import Halt
from ballcourt.arena.tournament.folder.events import (
    BlockVoided,
    BotRefused,
    DivisionChanged,
    EntrantJudged,
    EventPaused,
    Finished,
    LadderRests,
    LadderWaits,
    MatchesSkipped,
    MatchPlayed,
    MatchStarted,
    OrganiserDecided,
    Planned,
    RecordUnreadable,
    Resumed,
    RunEvent,
    WorkerChanged,
)
from ballcourt.arena.tournament.folder.log import EVENTS, EventLog, LogReader
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.workers.queue import WorkerChange
from tests.arena.recorded import recorded

STARTED = MatchStarted("m0", "bluff", ("lowest", "highest", "lowest"))
FINISHED = Finished(1, Path("out"), ("highest", "lowest"))

PAUSE = Halt(number=1, action="pause", reason="lunch", who="ann", time="2026-11-22T12:00:00Z")


@pytest.fixture
def events(planned: Plan) -> list[RunEvent]:
    """One event of each kind."""
    bots = STARTED.bots
    return [
        Planned("bluff", bots, 3, True, Path("out"), planned),
        MatchPlayed("m9", bots, (1, 2, 3), (4.0, 0.5, -1.0), Path("m9.match"), False, recorded("m9")),
        RecordUnreadable("m8", "it is cut short"),
        Resumed(1),
        STARTED,
        MatchPlayed("m0", bots, (1, 2, 3), (float("inf"), 0.0, 0.0), Path("m0.match"), True, recorded("m0")),
        BlockVoided(("m0", "m1"), "a strange \x1b[31m\u202e\ud800 reason", ()),
        EntrantJudged("lowest", "1", "is disqualified"),
        WorkerChanged("lab-1", WorkerChange.FLAGGED, "stands out"),
        MatchesSkipped(("m2",), ()),
        OrganiserDecided((PAUSE,), 4),
        EventPaused(PAUSE),
        BotRefused("eve", "check 5 failed", Path("bots/eve.refused.txt")),
        DivisionChanged("lowest", "1", 2, 1),
        LadderWaits("a table has 4 seats, and 1 bot can play"),
        LadderRests("every rating is known to ±1"),
        FINISHED,
    ]


def lines(folder: Path) -> list[str]:
    return (folder / EVENTS).read_text().splitlines()


def test_every_line_keeps_to_the_schema(tmp_path: Path, events: list[RunEvent]) -> None:
    schema = json.loads((PACKAGE / "arena" / "tournament" / "schemas" / "event.json").read_text())
    Draft202012Validator.check_schema(schema)
    with EventLog(tmp_path) as log:
        for event in events[:-1]:
            log.add(event)
    validator = Draft202012Validator(schema)
    known = {*schema["discriminator"]["mapping"]}
    written = [json.loads(line) for line in lines(tmp_path)]
    for entry in written:
        entry["scores"] = [0 if score is None else score for score in entry.get("scores", [])]
        validator.validate(entry)
        assert datetime.fromisoformat(entry["at"]).tzinfo
    assert {entry["event"] for entry in written} == known - {"finished"}
    assert all(line.isascii() and line.isprintable() for line in lines(tmp_path))


def test_a_run_that_ends_early_says_why(tmp_path: Path) -> None:
    for error, reason in ((ValueError("the disk is full"), "the disk is full"), (KeyboardInterrupt(), "interrupted")):
        with pytest.raises(type(error)), EventLog(tmp_path) as log:
            log.add(STARTED)
            raise error
        stopped = json.loads(lines(tmp_path)[-1])
        assert stopped["event"] == "stopped"
        assert reason in stopped["reason"]


def test_a_plan_begins_a_new_log_to_which_readers_go_over(tmp_path: Path, planned: Plan) -> None:
    plan = Planned("bluff", STARTED.bots, 0, False, Path("out"), planned)
    with EventLog(tmp_path) as log, LogReader(tmp_path) as reader:
        for event in (plan, STARTED):
            log.add(event)
        assert kinds(reader) == ["planned", "started"]
        for event in (STARTED, plan, STARTED):
            log.add(event)
        assert kinds(reader) == ["started", "planned", "started"]
        assert [json.loads(line)["event"] for line in lines(tmp_path)] == ["planned", "started"]


def test_a_run_that_is_over_says_nothing_else(tmp_path: Path) -> None:
    with EventLog(tmp_path) as log:
        log.add(FINISHED)
    assert [json.loads(line)["event"] for line in lines(tmp_path)] == ["finished"]


def kinds(reader: LogReader) -> list[str]:
    return [entry["event"] for entry in reader.entries()]


def test_a_reader_sees_each_entry_once_and_only_whole_lines(tmp_path: Path) -> None:
    with LogReader(tmp_path) as reader:
        assert kinds(reader) == []
        with EventLog(tmp_path) as log:
            log.add(STARTED)
            assert kinds(reader) == ["started"]
            assert kinds(reader) == []
            log.add(FINISHED)
            assert kinds(reader) == ["finished"]
        whole = '{"at": "2026-11-22T10:00:00Z", "event": "resumed", "matches": 1}\n'
        with (tmp_path / EVENTS).open("a", buffering=1) as file:
            file.write(whole[:20])
            file.flush()
            assert kinds(reader) == []
            file.write(whole[20:])
            assert kinds(reader) == ["resumed"]


def cut(path: Path) -> None:
    path.write_text('{"event": "pla\n')


@pytest.mark.parametrize("damage", [cut, Path.unlink])
def test_a_reader_goes_on_to_the_log_of_the_next_run(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    with LogReader(tmp_path) as reader:
        with EventLog(tmp_path) as log:
            log.add(STARTED)
        assert kinds(reader) == ["started", "stopped"]
        damage(tmp_path / EVENTS)
        assert kinds(reader) == []
        with EventLog(tmp_path) as log:
            log.add(FINISHED)
        assert kinds(reader) == ["finished"]


def test_a_log_that_no_longer_fits_on_the_disk_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"No space left on device: '.*/events.jsonl'"), EventLog(tmp_path) as log:
        log._file.close()
        log._file = Path("/dev/full").open("w", buffering=1)  # noqa: SIM115  # the log closes it
        log.add(EventPaused(PAUSE))
