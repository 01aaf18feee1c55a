"""Damaged match records and fault bundles, given to every command that reads them."""

import asyncio
import json
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.arena.debug.cases import find_question
from ballcourt.arena.debug.questions import conversation
from ballcourt.arena.records import narrative, summaries
from ballcourt.arena.records.bundle import summary, write_bundles
from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import framed, read_record
from ballcourt.arena.replays.document import document
from ballcourt.arena.replays.view import scene_at
from ballcourt.engine.core import WrongInput
from ballcourt.leaderboard.model.results import from_record
from ballcourt.leaderboard.model.standings import by_ladder
from ballcourt.leaderboard.show.terminal import to_table
from ballcourt.v1.protocol_pb2 import Action, BotMessage, Termination
from ballcourt.v1.record_pb2 import Exchange, MatchRecord, ToleratedFault
from tests.arena.recorded import recorded
from tests.fuzz.damage import damaged, distorted, tried
from tests.leaderboard.made import board

SAYS = BotMessage(action=Action(decision_id=1, action=77, thoughts="why not")).SerializeToString()


@cache
def eventful() -> MatchRecord:
    """Return a short match with a vacated seat and a tolerated fault; the same in every run."""
    record = recorded("m")
    record.overhead_p50_us, record.overhead_p99_us = 1.0, 2.0
    record.decisions.think_us[:] = [7 for _ in record.decisions.seats]
    fault = record.faults.add(seat=1, decision=3, detail="played 77", stderr_tail="oh", exit_code=-9)
    record.results[1].termination = fault.termination = Termination.TERMINATION_ILLEGAL
    record.tolerated.append(ToleratedFault(seat=0, decision=3, remedy="substitute", detail="late", think_us=9))
    start, *requests = asyncio.run(conversation(recorded(), 1))
    start.match_start.match_id = "x"
    fault.last.extend(Exchange(request=data_of(request), replies=[SAYS]) for request in (start, *requests[:2]))
    return record


def data_of(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


files = st.deferred(lambda: damaged(framed(data_of(eventful()))))
contents = st.deferred(lambda: damaged(data_of(eventful())) | distorted(eventful()).map(data_of))
records = files | contents.map(framed)  # a stranger can compute a checksum
bundles = st.deferred(lambda: damaged(data_of(eventful().faults[0])) | distorted(eventful().faults[0]).map(data_of))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a record belongs in the output folder of a tournament."""
    records = tmp_path_factory.mktemp("run") / "records"
    records.mkdir()
    return records / "m.match"


@pytest.mark.slow
@tried(200)
@given(data=records, observer=st.none() | st.integers(0, 2), at=st.integers(0, 10))
def test_a_damaged_record_is_shown_or_explained(file: Path, data: bytes, observer: int | None, at: int) -> None:
    file.write_bytes(data)
    for tell in (
        lambda record: [*narrative.narrative(record, observer)],
        lambda record: json.dumps(summaries.to_json(record, observer, summaries.decision_summaries(record, observer))),
        lambda record: scene_at(record, at, observer),
        lambda record: json.dumps(document(record, observer)),
        lambda record: [[*summary(record, fault)] for fault in record.faults],
        lambda record: verify(record).difference,
        lambda record: [
            to_table(ladder, board(played).rows) for ladder, played in by_ladder([from_record(record)]).items()
        ],
    ):
        with suppress(WrongInput):
            tell(read_record(file))


@tried(40)
@given(data=records)
def test_bundles_of_a_damaged_record_can_be_written(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    folder = file.parent / "bundles"
    with suppress(WrongInput):
        assert all(path.parent == folder for path in write_bundles(folder, read_record(file)))


@pytest.mark.slow
@tried(150)
@given(data=records, number=st.integers(0, 9), observes=st.booleans())
def test_a_question_of_a_damaged_record_can_be_asked_again_or_is_explained(
    file: Path, data: bytes, number: int, observes: bool
) -> None:
    file.write_bytes(data)
    ask(f"{file}@{number}", observes=observes)


@pytest.mark.slow
@tried(150)
@given(data=bundles, observes=st.booleans())
def test_a_question_of_a_damaged_bundle_can_be_asked_again_or_is_explained(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, observes: bool
) -> None:
    folder = tmp_path_factory.getbasetemp() / "bundle"
    folder.mkdir(exist_ok=True)
    (folder / "fault.binpb").write_bytes(data)
    ask(str(folder), observes=observes)


def ask(target: str, *, observes: bool) -> None:
    """Find a question like `ballcourt debug`; raise only the errors that it explains in one sentence."""
    with suppress(WrongInput):
        assert asyncio.run(find_question(target).case(observes=observes)).title
