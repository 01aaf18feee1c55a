"""Admission to a ladder: from a copy of a bot's files, with a report for those who are refused."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ballcourt.arena.bots.entries import resolve_entry
from ballcourt.arena.checks.check import CheckResult
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.ladder.arrivals.admission import ATTEMPTS, Admission
from ballcourt.arena.ladder.arrivals.exam import Arriving, Exam, ExamOutcome, ExamVerdict
from ballcourt.arena.ladder.arrivals.inbox import Inbox
from ballcourt.arena.ladder.arrivals.interface import Arrivals, Refused
from ballcourt.arena.ladder.roster import Roster, Version
from ballcourt.arena.processes.asked import AnswerDue
from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament.decisions.trail import Trail, read_trail
from ballcourt.arena.tournament.event.tables import ClockTable
from ballcourt.engine.registry import find_game
from tests.arena.ladder.in_process import BAD, Begun, Endless, Looked, failed_check, put, settings_in


class Failing(Looked):
    """An exam whose process dies."""

    def outcome(self) -> ExamOutcome:
        raise ArenaError("its check ended with exit code -9: no output")


@pytest.fixture
def watched(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    folder = tmp_path / "bots"
    folder.mkdir()
    return folder


def admission(
    watched: Path, begin: Callable[[Arriving], AnswerDue[ExamOutcome]] = Looked, **rules: object
) -> Admission:
    settings = settings_in(watched.parent, admission={"pause": 0.0, **rules})
    return Admission(settings, Inbox(watched), begin, look_s=0.0)


def steps(of: Arrivals, roster: Roster | None = None, number: int = 6) -> list[Version | Refused]:
    """Step as a ladder does between two stages; return what was decided."""
    found: list[Version | Refused] = []
    admitted: list[Version] = []
    for _ in range(number):
        for one in of.step(roster or Roster(()), admitted):
            found.append(one)
            if isinstance(one, Version):
                admitted.append(one)
    return found


def arriving(watched: Path, place: str, **values: object) -> Arriving:
    """Return the order to check a bot in the watched folder."""
    out = watched.parent / "out"
    common = {
        "source": str(watched / place),
        "output": str(out),
        "copy_to": str(out / "copy"),
        "setups": [{"game": "bluff"}],
    }
    return Arriving.model_validate(common | values)


def let_in(watched: Path, admitted: Version) -> Roster:
    """Decide that a bot joins, as the ladder does; return who plays."""
    Trail(watched.parent / "out").decide("add", "it has passed", admitted.details, "ladder")
    return Roster(read_trail(watched.parent / "out"))


def test_a_bot_is_admitted_from_a_copy(watched: Path) -> None:
    put(watched, "ann", data="1")
    (found,) = steps(admission(watched))
    assert isinstance(found, Version)
    assert found.table.path == "bots/ann/1"
    assert (watched.parent / "out" / "bots" / "ann" / "1" / "data").read_text() == "1"
    assert found.details["from"] == "ann"


def test_a_name_belongs_to_the_folder_from_which_it_came_first(watched: Path) -> None:
    put(watched, "ann")
    (first,) = steps(admission(watched))
    assert isinstance(first, Version)
    put(watched, "thief", name="ann", version="99")
    (found,) = steps(admission(watched), let_in(watched, first))
    assert isinstance(found, Refused)
    assert found.sentence == "the name ann belongs to the folder ann, from which it came first; choose another name"


def test_a_bot_that_plays_already_is_left_alone(watched: Path) -> None:
    put(watched, "ann")
    (first,) = steps(admission(watched))
    assert isinstance(first, Version)
    assert steps(admission(watched), let_in(watched, first)) == []


@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        ("", "lacks 'name'"),
        ("name = ", "is not valid TOML"),
        ('name = "ann"\nversion = "1"\ncommand = ["true"]\ngames = ["maya"]', "does not play bluff"),
        ('name = "ann"\nversion = "1"\ncommand = ["true"]\ndirectory = ".."', "is outside of its folder"),
    ],
)
def test_a_bot_that_cannot_play_is_refused_with_a_report(watched: Path, toml: str, sentence: str) -> None:
    (watched / "ann").mkdir()
    (watched / "ann" / "bot.toml").write_text(toml)
    (found,) = steps(admission(watched))
    assert isinstance(found, Refused) and found.report
    assert sentence in found.sentence
    assert sentence in found.report.read_text()
    assert steps(admission(watched)) == [], "not even by the next run"


def test_a_bot_without_a_bot_toml_is_refused(watched: Path) -> None:
    (watched / "ann").mkdir()
    (found,) = steps(admission(watched))
    assert isinstance(found, Refused)
    assert "a bot is a folder with a bot.toml" in found.sentence


def test_a_bot_whose_report_is_removed_is_checked_again(watched: Path) -> None:
    put(watched, "ann", **{BAD: ""})
    running = admission(watched)
    (found,) = steps(running)
    assert isinstance(found, Refused) and found.report
    found.report.unlink()
    assert [type(again) for again in steps(running)] == [Refused]


def test_a_bot_whose_check_takes_too_long_is_refused(watched: Path) -> None:
    put(watched, "ann")
    (found,) = steps(admission(watched, Endless, longest="0 s"))
    assert isinstance(found, Refused) and found.report
    assert "its check took more than 0 min" in found.report.read_text()
    assert not (watched.parent / "out" / "bots").exists(), "nothing is half admitted"


def test_a_check_that_the_arena_fails_in_is_repeated_and_in_the_end_the_bot_is_refused(watched: Path) -> None:
    begun = []

    def begin(arriving: Arriving) -> Failing:
        begun.append(arriving)
        return Failing(arriving)

    put(watched, "ann")
    (found,) = steps(admission(watched, begin))
    assert isinstance(found, Refused)
    assert "the arena failed every time it checked this bot" in found.sentence
    assert len(begun) == ATTEMPTS


def test_words_of_a_bot_are_escaped_in_its_report(watched: Path) -> None:
    class Shouting(Looked):
        def checks(self, arriving: Arriving) -> list[CheckResult]:
            return [failed_check("it said \x1b[2J")]

    put(watched, "ann")
    (found,) = steps(admission(watched, Shouting))
    assert isinstance(found, Refused) and found.report
    assert "\x1b" not in found.report.read_text()


@pytest.mark.slow
def test_a_bot_that_does_not_start_fails_its_exam(watched: Path) -> None:
    put(watched, "ann")
    outcome = Exam(arriving(watched, "ann", clock=ClockTable(startup_ms=2000))).outcome()
    assert outcome.verdict is ExamVerdict.REFUSED
    (paragraph,) = outcome.reasons
    assert paragraph.startswith("check 2, start and Hello: ")
    assert "\n-> " in paragraph
    assert not (watched.parent / "out" / "copy").exists()


@pytest.mark.slow
def test_an_exam_tells_all_its_checks_and_keeps_its_matches(watched: Path) -> None:
    bot = resolve_entry("random").bot
    assert bot
    shutil.copytree(bot.folder, watched / "ann", ignore=shutil.ignore_patterns("__pycache__"))
    asked = {"place": "reds/random", "records": str(watched / "kept")}
    outcome = Exam(arriving(watched, "ann").model_copy(update=asked)).outcome()
    assert (outcome.verdict, outcome.reasons) == (ExamVerdict.PASSED, ())
    assert [line.partition(",")[0] for line in outcome.passed][:5] == ["1", "2", "3", "4", "5"]
    records = [read_record(file) for file in (watched / "kept").glob("*.match")]
    assert {len(record.entrants) for record in records} == {find_game("bluff").seat_counts[-1]}, "as the ladder plays"
    assert all(record.entrants[-1].name == "random" for record in records)


def test_an_exam_that_is_ended_has_no_outcome(watched: Path) -> None:
    put(watched, "ann")
    exam = Exam(arriving(watched, "ann"))
    exam.end()
    assert exam.is_over
    with pytest.raises(ArenaError, match="its check ended with exit code -9"):
        exam.outcome()


def test_a_bot_that_waits_while_the_watched_folder_is_away_is_checked_when_it_is_back(watched: Path) -> None:
    put(watched, "ann")
    put(watched, "zee")
    begun = Begun()
    running = admission(watched, begun, checks=1)
    assert steps(running) == []
    away = watched.rename(watched.with_name("away"))
    begun.end("ann")
    (first,) = steps(running)
    assert isinstance(first, Version) and first.place == "ann"
    begun.end("zee")
    roster = let_in(watched, first)
    assert steps(running, roster) == [], "it is away, which is not the bot's fault"
    away.rename(watched)
    steps(running, roster)
    begun.end("zee")
    (second,) = steps(running, roster)
    assert isinstance(second, Version) and second.place == "zee"


def test_a_report_that_cannot_be_written_while_the_watched_folder_is_away_is_written_later(watched: Path) -> None:
    put(watched, "ann", **{BAD: ""})
    begun = Begun()
    running = admission(watched, begun)
    assert steps(running) == []
    away = watched.rename(watched.with_name("away"))
    begun.end("ann")
    (found,) = steps(running)
    assert isinstance(found, Refused) and found.report and not found.report.exists()
    away.rename(watched)
    assert steps(running) == []
    begun.end("ann")
    assert [type(again) for again in steps(running)] == [Refused]
    assert found.report.exists()


def test_an_empty_folder_in_place_of_a_share_is_not_one_from_which_all_bots_are_gone(watched: Path) -> None:
    put(watched, "ann")
    running = admission(watched)
    steps(running)
    assert running.places == frozenset(("ann",))
    away = watched.rename(watched.with_name("away"))
    watched.mkdir()
    for looks in (running, admission(watched)):
        steps(looks)
        assert looks.places is None
    watched.rmdir()
    away.rename(watched)
    shutil.rmtree(watched / "ann")
    steps(running)
    assert running.places == frozenset(), "the same folder as before was emptied"
