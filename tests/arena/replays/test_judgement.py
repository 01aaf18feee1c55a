"""Judgements of matches: what is kept, who sees it, and what follows from it."""

from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from ballcourt.arena.records.replay import opening, positions
from ballcourt.arena.records.store import RecordError, write_record
from ballcourt.arena.replays.document import Appraisal, Document, Ranked, document
from ballcourt.arena.replays.judgement import judgement_of, keep_judgement, opinions
from ballcourt.arena.replays.kept import Replay
from ballcourt.arena.replays.playouts import by_playouts, estimate
from ballcourt.arena.replays.story import errors, loss
from ballcourt.engine.core.chance import Stream
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.recorded import recorded


def judged(folder: Path, record: MatchRecord, count: int = 60) -> Path:
    file = write_record(folder, record)
    keep_judgement(file, judgement_of(record, "60 playouts", [*by_playouts(record, count, lambda _: None)]))
    return file


def estimates(replay: Document) -> list[int]:
    return [number for number, step in enumerate(replay["steps"]) if step["judged"]]


def test_playouts_find_the_better_bids_and_how_the_match_stands(tmp_path: Path) -> None:
    record = recorded()
    replay = Replay(record, judged(tmp_path, record)).document()
    assert (replay["judge"], estimates(replay)) == ("60 playouts", [*range(9)])
    last: Appraisal | None = replay["steps"][8]["judged"]
    assert last
    assert sum(last["wins"]) == pytest.approx(1, abs=1e-3)
    assert sum(last["values"]) == pytest.approx(0, abs=1e-3)
    assert len(last["points"]) == 3
    assert {one["action"] for one in last["ranked"]} == {1, 2, 3}


def test_the_same_judge_finds_the_same_again(tmp_path: Path) -> None:
    record = recorded()
    first, second = ([*by_playouts(record, 12, lambda _: None)] for _ in range(2))
    assert first == second


def test_only_who_sees_into_a_seat_sees_what_the_judge_made_of_its_questions(tmp_path: Path) -> None:
    record = recorded()
    replay = Replay(record, judged(tmp_path, record))
    assert [estimates(replay.document(seat)) for seat in (-1, 0, 2)] == [[], [0, 3, 6], [2, 5, 8]]


def test_a_judgement_of_another_record_is_refused(tmp_path: Path) -> None:
    record = recorded("m0")
    judged(tmp_path, record)
    other = recorded("m0")
    other.entrants[0].name = "other"
    with pytest.raises(RecordError, match="was made from another record than"):
        Replay(other, write_record(tmp_path, other))


def test_an_estimate_for_other_seats_or_decisions_is_refused(tmp_path: Path) -> None:
    record = recorded()
    file = write_record(tmp_path, record)
    found = [*by_playouts(record, 3, lambda _: None)]
    keep_judgement(file, judgement_of(record, "x", [{**found[0], "decision": 99}]))
    with pytest.raises(RecordError, match="judges decision 99, which the match lacks"):
        Replay(record, file)
    keep_judgement(file, judgement_of(record, "x", [{**found[0], "estimate": {**found[0]["estimate"], "wins": [1.0]}}]))
    with pytest.raises(RecordError, match="for other seats than the match's"):
        Replay(record, file)


def ranked(action: int, value: float, visits: int = 0) -> Ranked:
    return {"action": action, "label": f"bid {action}", "value": value, "visits": visits}


def rated(*entries: Ranked) -> Appraisal:
    return {"values": [], "wins": [], "points": [], "ranked": [*entries], "marks": []}


