"""Submissions that are examined again: who is, in which order, and what a new verdict does."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.ladder.arrivals.exam import Arriving, ExamVerdict, examine
from ballcourt.arena.ladder.roster import Roster
from ballcourt.arena.tournament.decisions.trail import read_trail
from ballcourt.contest.decisions.audit import LONGEST_REASON
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.decisions.verifying import complaints
from ballcourt.contest.examining.examiner import Examiner
from ballcourt.contest.examining.work import (
    LEASE_S,
    MOST_TRIES,
    WorkFinding,
    lease,
    settle,
)
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import StateError
from ballcourt.contest.store.schema import AUDIT, SUBMISSIONS
from ballcourt.contest.submissions.following import follow_ladder
from ballcourt.contest.submissions.work_queue import WorkKind, again_waiting
from ballcourt.contest.visible import Visible
from tests.contest.made import Made, UnpackedAtOnce, bot_archive
from tests.contest.test_finals import accept
from tests.contest.test_pages import browser, text
from tests.contest.test_rulings import field, let_go, let_in, state
from tests.contest.test_work import Over, desk, passed, work_off

REFUSED = WorkFinding(False, "it thinks too long", '{"failures": ["it thinks too long"]}')
PASSED = WorkFinding(True, "", '{"passed": ["a new check"]}', BotVersion("mine", "1", "cd" * 32))


@pytest.fixture
def submission(made: Made, ann: Member) -> str:
    """A bot that plays."""
    found = accept(made, ann, "ann-bot")
    let_in(made, found)
    follow_ladder(made.contest)
    return found


def again(made: Made) -> str:
    return Decider(made.contest, "olga").requeue_all("check 9 is new")


def left(made: Made) -> int:
    with made.contest.store.reading() as connection:
        return again_waiting(connection)


def refuse(made: Made, person: Member, bot: str) -> str:
    """Enter a bot that is refused."""
    found = made.enter(person, bot_archive("1", bot), bot)
    settle(made.contest, made.leased(), REFUSED)
    return found


def test_what_plays_goes_on_until_the_checks_refuse_it(made: Made, ann: Member, submission: str) -> None:
    assert again(made) == "submissions that are examined again, after those that wait: 1"
    assert state(made, submission) == "playing"
    leased = made.leased()
    assert (leased.kind, leased.subject, state(made, submission)) == (WorkKind.AGAIN, submission, "playing")
    assert settle(made.contest, leased, REFUSED) == "withdrawn"
    assert not Roster(read_trail(made.contest.ladder.output)).playing
    follow_ladder(made.contest)
    found = Visible(made.contest, ann).submission(submission)
    assert (found.state, found.sentence) == ("withdrawn", "it was examined again, and refused: it thinks too long")
    assert Visible(made.contest, ann).report(submission)["failures"] == ["it thinks too long"]
    actions = [*made.read(select(AUDIT.c.who, AUDIT.c.action, AUDIT.c.reason).order_by(AUDIT.c.number))]
    assert [*map(tuple, actions)][-2:] == [
        ("olga", "requeue all", "check 9 is new"),
        ("the arena", "withdraw", "it thinks too long"),
    ]
    assert [*complaints(made.contest)] == []


def test_what_passes_again_stays_what_it_is_with_a_new_report(made: Made, ann: Member, submission: str) -> None:
    again(made)
    assert settle(made.contest, made.leased(), PASSED) == "playing"
    assert Visible(made.contest, ann).report(submission)["passed"] == ["a new check"]
    assert "Checks that it passed: 1" in text(browser(made, ann).get(f"/submissions/{submission}"))
    row = made.read(select(SUBMISSIONS).where(SUBMISSIONS.c.id == submission)).one()
    assert row.content_hash != "cd" * 32, "what plays are the files that were let in"
    assert Roster(read_trail(made.contest.ladder.output)).playing and left(made) == 0


def test_new_submissions_are_examined_first_and_no_submission_is_queued_twice(
    made: Made, bob: Member, submission: str
) -> None:
    again(made)
    with pytest.raises(StateError, match="no submission can be examined again"):
        again(made)
    new = made.enter(bob, bot_archive("1", "bob-bot"), "bob-bot")
    assert [made.leased().subject for _ in range(2)] == [new, submission]
    assert lease(made.contest, "test") is None


def test_an_examiner_that_is_killed_loses_no_re_exam_and_a_fault_of_the_arena_withdraws_nothing(
    made: Made, submission: str
) -> None:
    again(made)
    for _ in range(MOST_TRIES):
        assert made.leased().subject == submission
        made.clock.now += LEASE_S + 1
        assert left(made) == 1
    assert lease(made.contest, "test") is None
    assert state(made, submission) == "playing" and left(made) == 0
    assert made.read(select(AUDIT.c.action).order_by(AUDIT.c.number.desc())).scalars().first() == "give up the re-exam"


def test_a_verdict_about_what_was_withdrawn_meanwhile_or_whose_archive_is_gone_changes_nothing(
    made: Made, submission: str
) -> None:
    again(made)
    leased = made.leased()
    made.contest.archives.discard(made.read(select(SUBMISSIONS.c.archive)).scalar_one())
    assert settle(made.contest, leased, REFUSED) == "playing"
    again(made)
    leased = made.leased()
    Decider(made.contest, "olga").disqualify("ann-bot", "cheated")
    assert settle(made.contest, leased, PASSED) == "withdrawn"


def test_what_has_no_archive_any_more_is_not_queued(made: Made, submission: str) -> None:
    with made.contest.store.writing() as connection:
        connection.execute(SUBMISSIONS.update().values(kept=False))
    with pytest.raises(StateError, match="as long as its archive is kept"):
        again(made)


def test_the_newest_version_that_was_refused_is_accepted_when_it_passes_now(made: Made, bob: Member) -> None:
    old, new = refuse(made, bob, "bob-bot"), made.enter(bob, bot_archive("2", "bob-bot"), "bob-bot")
    settle(made.contest, made.leased(), REFUSED)
    again(made)
    assert settle(made.contest, made.leased(), REFUSED) == "refused"
    assert Decider(made.contest, "olga").requeue(new, "it was our fault") == f"submission {new} waits again"
    assert settle(made.contest, made.leased(), PASSED) == "accepted"
    assert [state(made, one) for one in (old, new)] == ["refused", "accepted"]
    with pytest.raises(StateError, match=f"submission {old} is refused; what has failed, plays or has played is"):
        Decider(made.contest, "olga").requeue(old, "why")


def test_a_submission_that_waits_to_be_examined_again_is_refused_with_that_reason(made: Made, ann: Member) -> None:
    submission = made.playing(ann)
    Decider(made.contest, "olga").requeue(submission, "check 9 is new")
    with pytest.raises(StateError, match="and it does not wait for that already"):
        Decider(made.contest, "olga").requeue(submission, "check 9 is new")


def test_an_older_version_that_passes_now_is_not_let_in_after_a_newer_one(made: Made, bob: Member) -> None:
    old = refuse(made, bob, "bob-bot")
    again(made)
    leased = made.leased()
    made.enter(bob, bot_archive("2", "bob-bot"), "bob-bot")
    assert settle(made.contest, leased, PASSED) == "refused" and state(made, old) == "refused"


def test_the_field_of_the_finals_waits_for_what_is_examined_again(made: Made, submission: str, tmp_path: Path) -> None:
    again(made)
    with pytest.raises(StateError, match="being examined, also again: 1"):
        field(made, tmp_path)
    made.clock.now -= 10**7
    settle(made.contest, made.leased(), PASSED)
    assert "ann-bot 1" in field(made, tmp_path)


def test_an_examiner_checks_what_plays_again_and_keeps_its_old_replays(made: Made, ann: Member, tmp_path: Path) -> None:
    playing, asked = made.playing(ann), list[Arriving]()
    old = made.contest.checks(str(ann.team)) / playing
    old.mkdir(parents=True)
    again(made)

    def start(arriving: Arriving) -> Over:
        asked.append(arriving)
        return Over(arriving, passed())

    work_off(Examiner(desk(made), tmp_path, start, UnpackedAtOnce))
    assert [(one.again, one.records) for one in asked] == [(True, "")]
    assert (state(made, playing), left(made), old.is_dir()) == ("playing", 0, True)


def test_an_exam_of_files_that_were_let_in_checks_them_only_if_it_is_to_do_so_again(
    made: Made, submission: str, tmp_path: Path
) -> None:
    row = made.read(select(SUBMISSIONS).where(SUBMISSIONS.c.id == submission)).one()
    output = made.contest.ladder.output
    arriving = Arriving(
        source=str(output / "arrivals" / row.content_hash),
        output=str(output),
        copy_to=str(tmp_path / "copy"),
        setups=made.contest.ladder.tables,
        place="reds/ann-bot",
    )
    assert examine(arriving, lambda _: []).verdict is ExamVerdict.PLAYS
    assert examine(arriving.replaced(again=True), lambda _: []).verdict is ExamVerdict.PASSED
    (output / "arrivals" / row.content_hash / "bot.py").write_text("other = 1\n")
    other = arriving.replaced(again=True, copy_to=str(tmp_path / "other"))
    assert examine(other, lambda _: []).verdict is ExamVerdict.REFUSED, "other files under the same version"


def test_the_organiser_withdraws_a_version_and_examines_again_on_its_page(
    made: Made, ann: Member, olga: Member, submission: str
) -> None:
    page = browser(made, olga)
    shown = text(page.get(f"/submissions/{submission}"))
    assert "Examine it again" in shown and "Withdraw it" in shown
    assert "Withdraw it" not in text(browser(made, ann).get(f"/submissions/{submission}"))
    about = {"submission": submission, "reason": "cheated"}
    assert "examined again, after those that wait: 1." in page.post("/organiser/again", data=about).text
    assert page.post("/organiser/submission", data={**about, "action": "withdraw"}).status_code == 303
    assert state(made, submission) == "withdrawn" and not Roster(read_trail(made.contest.ladder.output)).playing
    follow_ladder(made.contest)
    assert state(made, submission) == "withdrawn"
    answer = page.post("/organiser/submission", data={**about, "action": "withdraw"})
    assert answer.status_code == 409 and "only one that plays or has is withdrawn" in answer.text


def test_a_version_that_a_rule_has_retired_is_withdrawn_too(made: Made, submission: str) -> None:
    row = made.read(select(SUBMISSIONS).where(SUBMISSIONS.c.id == submission)).one()
    let_go(made, BotVersion(row.bot, row.version, row.content_hash), "versions")
    Decider(made.contest, "olga").withdraw(submission, "cheated")
    follow_ladder(made.contest)
    assert state(made, submission) == "withdrawn"


def test_a_page_says_that_a_submission_is_examined_again_until_it_was(
    made: Made, ann: Member, olga: Member, submission: str
) -> None:
    def says() -> bool:
        return "It is to be examined again" in text(browser(made, ann).get(f"/submissions/{submission}"))

    assert not says()
    Decider(made.contest, "olga").requeue(submission, "the checks have changed")
    assert says() and Visible(made.contest, ann).submission(submission).is_again
    offered = "Examine it again" in text(browser(made, olga).get(f"/submissions/{submission}"))
    assert not offered, "it waits for that already"
    made.accept()
    assert not says()


def test_however_much_an_examiner_says_a_re_exam_has_its_verdict(made: Made, submission: str) -> None:
    again(made)
    assert settle(made.contest, made.leased(), replace(REFUSED, sentence="x" * 5000)) == "withdrawn"
    (reason,) = made.read(select(AUDIT.c.reason).where(AUDIT.c.action == "withdraw")).scalars()
    assert reason == "x" * LONGEST_REASON
