"""What a running comparison shows, in a terminal and elsewhere."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from ballcourt import Bot, Decision, Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.tournament.folder.events import BlockVoided, MatchPlayed
from ballcourt.cli import evidence
from ballcourt.cli.evidence import EvidenceView
from ballcourt.evaluation.evidence import Method
from ballcourt.evaluation.question import Question
from ballcourt.evaluation.weighing import Measure, Weighing


class Lowest(Bot):
    version = "1"

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def choose(self, decision: Decision) -> int:
        return decision.legal[0]


def played(key: str, *table: str, is_new: bool = True) -> MatchPlayed:
    record = play_in_process("bluff", [Session(Lowest(name)) for name in table], seed=1, key=key)
    placements = tuple(result.placement for result in record.results)
    return MatchPlayed(key, table, placements, (), Path(key), is_new, record)


def block(index: int, *, is_new: bool = True) -> list[MatchPlayed]:
    """Return the matches of a block in which neither is better, the second one first."""
    key = f"b{index:06d}-r"
    return [played(f"{key}1", "old", "new", is_new=is_new), played(f"{key}0", "new", "old", is_new=is_new)]


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """The stderr, with an update for each match."""
    monkeypatch.setattr(evidence, "REDRAW_S", 0.0)
    monkeypatch.setattr(evidence, "LINE_S", 0.0)
    return io.StringIO()


def view(
    monkeypatch: pytest.MonkeyPatch, file: io.StringIO, *, terminal: bool, by: Measure = Measure.DUELS
) -> EvidenceView:
    monkeypatch.setattr(evidence, "console", lambda err: Console(file=file, force_terminal=terminal, width=200))
    return EvidenceView(Weighing(Question(), Method.BETTING, spread=2.0, by=by), block_size=2)


@pytest.mark.parametrize("terminal", [True, False])
def test_the_evidence_and_the_time_to_go_are_shown(
    monkeypatch: pytest.MonkeyPatch, file: io.StringIO, terminal: bool
) -> None:
    with view(monkeypatch, file, terminal=terminal) as running:
        for event in (*block(0, is_new=False), *block(1)):
            running(event)
    last = file.getvalue().rstrip("\n").splitlines()[-1] if not terminal else file.getvalue()
    assert "4 matches: new wins 50.0% of the duels (" in last
    assert "evidence for more than 50%: 0%, for less than 55%: " in last
    assert "matches, " in last
    assert "to go" in last
    assert ("\x1b" in last) == terminal


def test_evidence_by_points_is_shown_in_points(monkeypatch: pytest.MonkeyPatch, file: io.StringIO) -> None:
    with view(monkeypatch, file, terminal=False, by=Measure.POINTS) as running:
        for event in (*block(0, is_new=False), *block(1)):
            running(event)
    assert "new makes +0.0 points a duel (-3.9 to +3.9); evidence for more than +0.0: 0%, for less than +0.2: " in (
        " ".join(file.getvalue().split())
    )


def test_only_whole_blocks_are_evidence(monkeypatch: pytest.MonkeyPatch, file: io.StringIO) -> None:
    with view(monkeypatch, file, terminal=False) as running:
        for event in block(0)[:1]:
            running(event)
    assert (running.matches, len(running.duels)) == (1, 0)


def test_the_matches_of_a_block_may_end_in_any_order(monkeypatch: pytest.MonkeyPatch, file: io.StringIO) -> None:
    with view(monkeypatch, file, terminal=False) as running:
        for event in (block(1)[0], *block(0), block(1)[1]):
            running(event)
    assert (running.matches, len(running.duels)) == (4, 2)
    assert [split.parting for story in running.stories for split in story.splits] == [None, None]


@pytest.mark.parametrize("matches", [0, 1, 2])
def test_a_void_block_is_no_evidence(monkeypatch: pytest.MonkeyPatch, file: io.StringIO, matches: int) -> None:
    with view(monkeypatch, file, terminal=False) as running:
        for event in (*block(0), *block(1)[:matches]):
            running(event)
        running(BlockVoided(("b000001-r0", "b000001-r1"), "the arena failed", ()))
    assert (running.matches, len(running.duels)) == (2, 1)