@pytest.mark.parametrize(
    ("estimate", "lost"),
    [
        (rated(ranked(3, 6.0), ranked(1, 2.0)), 4.0),
        (rated(ranked(1, 6.0), ranked(3, 2.0)), 0.0),
        (rated(ranked(3, 6.0)), None),
        (rated(ranked(3, 0.5, 4), ranked(1, 0.1, 4)), 0.0),  # so few tries could differ by chance
        (rated(ranked(3, 0.5, 400), ranked(1, 0.1, 400)), 0.4),
        ({**rated(ranked(3, 0.5, 9), ranked(1, 0.1, 9)), "spread": 0.3}, 0.4),  # the judge knows its chance better
        ({**rated(ranked(3, 0.5, 4), ranked(1, 0.1, 4)), "spread": 0.3}, 0.0),  # but knows the spread of 4 hardly
        ({**rated(ranked(3, 0.5, 9), ranked(1, 0.2, 9)), "spread": 0.345}, 0.3),
        ({**rated(*(ranked(*one, 9) for one in ((3, 0.5), (4, 0.4), (5, 0.3), (1, 0.2)))), "spread": 0.345}, 0.0),
        ({**rated(ranked(3, 0.5, 400), ranked(1, 0.1, 400)), "spread": 5.0}, 0.0),
    ],
)
def test_a_loss_is_what_the_favourite_is_better_by_unless_it_may_be_chance(
    estimate: Appraisal, lost: float | None
) -> None:
    assert loss(estimate, 1) == pytest.approx(lost)


@pytest.mark.parametrize(("tries", "others", "exact"), [(4, 1, 3.182), (4, 4, 5.392), (20, 1, 2.093), (20, 4, 2.759)])
def test_a_mean_of_few_tries_must_be_further_from_0_by_students_t(tries: int, others: int, exact: float) -> None:
    assert errors(tries, others) == pytest.approx(exact, rel=0.03)


@pytest.mark.parametrize(("value", "agrees"), [(0.3, True), (-0.3, False), (0.1, None), (-0.1, None)])
def test_playouts_agree_with_what_is_better_than_the_others_on_average(value: float, agrees: bool | None) -> None:
    record = recorded()
    estimate = {**rated(ranked(3, 6.0, 9), ranked(1, 2.0, 9)), "gain": {"value": value, "error": 0.2}}
    decisions: Any = [{"decision": 3, "question": "BID", "estimate": estimate}]
    (found,) = opinions(record, judgement_of(record, "x", decisions))
    assert (found.agrees, found.gain) == (agrees, value)


def test_a_better_answer_gains_and_a_worse_one_loses() -> None:
    record = recorded()
    game, _ = opening(record)
    state = next(positions(record))
    seat = record.decisions.seats[0]
    found = {bid: estimate(game, state, seat, bid, 120, Stream(1)) for bid in state.legal_actions(seat)}
    gains = {bid: one["gain"]["value"] for bid, one in found.items()}
    best, *_, worst = [one["action"] for one in found[1]["ranked"]]
    assert gains[best] > found[best]["gain"]["error"]
    values = {one["action"]: one["value"] for one in found[best]["ranked"]}
    assert gains[best] == pytest.approx(values.pop(best) - fmean(values.values()), abs=1e-3)
    assert -gains[worst] > found[worst]["gain"]["error"]
    assert sum(gains.values()) == pytest.approx(0, abs=0.1)


def test_findings_name_the_decisions_to_which_the_judge_preferred_others() -> None:
    record = recorded()
    better = rated(ranked(3, 6.0), ranked(record.decisions.actions[3], 2.0))
    agreed = rated(ranked(record.decisions.actions[4], 6.0), ranked(1, 2.0))
    decisions = [
        {"decision": 3, "question": "BID", "estimate": better},
        {"decision": 4, "question": "BID", "estimate": agreed},
    ]
    first, second = opinions(record, judgement_of(record, "x", decisions))  # type: ignore[arg-type]
    assert (first.decision, first.seat, first.better, first.loss, first.agrees) == (3, 0, "bid 3", 4.0, False)
    assert (second.better, second.loss, second.agrees) == ("", 0.0, True)


def test_turning_points_are_named() -> None:
    replay = document(recorded())
    assert 0 < len(replay["turning_points"]) <= 5
    assert all(
        "lowest 1 (player 1)" in one["title"] or "highest 1 " in one["title"] or "lowest 1 (player 3)" in one["title"]
        for one in replay["turning_points"]
    )
