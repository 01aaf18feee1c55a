"""The queue: who is next, work whose holder is gone, and the way to the ladder and back."""

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import select

from ballcourt.arena.bots.entrant import LADDER_ITSELF, Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.files import in_place_of
from ballcourt.arena.ladder.arrivals.exam import Arriving, ExamOutcome, ExamVerdict
from ballcourt.arena.ladder.arrivals.handed import ANSWERS, ARRIVALS, HANDED, files_of
from ballcourt.arena.tournament.decisions.changes import joining, withdrawing
from ballcourt.arena.tournament.decisions.trail import Trail
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.contest.decisions.verifying import complaints
from ballcourt.contest.examining import examiner as module
from ballcourt.contest.examining.desks import OwnDesk
from ballcourt.contest.examining.examiner import Examiner
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.examining.sources import ToUnpack, unpack_all
from ballcourt.contest.examining.work import (
    FORGOTTEN_S,
    LEASE_S,
    MOST_TRIES,
    SEEN_S,
    WorkFinding,
    beat,
    examiners_seen,
    give_back,
    lease,
    leased_as,
    oldest_waiting,
    places_of,
    settle,
)
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import ContestError, ContestFileError
from ballcourt.contest.settings import TeamsTable
from ballcourt.contest.store.opening import Store
from ballcourt.contest.store.schema import EXAMINERS, SUBMISSIONS
from ballcourt.contest.submissions.allowance import MB
from ballcourt.contest.submissions.states import SubmissionState
from ballcourt.contest.submissions.submissions import examine_again
from ballcourt.contest.submissions.uploads import begin_upload
from ballcourt.contest.submissions.work_queue import WorkKind
from ballcourt.contest.visible import Visible
from tests.arena.conftest import Traces, wait_until
from tests.contest.made import Made, UnpackedAtOnce, bot_archive, made_in

HASH = "ab" * 32


class Over:
    """An exam that is over."""

    is_over = True

    def __init__(self, arriving: Arriving, outcome: ExamOutcome | None = None) -> None:
        self.arriving = arriving
        self._outcome = outcome

    def outcome(self) -> ExamOutcome:
        if self._outcome is None:
            raise ArenaError("its check ended with exit code -9")
        if self._outcome.verdict is ExamVerdict.PASSED:
            Path(self.arriving.copy_to).mkdir()
        return self._outcome

    def end(self) -> None:
        pass


def desk(made: Made) -> OwnDesk:
    return OwnDesk(made.contest, Handover(made.contest))


def examiner(made: Made, scratch: Path, outcome: ExamOutcome | None) -> Examiner:
    """Return an examiner whose exams have one outcome."""
    return Examiner(desk(made), scratch, lambda arriving: Over(arriving, outcome), UnpackedAtOnce)


def passed(name: str = "mine") -> ExamOutcome:
    return ExamOutcome(verdict=ExamVerdict.PASSED, bot=BotVersion(name, "1", HASH))


def hashes(made: Made) -> list[str]:
    """Return the hashes of the files without bot.toml, of all submissions."""
    return [*made.read(select(SUBMISSIONS.c.files_hash)).scalars()]


def state(made: Made, person: Member, submission: str) -> SubmissionState:
    return Visible(made.contest, person).submission(submission).state


def work_off(examiner: Examiner, steps: int = 3) -> None:
    """Unpack, examine and settle as an examiner, or take some steps of that."""
    for _ in range(steps):
        examiner.step()


def test_the_team_that_was_examined_least_lately_is_next(tmp_path: Path) -> None:
    made = made_in(tmp_path / "wide", teams={"members": 3, "bots": 3})
    ann, bob = made.person("ann", "reds"), made.person("bob", "blues")
    for bot in ("r1", "r2"):
        made.enter(ann, bot_archive(bot, bot), bot)
    made.enter(bob, bot_archive("b1", "b1"), "b1")
    order = []
    while leased := lease(made.contest, "test"):
        order.append(leased.bot)
        settle(made.contest, leased, WorkFinding(False, "no", ""))
        made.clock.now += 1
    assert order == ["r1", "b1", "r2"]


def test_a_team_has_one_submission_that_is_examined(tmp_path: Path) -> None:
    made = made_in(tmp_path / "wide", teams={"members": 3, "bots": 3})
    ann = made.person("ann", "reds")
    for bot in ("r1", "r2"):
        made.enter(ann, bot_archive(bot, bot), bot)
    assert lease(made.contest, "one")
    assert lease(made.contest, "two") is None


