"""Statistics of a game, from matches whose course is known."""

from math import log2

import pytest

from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.game_report import GameReport, MeanEstimate, Moment, check_game, moments, random_match
from ballcourt.arena.records.store import RecordError
from ballcourt.bots.first_legal.bot import FirstLegalBot
from ballcourt.bots.sdk.python.session import Session
from ballcourt.engine.core.frames import NOBODY
from ballcourt.engine.registry import find_game
from tests.bluff import GAME as BLUFF
from tests.bluff import Bid, at_table


def bids(secrets: list[int], *rounds: list[int]) -> list[Moment]:
    """The moments of a match of bluff with these bids; positions are copied, since there is a list of them."""
    state = at_table(secrets, [Bid(len(rounds) - 1)])
    found: list[Moment] = []
    for bid in rounds:
        for seat, action in enumerate(bid):
            found.append((state.clone(), seat, action))
            state.apply(seat, action)
    return [*found, (state, NOBODY, 0)]


def report(*matches: list[Moment]) -> GameReport:
    found = GameReport(BLUFF)
    for match in matches:
        found.add(match)
    return found


def test_length_choices_and_questions_are_counted() -> None:
    values = report(bids([3, 3], [1, 2]), bids([3, 3], [1, 2], [1, 3])).values()
    assert values["decisions"] == {"per_match": 3, "least": 2, "most": 4}
    assert values["choices"] == {"mean": 3, "most": 3}
    assert values["forced"] == 0
    assert values["questions"] == [{"name": "Bid", "per_match": 3, "forced": 0, "choices": 3, "most": 3}]


def test_seats_and_actions_are_credited_with_what_they_returned() -> None:
    values = report(bids([3, 3], [1, 2]), bids([3, 3], [1, 3]), bids([3, 3], [2, 1])).values()
    first, second = values["seats"]
    assert first["return"]["mean"] == pytest.approx(-1 / 3)
    assert second["return"] == {
        "mean": pytest.approx(1 / 3),
        "interval": pytest.approx(1.96 * 2 / 3, abs=0.01),
        "count": 3,
    }
    assert (first["score"]["mean"], second["score"]["mean"]) == (pytest.approx(4 / 3), 2)
    actions = {row["name"]: row for row in values["actions"]}
    assert actions["BID_1"]["return"]["mean"] == -1
    assert actions["BID_2"]["return"]["mean"] == 1
    assert actions["BID_1"]["used_by"] == 0.5
    assert actions["BID_3"]["per_match"] == pytest.approx(1 / 3)
    assert actions["BID_3"]["return"]["interval"] is None


def test_the_entropy_of_first_moves_is_in_bits() -> None:
    assert report(bids([3, 3], [1, 2]), bids([3, 3], [1, 3])).values()["first_move"]["entropy_bits"] == 0
    each = report(*(bids([3, 3], [bid, 1]) for bid in (1, 2, 3))).values()["first_move"]
    assert each == {"entropy_bits": pytest.approx(log2(3)), "different": 3, "most_common": "BID_1"}


def test_score_curves_run_from_the_opening_to_the_end() -> None:
    curves = report(bids([3, 3], [1, 2], [1, 3])).values()["score_curves"]
    assert curves["winners"][0] == curves["others"][0] == 0
    assert (curves["winners"][-1], curves["others"][-1]) == (5, 2)
    assert sorted(curves["winners"]) == curves["winners"]


def test_a_record_has_the_moments_of_its_match() -> None:
    record = play_in_process("maya", [Session(FirstLegalBot()), Session(FirstLegalBot())], seed=2)
    found = GameReport(find_game("maya"))
    found.add(moments(record))
    values = found.values()
    assert values["decisions"]["per_match"] == len(record.decisions.actions)
    assert [seat["score"]["mean"] for seat in values["seats"]] == [result.score for result in record.results]
    with pytest.raises(RecordError, match="is one of maya, not of bluff; leave it out"):
        check_game(record, BLUFF)


@pytest.mark.parametrize("count", [0, 5])
def test_a_record_whose_match_is_not_over_is_refused(count: int) -> None:
    record = play_in_process("maya", [Session(FirstLegalBot()), Session(FirstLegalBot())], seed=2, key="short")
    del record.decisions.seats[count:]
    del record.decisions.actions[count:]
    with pytest.raises(RecordError, match=r"^match short is not over after its last decision; leave it out$"):
        GameReport(find_game("maya")).add(moments(record))


def test_a_random_match_is_the_same_for_the_same_seed() -> None:
    one, same, other = ([moment[2] for moment in random_match(BLUFF, 3, seed)] for seed in (4, 4, 5))
    assert one == same != other


def test_an_estimate_of_one_value_has_no_interval() -> None:
    assert MeanEstimate.of([2.0]) == MeanEstimate(2.0, None, 1)
