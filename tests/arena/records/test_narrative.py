"""What a replay shows, to all and to one seat."""

import pytest

from ballcourt.arena.records import narrative, summaries
from ballcourt.arena.records.readable import HIDDEN
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.replays.view import scene_at
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy, Host, MatchRecord, Packages, SeatFault
from tests.arena.recorded import alike_to, recorded, recorded_alone, recorded_crash


def test_the_narrative_names_bots_places_and_every_decision() -> None:
    lines = list(narrative.narrative(recorded()))
    assert lines[0] == "match match"
    assert lines[1] == "bluff, rules 1, rounds = 3; 9 decisions"
    assert sum(line.startswith(("  1.", "  2.", "  3.")) for line in lines) == 3
    assert sum("BID_" in line for line in lines) == 9
    assert sum("thought: I bid 3" in line for line in lines) == 3


def test_the_narrative_lists_a_rival_at_its_place() -> None:
    record = recorded_alone()
    assert [line[:30].rstrip() for line in narrative.account(record)[1:]] == [
        "  1.  lowest 1   seat 0",
        "  1.  the house  no bot",
    ]
    record.results[0].placement = 2
    assert "the house" in narrative.account(record)[1]
    assert summaries.to_json(record)["rivals"] == [{"name": "the house", "placement": 1, "score": 3.0}]


def test_an_observer_sees_only_what_the_game_lets_it_see() -> None:
    record = recorded()
    steps = list(summaries.decision_summaries(record, observer=1))
    assert {step.action for step in steps if step.seat == 1} == {"BID_3"}
    assert {step.action for step in steps if step.seat != 1} == {HIDDEN}
    assert not any(step.thoughts for step in summaries.decision_summaries(record, observer=0))
    assert "seed" not in summaries.to_json(record, observer=1)


def test_an_observer_sees_nothing_that_betrays_the_choices_of_others() -> None:
    """Two records that differ only in what seat 1 cannot know look the same to it."""
    plain, revealing = alike_to(1)
    del revealing.cpu_us[:], revealing.work[:], revealing.dropped[:]
    revealing.cpu_us.extend([777, 0, 888])
    revealing.work.extend([500, 0, 0])
    revealing.dropped.extend([1, 0, 2])
    revealing.overhead_p99_us = 555.0
    revealing.tolerated.add(seat=2, decision=2, termination=Termination.TERMINATION_ILLEGAL, detail="bid 9")
    assert list(narrative.narrative(plain, 1)) == list(narrative.narrative(revealing, 1))
    shown = [
        summaries.to_json(record, 1, summaries.decision_summaries(record, observer=1)) for record in (plain, revealing)
    ]
    assert shown[0] == shown[1]
    assert scene_at(plain, 4, 1) == scene_at(revealing, 4, 1)


def test_a_seat_sees_its_own_times_faults_and_output() -> None:
    record = recorded_crash()
    record.results[1].termination = Termination.TERMINATION_CRASH
    own = [step for step in summaries.decision_summaries(record, observer=1) if step.seat == 1]
    assert [step.by for step in own] == ["bot"] * 3
    assert {step.thoughts for step in own} == {"I bid 3"}
    lines = list(narrative.narrative(record, 1))
    assert "      lost its seat at decision 4 (CRASH): it left" in lines
    assert "      | KeyError: 'x'" in lines
    assert sum(" ms" in line for line in lines) == 4


def test_a_turn_is_headed_by_the_points_before_it() -> None:
    record = recorded()
    headings = [line for line in narrative.narrative(record) if line.startswith("seat ")]
    assert headings[:3] == [
        "seat 0 lowest; points 0, 0, 0",
        "seat 1 highest; points 0, 0, 0",
        "seat 2 lowest; points 0, 0, 0",
    ]
    assert headings[3] != "seat 0 lowest; points 0, 0, 0"
    assert not any("points" in line for line in narrative.narrative(record, 0) if line.startswith("seat "))


def test_a_part_of_the_decisions_can_be_listed() -> None:
    lines = list(narrative.narrative(recorded(), first=3, last=5))
    assert [line.split()[0] for line in lines if "BID_" in line] == ["3", "4", "5"]


@pytest.mark.parametrize(("first", "last", "wrong"), [(9, None, 9), (0, 9, 9), (-1, None, -1)])
def test_decisions_that_do_not_exist_are_refused(first: int, last: int | None, wrong: int) -> None:
    with pytest.raises(RecordError, match=f"has decisions 0 to 8; {wrong} is not one"):
        summaries.check_range(recorded(), first, last)


def test_a_range_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(RecordError, match="decision 3 is before decision 5"):
        summaries.check_range(recorded(), 5, 3)


def test_decisions_not_made_by_a_bot_say_who_made_them() -> None:
    record = recorded()
    record.decisions.decided_by[2] = DecidedBy.DECIDED_BY_SUBSTITUTE
    record.decisions.decided_by[5] = record.decisions.decided_by[8] = DecidedBy.DECIDED_BY_NOBODY
    record.tolerated.add(
        seat=2, decision=2, termination=Termination.TERMINATION_ILLEGAL, detail="the bot cheated", remedy="substitute"
    )
    record.faults.append(
        SeatFault(seat=2, decision=5, termination=Termination.TERMINATION_CRASH, detail="the bot left")
    )
    record.results[2].termination = Termination.TERMINATION_CRASH
    assert [(step.number, step.by) for step in summaries.decision_summaries(record) if step.by != "bot"] == [
        (2, "substitute"),
        (5, "nobody"),
        (8, "nobody"),
    ]
    lines = list(narrative.narrative(record))
    assert sum(line.endswith("by nobody, the seat was vacated") for line in lines) == 2
    assert sum(line.endswith("substituted after a fault") for line in lines) == 1
    assert any("lost its seat at decision 5 (CRASH): the bot left" in line for line in lines)
    assert "      was forgiven (ILLEGAL, substitute): the bot cheated" in lines
    assert [(seat.decisions, seat.tolerated) for seat in summaries.seat_summaries(record)] == [(3, 0), (3, 0), (0, 1)]