def test_work_whose_holder_is_gone_is_taken_up_by_another_and_the_old_answer_is_thrown_away(
    made: Made, ann: Member
) -> None:
    submission = made.enter(ann, bot_archive())
    first = lease(made.contest, "one")
    assert first and lease(made.contest, "two") is None
    made.clock.now += LEASE_S - 1
    assert beat(made.contest, first)
    made.clock.now += LEASE_S - 1
    assert lease(made.contest, "two") is None, "it has said that it is alive"
    made.clock.now += 2
    second = lease(made.contest, "two")
    assert second and second.fence == 2
    assert not beat(made.contest, first)
    assert settle(made.contest, first, WorkFinding(True, "", "", BotVersion("mine", "1", HASH))) is None
    assert settle(made.contest, second, WorkFinding(False, "no", "")) is SubmissionState.REFUSED
    states = [one.state for one in Visible(made.contest, ann).states(submission)]
    assert states == ["waiting", "examining", "waiting", "examining", "refused"]


def test_an_examiner_is_seen_when_it_asks_and_others_are_not(made: Made) -> None:
    def seen() -> dict[str, float]:
        return {row.holder: row.seen - began for row in made.read(select(EXAMINERS.c.holder, EXAMINERS.c.seen))}

    began = made.clock.now
    lease(made.contest, "one")
    lease(made.contest, "two")
    made.clock.now += SEEN_S
    lease(made.contest, "one")
    assert seen() == {"one": 0, "two": 0}, "it is not noted more often than that"
    made.clock.now += 1
    lease(made.contest, "one")
    assert seen() == {"one": SEEN_S + 1, "two": 0}
    made.clock.now += FORGOTTEN_S
    lease(made.contest, "three")
    assert seen() == {"one": SEEN_S + 1, "three": SEEN_S + 1 + FORGOTTEN_S}


def test_an_examiner_counts_while_it_looks_for_work_or_holds_some_and_not_once_its_lease_has_ended(
    made: Made, ann: Member
) -> None:
    def count() -> int:
        with made.contest.store.reading() as connection:
            return examiners_seen(connection, made.clock.now, within_s=60)

    made.enter(ann, bot_archive())
    held = lease(made.contest, "one")
    lease(made.contest, "two")
    assert held and count() == 2
    made.clock.now += LEASE_S - 1
    assert count() == 1, "the other one has looked for nothing since"
    assert beat(made.contest, held)
    made.clock.now += LEASE_S - 1
    assert count() == 1
    made.clock.now += 1
    assert count() == 0


def test_places_are_in_the_order_in_which_work_is_taken_up(tmp_path: Path) -> None:
    made = made_in(tmp_path / "wide", teams=TeamsTable(bots=3))
    ann, bob = made.person("ann", "reds"), made.person("bob", "blues")
    made.enter(ann, bot_archive("1", "r0"), "r0")
    made.clock.now += 1
    made.settle(made.leased())  # so that the blues are before the reds
    entered = [made.enter(who, bot_archive("1", bot), bot) for who, bot in ((ann, "r1"), (bob, "b1"), (bob, "b2"))]
    made.clock.now -= 1  # as a clock that is set back does
    entered.append(made.enter(bob, bot_archive("1", "b3"), "b3"))
    made.clock.now += 1
    with made.contest.store.reading() as connection:
        assert places_of(connection, WorkKind.EXAM, entered) == dict(zip(entered, (3, 1, 2, 0), strict=True))
        assert places_of(connection, WorkKind.EXAM, [entered[2], "0" * 16]) == {entered[2]: 2}
        assert places_of(connection, WorkKind.SCRIMMAGE, entered) == {}
    assert made.leased().subject == entered[3]
    assert made.leased().subject == entered[0], "a team has one that is examined"


def test_only_the_members_of_a_team_see_who_is_in_it(made: Made, ann: Member) -> None:
    made.person("bob", "blues")
    assert [one.handle for one in Visible(made.contest, ann).members()] == ["ann"]
    assert Visible(made.contest, made.person("olga", organiser=True)).members() == []
    assert Visible(made.contest, None).members() == []


