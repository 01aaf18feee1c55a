"""The decisions of a running match."""

import pytest

from ballcourt.arena.match import log
from ballcourt.arena.match.seats import Answer
from ballcourt.v1.protocol_pb2 import Evaluation

SIDES = Evaluation(values=[0.5, -0.5])


def test_a_record_keeps_thoughts_and_evaluations_up_to_a_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MOST_THOUGHTS", 2 * SIDES.ByteSize() + 3)
    kept = log.Log([[1]])
    for answer in (
        Answer(1, evaluation=SIDES),
        Answer(1, thoughts="abc", evaluation=SIDES),
        Answer(1, thoughts="d", evaluation=SIDES),
    ):
        kept.add([[1]], 0, answer)
    decisions = kept.decisions()
    assert dict(decisions.thoughts) == {1: "abc"}
    assert dict(decisions.evaluations) == {0: SIDES, 1: SIDES}
