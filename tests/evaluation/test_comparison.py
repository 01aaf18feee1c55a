"""A comparison while it is played: what counts, and how it is shown."""

from pathlib import Path

import pytest

from ballcourt import Bot, Decision, Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.store import write_record
from ballcourt.arena.tournament.event.reading import event_from
from ballcourt.arena.tournament.folder.events import BlockVoided, MatchPlayed, RunEvent
from ballcourt.evaluation import comparison
from ballcourt.evaluation.comparison import Comparison, plan_comparison
from ballcourt.evaluation.evidence import Measure, Method, Weighing
from ballcourt.evaluation.question import Question


class Lowest(Bot):
    version = "1"

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def choose(self, decision: Decision) -> int:
        return decision.legal[0]


def played(folder: Path, key: str, *table: str) -> MatchPlayed:
    record = play_in_process("bluff", [Session(Lowest(name)) for name in table], seed=1, key=key)
    file = write_record(folder, record)
    placements = tuple(result.placement for result in record.results)
    return MatchPlayed(key, table, placements, (), file, True, record)


def block(folder: Path, index: int) -> list[RunEvent]:
    """Return the matches of a block in which no version is better, the second one first."""
    key = f"b{index:06d}-r"
    return [played(folder, f"{key}1", "old", "new"), played(folder, f"{key}0", "new", "old")]


def compared(
    place: Path, monkeypatch: pytest.MonkeyPatch, events: list[RunEvent], by: Measure = Measure.DUELS
) -> Comparison:
    """Return a comparison in which this happened."""
    monkeypatch.setattr(comparison, "run_tournament", lambda *_: (event for event in events))
    settings = event_from(None, {"game": "bluff", "seats": 2, "sandbox": {"tier": 0}}, "the test")
    planned = plan_comparison(place / "out", "./low", "./any", settings)
    found = Comparison(place / "out", planned, Weighing(Question(), Method.BETTING, spread=2.0, by=by), 0, None)
    assert [*found.play(lambda _: pytest.fail("nothing is to be played"), 1)] == events
    return found


def test_the_matches_of_a_block_may_end_in_any_order(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (one, two), (three, four) = block(place, 0), block(place, 1)
    found = compared(place, monkeypatch, [three, one, two, four])
    assert found.matches == found.report().matches == 4
    assert [split.parting for story in found.report().stories for split in story.splits] == [None, None]


def test_only_whole_blocks_are_evidence(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = compared(place, monkeypatch, block(place, 0)[:1])
    assert (found.matches, found.report().evidence.blocks) == (1, 0)


@pytest.mark.parametrize("matches", [0, 1, 2])
def test_a_void_block_is_no_evidence(place: Path, monkeypatch: pytest.MonkeyPatch, matches: int) -> None:
    void = BlockVoided(("b000001-r0", "b000001-r1"), "the arena failed", ())
    found = compared(place, monkeypatch, [*block(place, 0), *block(place, 1)[:matches], void])
    assert (found.matches, found.report().evidence.blocks) == (2, 1)
