"""What a bot says in numbers: what is allowed, and what records show of it."""

import json
from math import inf, nan

import pytest

from ballcourt import Bot, Decision, Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records import narrative, summaries
from ballcourt.arena.records.evaluations import objection
from ballcourt.v1.protocol_pb2 import Evaluation, Mark, RankedAction
from ballcourt.v1.record_pb2 import MatchRecord


class Evaluator(Bot):
    name = "evaluator"
    version = "1"

    def choose(self, decision: Decision) -> int:
        ranked = [RankedAction(action=action, value=action / 4, visits=action - 1) for action in decision.legal[::-1]]
        marks = [Mark(place="deck", label="ten left"), Mark(place="hand")]
        decision.evaluation = Evaluation(values=[0.5, -0.5], ranked=ranked, marks=marks)
        return decision.legal[-1]


@pytest.mark.parametrize(
    ("evaluation", "sentence"),
    [
        (Evaluation(), ""),
        (Evaluation(values=[1, -1], ranked=[RankedAction(action=3)] * 64), ""),
        (Evaluation(values=[1]), "has the values 1; they must be one number for each of the 2 seats, from -1 to 1"),
        (Evaluation(values=[1, -1.5]), "has the values 1, -1.5"),
        (Evaluation(values=[nan, 0]), "has the values nan, 0"),
        (Evaluation(ranked=[RankedAction(action=3)] * 65), "has 65 ranked; at most 64 are allowed"),
        (Evaluation(marks=[Mark(place="x")] * 65), "has 65 marks; at most 64 are allowed"),
        (Evaluation(ranked=[RankedAction(action=3, value=inf)]), "ranks action 3 with the value inf"),
        (Evaluation(marks=[Mark(label="x" * 4096)]), "has 4102 bytes; at most 4096 are allowed"),
    ],
)
def test_an_evaluation_has_a_number_per_seat_and_short_lists(evaluation: Evaluation, sentence: str) -> None:
    assert objection(evaluation, 2).startswith(sentence)
    assert bool(objection(evaluation, 2)) == bool(sentence)


def evaluated() -> MatchRecord:
    return play_in_process("bluff", [Session(Evaluator()), Session(Evaluator())], seed=1)


def test_a_record_shows_evaluations_in_words_and_in_json() -> None:
    record = evaluated()
    lines = list(narrative.narrative(record))
    assert sum("expects: seat 0 +0.50, seat 1 -0.50" in line for line in lines) == 6
    assert sum("ranks: BID_3 0.75 (2 x), BID_2 0.5 (1 x), BID_1 0.25" in line for line in lines) == 6
    assert sum("marks: deck (ten left), hand" in line for line in lines) == 6
    shown = json.dumps(summaries.to_json(record, None, summaries.decision_summaries(record)))
    assert shown.count('"ranked": [{"action": "BID_3", "value": 0.75, "visits": 2}, ') == 6


def test_an_observer_sees_only_its_own_evaluations() -> None:
    steps = [*summaries.decision_summaries(evaluated(), observer=1)]
    assert [step.evaluation is not None for step in steps] == [step.seat == 1 for step in steps]


def test_an_evaluation_that_no_arena_would_have_recorded_is_not_shown() -> None:
    record = evaluated()
    record.decisions.evaluations[0].values[0] = nan
    first, second, *_ = summaries.decision_summaries(record)
    assert first.evaluation is None
    assert second.evaluation is not None
