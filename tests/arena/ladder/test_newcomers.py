"""How soon a bot plays that joins a ladder, and how the stage that is cut for it goes on, on a simulated clock."""

import heapq
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.ladder import run, stage_run
from ballcourt.arena.ladder.arrivals.admission import Admission
from ballcourt.arena.ladder.arrivals.dialled import none_here
from ballcourt.arena.ladder.arrivals.inbox import Inbox
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.plan import plan_ladder
from ballcourt.arena.ladder.run import Bounds, run_ladder
from ballcourt.arena.ladder.space import shortage
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.tournament.event.stages import STAGES, Stage, StagesError, choose, read_stages, settle
from ballcourt.arena.tournament.folder.events import LadderWaits, MatchPlayed, MatchStarted, RunEvent
from ballcourt.arena.tournament.folder.output import open_folder
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.queue import Started
from ballcourt.leaderboard.model.precision import Precision
from ballcourt.leaderboard.store.folder import results_in
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.ladder.in_process import Looked, put, settings_in
from tests.arena.tournament.in_process import played

MATCH_S = 6.0


class Simulated:
    """Workers that play a match each, on a clock that moves only while they play or the ladder waits."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def run_blocks(
        self, blocks: Iterable[Sequence[PlayableMatch]], done: Container[str] = ()
    ) -> Iterator[Started | MatchRecord]:
        matches = (match for block in blocks for match in block if match.key not in done)
        running: list[tuple[float, str, PlayableMatch]] = []
        while True:
            while len(running) < self._workers and (match := next(matches, None)):
                heapq.heappush(running, (self.now + MATCH_S, match.key, match))
                yield Started(match.key, match.spec.game, tuple(bot.bot.name for bot in match.spec.entrants))
            if not running:
                return
            self.now, _, match = heapq.heappop(running)
            yield drawn(match.spec, self.now - MATCH_S)


@cache
def template() -> MatchRecord:
    return played(
        MatchSpec("b000000-r0", "bluff", {}, 1, (Entrant(BotVersion("a", "1")), Entrant(BotVersion("b", "1"))))
    )


def drawn(spec: MatchSpec, began: float) -> MatchRecord:
    """Return the record of another match under the name of this one: what bots did does not matter here."""
    record = MatchRecord()
    record.CopyFrom(template())
    record.key, record.seed = spec.key, spec.seed
    record.started = datetime.fromtimestamp(began, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    for seat, bot in zip(record.entrants, spec.entrants, strict=True):
        seat.name, seat.content_hash = bot.bot.name, bot.bot.content_hash
    return record


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> Simulated:
    found = Simulated(workers=2)
    monkeypatch.setattr(run, "monotonic", found.monotonic)
    monkeypatch.setattr(run, "time", found.monotonic)
    monkeypatch.setattr(stage_run, "monotonic", found.monotonic)
    monkeypatch.setattr(run, "sleep", found.sleep)
    return found


def ladder(settings: LadderFile, simulated: Simulated, seconds: float) -> Iterator[RunEvent]:
    arrivals = Admission(settings, Inbox(settings.bots), Looked, look_s=0.0)
    planned = plan_ladder(settings)
    with open_folder(settings.output, planned) as folder:
        start = lambda: nullcontext(simulated)  # noqa: E731
        yield from run_ladder(
            planned, settings, folder, arrivals, start, Bounds(seconds=seconds), none_here, measure=Precision
        )


def waits(
    settings: LadderFile, simulated: Simulated, arrive_s: Sequence[float], seconds: float
) -> Iterator[tuple[str, float]]:
    """Add bots at these times; yield for each how long it waited for its first match."""
    began, coming, since = simulated.now, [*enumerate(arrive_s)], dict[str, float]()
    for event in ladder(settings, simulated, seconds):
        if coming and simulated.now - began >= coming[0][1]:
            number, _ = coming.pop(0)
            put(settings.bots, f"new-{number}")
            since[f"new-{number}"] = simulated.now
        if isinstance(event, MatchStarted):
            yield from ((bot, simulated.now - since.pop(bot)) for bot in event.bots if bot in since)


@pytest.mark.slow
@pytest.mark.parametrize("bots", [30])
def test_a_bot_that_joins_plays_within_a_minute_though_a_stage_takes_long(
    tmp_path: Path, simulated: Simulated, bots: int
) -> None:
    settings = settings_in(tmp_path, provisional=4)
    for number in range(bots):
        put(settings.bots, f"old-{number}")
    dict(waits(settings, simulated, [], 2 * bots * MATCH_S))  # no bot of the field is new any more
    found = dict(waits(settings, simulated, [10.0, 70.0, 75.0, 140.0], 240))
    assert found.keys() == {f"new-{number}" for number in range(4)}
    assert max(found.values()) < 60 < bots * MATCH_S / 2, "which a whole stage takes at least"


@pytest.mark.slow
def test_those_whose_tables_were_given_up_play_first_in_the_next_stage(tmp_path: Path, simulated: Simulated) -> None:
    settings = settings_in(tmp_path, provisional=4)
    for number in range(20):
        put(settings.bots, f"old-{number}")
    dict(waits(settings, simulated, [30.0 + 45 * number for number in range(12)], 700))
    stages = [stage for stage, _ in read_stages(settings.output)]
    assert sum(bool(stage.given_up) for stage in stages) > 5, "newcomers cut most stages"
    matches = Counter(seat.entrant.name for match in results_in(settings.output).matches for seat in match.seats)
    old = [matches[f"old-{number}"] for number in range(20)]
    assert max(old) <= 2.5 * min(old), "but no bot is left out again and again"


def test_a_ladder_begins_no_match_while_the_disk_is_nearly_full_and_goes_on_by_itself(
    tmp_path: Path, simulated: Simulated, monkeypatch: pytest.MonkeyPatch
) -> None:
    def free(_: Path, reserve_mb: int) -> str:
        return f"less than {reserve_mb} MB are free" if 1050 < simulated.now < 1500 else ""

    monkeypatch.setattr(run, "shortage", free)
    settings = settings_in(tmp_path, reserve_mb=700)
    for number in range(12):
        put(settings.bots, f"old-{number}")
    events = [(simulated.now, event) for event in ladder(settings, simulated, 600)]
    begun = [now for now, event in events if isinstance(event, MatchStarted)]
    assert not [now for now in begun if 1060 < now < 1500], "only the block that had begun is played to its end"
    assert min(begun) < 1050 and max(begun) > 1500
    sentences = [event.sentence for _, event in events if isinstance(event, LadderWaits)]
    assert sentences[-1] == "less than 700 MB are free"


def test_the_space_that_is_free_is_named() -> None:
    assert shortage(Path("/"), 0) == ""
    assert re.fullmatch(
        r"only \d+ MB are free on the file system of /, and reserve_mb = 1000000000 stay free; .*",
        shortage(Path("/"), 1_000_000_000),
    )


@pytest.mark.slow
def test_a_stage_begins_blocks_for_as_long_as_the_file_says(tmp_path: Path, simulated: Simulated) -> None:
    settings = settings_in(tmp_path, stage="60 s")
    for number in range(40):
        put(settings.bots, f"old-{number}")
    new = [event for event in ladder(settings, simulated, 200) if isinstance(event, MatchPlayed)]
    first, *_ = read_stages(settings.output)
    assert 16 <= 2 * len(first[0].tables) <= 24, "two workers play ten matches each in a minute"
    assert len(results_in(settings.output).matches) == len(new)
    assert not results_in(settings.output).left_out


def test_a_ladder_with_stages_that_were_cut_goes_on_where_it_ended(tmp_path: Path, simulated: Simulated) -> None:
    settings = settings_in(tmp_path, stage="30 s")
    for number in range(12):
        put(settings.bots, f"old-{number}")
    for _ in range(4):
        list(ladder(settings, simulated, 50))
    stages = [stage for stage, _ in read_stages(settings.output)]
    assert [stage.first_block for stage in stages[1:]] == [stage.end for stage in stages[:-1]]
    assert any(stage.given_up for stage in stages)


def test_a_stage_that_was_cut_to_more_tables_than_it_had_is_damaged(tmp_path: Path) -> None:
    stage = Stage(0, 0, ((0, 1), (2, 3)), 1, ())
    choose(tmp_path, stage)
    settle(tmp_path, stage.cut(1), {})
    assert next(read_stages(tmp_path)) == (Stage(0, 0, ((0, 1),), 1, (), ((2, 3),)), {})
    path = tmp_path / STAGES
    path.write_text(path.read_text().replace('"tables":1', '"tables":3'))
    with pytest.raises(StagesError, match="is damaged in line 2"):
        list(read_stages(tmp_path))


@pytest.mark.parametrize("runs", [1, 90])
def test_a_pace_holds_over_restarts_and_newcomers_play_soon(tmp_path: Path, simulated: Simulated, runs: int) -> None:
    settings = settings_in(tmp_path, pace=120)
    for name in ("ann", "bob", "cid"):
        put(settings.bots, name)
    began: list[float] = []
    came = first = 0.0
    start = simulated.now
    for _ in range(runs):
        for event in ladder(settings, simulated, seconds=3 * 3600 / runs):
            if isinstance(event, MatchPlayed) and event.is_new:
                began.append(simulated.now)
                if "dan" in event.bots:
                    first = first or simulated.now
            if not came and simulated.now - start > 3600:
                came = simulated.now
                put(settings.bots, "dan")
    assert 300 <= len(began) <= 3 * 120 + 8
    assert all(later - one > 1700 for one, later in zip(began, began[68:], strict=False)), "half an hour has about 60"
    assert 0 < first - came < 200
