"""Feedback: what an author learns fits into a prompt and follows from the matches."""

import pytest

from ballcourt import Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.replays.playouts import points_of
from ballcourt.engine.registry import find_game
from ballcourt.evaluation import feedback
from ballcourt.evaluation.feedback import MOST_CHARACTERS, CostlyMoment, PointSource, costly_moments, point_sources
from ballcourt.v1.record_pb2 import MatchRecord
from tests.bots.honest import Lowest
from tests.evaluation.conftest import Opened


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    """A match of Maya between bots that play their lowest actions."""
    return play_in_process("maya", [Session(Lowest()), Session(Lowest())], seed=3)


def test_the_sources_of_points_add_up_to_the_scores(record: MatchRecord) -> None:
    sources = point_sources([(record, 0)])
    assert sum(source.own for source in sources) == pytest.approx(record.results[0].score)
    assert sum(source.others for source in sources) == pytest.approx(record.results[1].score)


def test_sources_have_the_names_of_the_score_sheet_and_what_only_others_used_is_told_too() -> None:
    match = play_in_process("ahau", [Session(Lowest()), Session(Lowest())], seed=3)
    (first, *_) = sources = point_sources([(match, 1)])
    assert first == PointSource("cities at K'atun Celebrations", 16.0, 8.0)
    assert PointSource("Might track", 0.0, 2.0) in sources


@pytest.mark.slow
def test_costly_decisions_name_what_was_chosen_and_what_is_better() -> None:
    record = play_in_process("tzolkin", [Session(Lowest()), Session(Lowest())], seed=4)
    (first, *_) = found = costly_moments([(record, 0)])
    assert len(found) == 3
    assert first.points == points_of(find_game("tzolkin"), first.loss)
    assert first.loss > 0
    assert first.chosen != first.better
    assert record.decisions.seats[first.number] == 0
    assert found == sorted(found, key=lambda moment: -moment.loss)
    told, question, *_ = lines = [*first.lines()]
    assert f"chose '{first.chosen}'; '{first.better}' leads to about " in told
    assert question.startswith("  question: ")
    assert any(line.startswith("  player 0 seat 0 (you): ") for line in lines)
    assert any(line.startswith("  player 1 seat 1: ") for line in lines)


def test_three_costly_decisions_fit_into_feedback() -> None:
    position = (
        "table: " + 200 * "a long line ",
        *(f"player {seat}: {60 * 'tile '}" for seat in range(5)),
        "question: ?",
    )
    moment = CostlyMoment("m", 1, "a", "b", 0.5, None, position)
    told, question, *rest = moment.lines()
    assert (told, question) == ("decision 1 of m: chose 'a'; 'b' leads to a better place", "  question: ?")
    assert len(rest) >= 3
    assert 3 * len("\n".join((told, question, *rest))) < 0.75 * MOST_CHARACTERS


def test_feedback_has_the_result_and_is_short_enough(opened: Opened) -> None:
    arena = opened()
    arena.evaluate("./low", "4 matches")
    text = arena.feedback("./low")
    assert "won" in text
    assert "## points in a match, by source" in text
    assert len(text) <= MOST_CHARACTERS


@pytest.mark.slow
def test_decisions_that_playouts_cannot_tell_apart_are_left_out(
    record: MatchRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feedback, "loss", lambda *_: 0.0)
    assert costly_moments([(record, 0)]) == []