def test_thoughts_of_several_lines_are_several_lines() -> None:
    record = recorded()
    record.decisions.thoughts[2] = "first\r\nsecond\x1b[31m\n"
    lines = list(narrative.narrative(record))
    number = lines.index("        thought: first")
    assert lines[number + 1] == "                 second\x1b[31m", "to be escaped where it is printed"


def test_decisions_that_a_bot_did_not_choose_itself_are_counted_under_its_seat() -> None:
    record = recorded()
    record.decisions.decided_by[2] = DecidedBy.DECIDED_BY_FALLBACK
    lines = list(narrative.narrative(record))
    assert "      ! it chose only 67% of its 3 decisions itself" in lines
    assert sum(line.endswith("a fallback, the bot did not choose itself") for line in lines) == 1
    assert [seat.own_decisions for seat in summaries.seat_summaries(record)] == pytest.approx([1, 1, 2 / 3])
    assert summaries.seat_summaries(record, 0)[2].own_decisions is None, "others do not learn it"


def test_the_narrative_says_when_and_on_what_a_match_was_played() -> None:
    record = recorded()
    record.started, record.arena = "2026-11-22T18:30:05Z", "ballcourt 0.1.0"
    record.host.CopyFrom(Host(system="Linux 6.8", machine="x86_64", cpu="CPU", cpus=2, python="CPython 3.12.3"))
    lines = list(narrative.narrative(record))
    assert lines[lines.index("") - 1] == (
        "played 2026-11-22T18:30:05Z by ballcourt 0.1.0 on Linux 6.8, x86_64, 2 x CPU, CPython 3.12.3"
    )
    record.host.speed, record.clock_scale = 0.5, "reference"
    assert any(
        line.endswith("2 x CPU, speed 0.5, CPython 3.12.3; clocks are scaled by its speed")
        for line in narrative.narrative(record)
    )


@pytest.mark.parametrize(("field", "value"), [("rules_version", "7"), ("game", "gone")])
def test_decisions_are_listed_by_number_if_their_rules_are_not_installed(field: str, value: str) -> None:
    record = recorded()
    setattr(record, field, value)
    numbers = [f"action {action}" for action in record.decisions.actions]
    assert [decision.action for decision in summaries.decision_summaries(record)] == numbers
    with pytest.raises(RecordError):
        list(summaries.decision_summaries(record, observer=0))


def test_packages_of_bots_are_shown_and_an_observer_sees_its_own_alone() -> None:
    record = MatchRecord.FromString(recorded().SerializeToString())
    record.packages[0].CopyFrom(Packages(lines=["six==1.16.0 --hash=sha256:0a"], left_out=3))
    record.packages[2].SetInParent()
    own = "seat 0 had Python packages of its own: six==1.16.0, 3 more"
    unknown = "seat 2 had Python packages of its own: which ones is not known"
    for observer, lines in ((None, [own, unknown]), (0, [own]), (1, []), (2, [unknown])):
        assert [line for line in narrative.narrative(record, observer) if "packages" in line] == lines
    assert summaries.to_json(record)["packages"] == {0: ["six==1.16.0 --hash=sha256:0a"], 2: []}
    assert "packages" not in summaries.to_json(record, 1)


@pytest.mark.parametrize(("number", "points"), [(0, [0, 0, 0]), (2, [0, 0, 0])])
def test_the_scene_shows_the_position_before_the_decision(number: int, points: list[float]) -> None:
    assert [player["score"] for player in scene_at(recorded(), number)["players"]] == points


def test_the_last_scene_shows_the_end_of_the_match() -> None:
    record = recorded()
    last = scene_at(record, 9)
    assert [player["score"] for player in last["players"]] == [result.score for result in record.results]
    assert last["question"] is None


@pytest.mark.parametrize("number", [-1, 10])
def test_a_position_that_does_not_exist_is_refused(number: int) -> None:
    with pytest.raises(RecordError, match=f"has positions 0 to 9; {number} is not one"):
        scene_at(recorded(), number)


def test_a_seat_that_does_not_exist_is_refused() -> None:
    with pytest.raises(RecordError, match="has seats 0 to 2; 3 is not one"):
        summaries.check_observer(recorded(), 3)


def test_a_match_of_a_game_that_is_not_installed_can_still_be_summarised() -> None:
    record = MatchRecord.FromString(recorded().SerializeToString())
    record.game = "gone"
    assert [seat.bot for seat in summaries.seat_summaries(record)] == ["lowest", "highest", "lowest"]


def test_an_unknown_termination_is_shown_as_a_number() -> None:
    record = recorded()
    record.results[1].termination = 99  # type: ignore[assignment]
    assert any("lost its seat (TERMINATION 99)" in line for line in narrative.account(record))