def test_what_a_killed_examiner_was_copying_is_removed_by_the_next(made: Made, ann: Member) -> None:
    submission = made.enter(ann, bot_archive())
    copies = made.contest.ladder.output / ARRIVALS
    copies.mkdir(parents=True)
    (copies / "another").mkdir()
    with in_place_of(copies / f".{submission}-1") as temporary:
        temporary.mkdir()
        left = [path.name for path in copies.glob("*-tmp")]
    (copies / left[0]).mkdir()
    (copies / left[1]).touch()
    assert desk(made).lease("two")
    assert [path.name for path in copies.iterdir()] == ["another"]


def test_records_of_a_check_go_to_its_team_alone_and_old_ones_are_removed(
    made: Made, ann: Member, tmp_path: Path
) -> None:
    (tmp_path / "scratch").mkdir()
    checks = made.contest.checks(str(ann.team))
    for number in range(12):
        old = checks / f"{number:016d}"
        old.mkdir(parents=True)
        os.utime(old, (number, number))
    submission, asked = made.enter(ann, bot_archive()), []

    def start(arriving: Arriving) -> Over:
        asked.append(arriving)
        return Over(arriving, passed())

    work_off(Examiner(desk(made), tmp_path / "scratch", start, UnpackedAtOnce), 2)
    assert asked[0].records == str(checks / submission)
    assert len([*checks.iterdir()]) == 9 and not (checks / f"{2:016d}").exists()


def test_after_three_tries_a_submission_has_failed_and_no_limit_counts_it(made: Made, ann: Member) -> None:
    submission = made.enter(ann, bot_archive())
    for _ in range(MOST_TRIES):
        assert lease(made.contest, "one")
        made.clock.now += LEASE_S + 1
    assert lease(made.contest, "one") is None
    assert state(made, ann, submission) is SubmissionState.FAILED
    left = Visible(made.contest, ann).allowance()
    assert left and (left.accepted.used, left.attempts.used) == (0, 0)


def test_beats_go_on_while_a_slow_archive_is_unpacked_and_an_examiner_that_ends_ends_that(
    made: Made, ann: Member, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission, traces = made.enter(ann, bot_archive()), Traces(made.contest.files)
    [archive] = made.contest.files.glob("archives/*/*")
    archive.unlink()
    os.mkfifo(archive)  # whose reader waits
    monkeypatch.setattr(module, "BEAT_S", 0.0)
    examining = Examiner(desk(made), tmp_path)
    examining.step()
    for _ in range(2):
        made.clock.now += LEASE_S - 1
        examining.step()
    assert examining.is_busy and lease(made.contest, "two") is None
    assert wait_until(lambda: bool(traces.processes()))
    examining.close()
    assert wait_until(lambda: not traces.processes())
    assert state(made, ann, submission) is SubmissionState.WAITING


def test_a_failure_of_the_arena_is_tried_again(made: Made, ann: Member, tmp_path: Path) -> None:
    submission = made.enter(ann, bot_archive())
    broken = examiner(made, tmp_path, None)
    work_off(broken)
    assert state(made, ann, submission) is SubmissionState.WAITING
    work_off(broken, 3 * MOST_TRIES)
    assert state(made, ann, submission) is SubmissionState.FAILED


def test_an_accepted_bot_is_handed_over_once_and_follows_the_ladder(made: Made, ann: Member, tmp_path: Path) -> None:
    submission = made.enter(ann, bot_archive())
    examining = examiner(made, tmp_path, passed())
    work_off(examining, 4)
    output = made.contest.ladder.output
    assert files_of(output, HASH).is_dir()
    assert state(made, ann, submission) is SubmissionState.ACCEPTED
    lines = (output / HANDED).read_text()
    assert f'"submission":"{submission}"' in lines and lines.count("\n") == 1

    Trail(output).decide(
        "add",
        "it was handed over",
        joining(BotTable(path="x"), Entrant(BotVersion("mine", "1", HASH)), "reds/mine"),
    )
    (output / ANSWERS).write_text(f'{{"submission":"{submission}","outcome":"joined","decision":1}}\n')
    examining.step()
    assert state(made, ann, submission) is SubmissionState.PLAYING
    assert [*complaints(made.contest)] == []
    Trail(output).decide(
        "withdraw", "a newer one joined", withdrawing(BotVersion("mine", "1"), rule="versions"), LADDER_ITSELF
    )
    examining.step()
    assert state(made, ann, submission) is SubmissionState.RETIRED
    assert Visible(made.contest, ann).submission(submission).sentence == "a newer one joined"


def test_an_examiner_that_is_killed_after_the_line_and_before_the_database_hands_nothing_over_twice(
    made: Made, ann: Member, tmp_path: Path
) -> None:
    made.enter(ann, bot_archive())
    work_off(examiner(made, tmp_path, passed()), 4)

    with made.contest.store.writing() as connection:
        connection.execute(SUBMISSIONS.update().values(handed=None))
    Handover(made.contest).step()
    assert (made.contest.ladder.output / HANDED).read_text().count("\n") == 1


def test_what_the_ladder_refuses_is_refused_with_its_sentence(made: Made, ann: Member, tmp_path: Path) -> None:
    submission = made.enter(ann, bot_archive())
    examining = examiner(made, tmp_path, passed())
    work_off(examining)
    answer = f'{{"submission":"{submission}","outcome":"refused","sentence":"the name is taken"}}\n'
    (made.contest.ladder.output / ANSWERS).write_text(answer)
    examining.step()
    found = Visible(made.contest, ann).submission(submission)
    assert (found.state, found.sentence) == ("refused", "the ladder did not let it in: the name is taken")


def test_an_answer_that_a_busy_database_did_not_take_comes_again(
    made: Made, ann: Member, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = made.enter(ann, bot_archive())
    examining = examiner(made, tmp_path, passed())
    work_off(examining)
    answer = f'{{"submission":"{submission}","outcome":"joined","decision":1}}\n'
    (made.contest.ladder.output / ANSWERS).write_text(answer)
    with monkeypatch.context() as patch, pytest.raises(ContestFileError, match="locked"):
        patch.setattr(Store, "writing", busy)
        examining.step()
    examining.step()
    assert state(made, ann, submission) is SubmissionState.PLAYING


def busy(_: Store) -> NoReturn:
    raise ContestFileError("the database is locked")


def test_a_bot_that_is_not_what_it_was_entered_as_is_refused(made: Made, ann: Member, tmp_path: Path) -> None:
    submission = made.enter(ann, bot_archive())
    work_off(examiner(made, tmp_path, passed("other")))
    found = Visible(made.contest, ann)
    assert found.submission(submission).state is SubmissionState.REFUSED
    assert found.report(submission)["failures"] == [
        "it was entered as mine, and its bot.toml says other; enter it as that"
    ]


def test_an_archive_that_is_refused_is_reported_to_its_author(made: Made, ann: Member, tmp_path: Path) -> None:
    submission = made.enter(ann, bot_archive())

    class Refused(UnpackedAtOnce):
        def outcome(self) -> str:
            return "the archive is refused: it holds a link"

    work_off(Examiner(desk(made), tmp_path, Over, Refused), 2)
    assert Visible(made.contest, ann).report(submission)["failures"] == ["the archive is refused: it holds a link"]


def test_an_archive_that_is_gone_is_reported_to_its_author(made: Made, ann: Member, tmp_path: Path) -> None:
    made.enter(ann, bot_archive())
    leased = lease(made.contest, "one")
    assert leased
    archives = desk(made).archives(leased)
    shutil.rmtree(made.contest.files / "archives")
    asked = ToUnpack(contenders=leased.contenders, archives=archives, folder=str(tmp_path), most_mb=1, tier=0)
    assert unpack_all(asked) == "the archive of mine was removed to make room; send it again"


def test_paths_of_this_machine_are_not_in_reports(made: Made, ann: Member, tmp_path: Path) -> None:
    submission = made.enter(ann, bot_archive())

    def start(arriving: Arriving) -> Over:
        reasons = (f"{arriving.source}/bot.toml lacks 'name'", f"{arriving.copy_to} is empty")
        return Over(arriving, ExamOutcome(verdict=ExamVerdict.REFUSED, reasons=reasons, bot=BotVersion("mine", "")))

    work_off(Examiner(desk(made), tmp_path, start, UnpackedAtOnce))
    assert Visible(made.contest, ann).report(submission)["failures"] == ["bot.toml lacks 'name'", "the folder is empty"]


def test_an_examiner_keeps_the_hash_of_an_exam_and_reads_no_files_between_its_beats(
    made: Made, ann: Member, tmp_path: Path
) -> None:
    made.enter(ann, bot_archive())
    work_off(examiner(made, tmp_path, passed().replaced(files_hash="cd" * 32)))
    assert hashes(made) == ["cd" * 32]


def test_a_report_has_the_checks_that_were_passed_too(made: Made, ann: Member, tmp_path: Path) -> None:
    submission = made.enter(ann, bot_archive())
    work_off(examiner(made, tmp_path, passed().replaced(passed=("1, bot.toml: it is right",))))
    assert Visible(made.contest, ann).report(submission)["passed"] == ["1, bot.toml: it is right"]
    assert Visible(made.contest, ann).report(submission)["failures"] == []


def test_of_two_teams_that_enter_one_name_the_first_to_be_accepted_has_it(made: Made, ann: Member, bob: Member) -> None:
    first, second = made.enter(ann, bot_archive("1")), made.enter(bob, bot_archive("2"))
    made.accept("1" * 64)
    made.accept("2" * 64)
    assert [
        made.read(select(SUBMISSIONS.c.state).where(SUBMISSIONS.c.id == one)).scalar() for one in (first, second)
    ] == [
        "accepted",
        "refused",
    ]
    sentence = made.read(select(SUBMISSIONS.c.sentence).where(SUBMISSIONS.c.id == second)).scalar()
    assert sentence == "the name mine belongs to another team by now; choose another"


def test_files_without_a_hash_are_no_copies(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", teams=TeamsTable(copies="refused"))
    for name in ("ann", "bob"):
        made.enter(made.person(name, f"{name}s"), bot_archive("1", f"{name}-bot"), f"{name}-bot")
        made.accept(code="")
    assert [*made.read(select(SUBMISSIONS.c.state)).scalars()] == ["accepted"] * 2


def test_a_team_has_no_more_bots_than_are_allowed_when_they_are_accepted(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", teams=TeamsTable(bots=2))
    ann = made.person("ann", "reds")
    made.enter(ann, bot_archive("1", "one"), "one")
    made.accept("1" * 64)
    made.enter(ann, bot_archive("1", "two"), "two")
    settings = made.contest.settings.replaced(teams=TeamsTable(bots=1))
    made.contest = replace(made.contest, settings=settings)
    made.accept("2" * 64)
    assert made.read(select(SUBMISSIONS.c.sentence).where(SUBMISSIONS.c.bot == "two")).scalar() == (
        "team reds has as many bots as are allowed: 1"
    )


def test_an_archive_has_a_byte_and_at_most_the_megabytes_that_are_allowed(made: Made, ann: Member) -> None:
    most = made.contest.settings.upload.mb * MB
    begin_upload(made.contest, ann, most, "0" * 64)
    begin_upload(made.contest, ann, 1, "1" * 64)
    for size, sentence in ((most + 1, "it may have at most"), (0, "the archive is empty")):
        with pytest.raises(ContestError, match=sentence):
            begin_upload(made.contest, ann, size, "2" * 64)


def test_a_lease_that_another_examiner_has_by_now_opens_nothing(made: Made, ann: Member) -> None:
    made.enter(ann, bot_archive())
    first = made.leased()
    assert leased_as(made.contest, first.work, first.fence) == first
    made.clock.now += LEASE_S + 1
    second = made.leased()
    assert second.work == first.work
    assert leased_as(made.contest, first.work, first.fence) is None
    assert leased_as(made.contest, second.work, second.fence) == second


def test_what_waits_to_be_examined_again_is_not_said_of_submissions_that_wait(made: Made, ann: Member) -> None:
    played = made.playing(ann)
    with made.contest.store.writing() as connection:
        assert examine_again(connection, SUBMISSIONS.c.id == played, made.clock.now) == 1
        assert oldest_waiting(connection) is None
    made.clock.now += 1
    newer = made.enter(ann, bot_archive("2"))
    with made.contest.store.reading() as connection:
        assert oldest_waiting(connection) == made.clock.now
    found = Visible(made.contest, ann)
    assert (found.submission(played).is_again, found.submission(newer).is_again) == (True, False)


def test_what_was_given_back_is_leased_to_no_one_until_it_is_taken_up_again(made: Made, ann: Member) -> None:
    made.enter(ann, bot_archive())
    first = made.leased()
    give_back(made.contest, first)
    assert leased_as(made.contest, first.work, first.fence) is None and not beat(made.contest, first)
    again = made.leased()
    assert (again.work, again.fence) == (first.work, first.fence + 1)
