"""Who sees which submissions and bots, and what is said of each."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.entries import REMOTE
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.records.store import write_record
from ballcourt.arena.tournament.decisions.changes import joining
from ballcourt.arena.tournament.decisions.trail import Trail
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.contest.listing import Asked
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import NotThereError
from ballcourt.contest.settings import RemoteTable
from ballcourt.contest.store.schema import SUBMISSIONS
from ballcourt.contest.submissions.remote_bots import register
from ballcourt.contest.submissions.states import SubmissionState
from ballcourt.contest.visible import Visible, newest_played
from tests.arena.recorded import recorded
from tests.contest.made import Made, bot_archive, made_in
from tests.leaderboard.pages.made_site import bluff, site_at


def numbers(made: Made, who: Member, before: int | None = None) -> list[int]:
    return [one.number for one in Visible(made.contest, who).submissions(before)]


def test_a_token_for_one_bot_shows_no_other_bot_not_even_to_an_organiser(
    made: Made, ann: Member, bob: Member, olga: Member
) -> None:
    own = made.playing(ann)
    made.playing(bob, "other")
    made.enter(bob, bot_archive("2", "other"), "other")
    seen = Visible(made.contest, replace(olga, bot="mine"))
    assert [one.id for one in seen.submissions()] == [own]
    assert [one.name for one in seen.bots()] == ["mine"]
    assert seen.counts() == {"playing": 1}
    assert len(Visible(made.contest, olga).submissions()) == 3
    assert Visible(made.contest, replace(ann, bot="third")).submissions() == []


def test_an_organiser_who_plays_chooses_only_for_bots_of_their_own_team(made: Made, ann: Member) -> None:
    made.playing(ann)
    olga = made.person("olga", "greens", organiser=True)
    seen = Visible(made.contest, olga)
    assert seen.bot("mine").team == "reds"
    with pytest.raises(NotThereError):
        seen.own_bot("mine")
    assert Visible(made.contest, ann).own_bot("mine") == ann.team


@pytest.mark.parametrize("state", SubmissionState)
def test_a_page_offers_to_examine_again_what_may_be(made: Made, ann: Member, state: SubmissionState) -> None:
    submission = made.enter(ann, bot_archive())
    with made.contest.store.writing() as connection:
        connection.execute(update(SUBMISSIONS).values(state=state))
    assert Visible(made.contest, ann).submission(submission).is_due is (
        state in ("playing", "retired", "refused", "failed")
    )


@pytest.mark.parametrize("state", SubmissionState)
def test_an_examination_has_ended_once_a_submission_neither_waits_nor_is_examined(
    made: Made, ann: Member, state: SubmissionState
) -> None:
    submission = made.enter(ann, bot_archive())
    with made.contest.store.writing() as connection:
        connection.execute(update(SUBMISSIONS).values(state=state))
    assert Visible(made.contest, ann).submission(submission).is_over is (state not in ("waiting", "examining"))


def test_a_submission_is_found_by_its_id_team_bot_version_and_who_entered_it(
    made: Made, ann: Member, olga: Member
) -> None:
    own = made.playing(ann)
    other = made.enter(made.person("cat", "greens"), bot_archive("17.3", "searcher"), "searcher")
    made.accept(version="17.3")
    seen = Visible(made.contest, olga)
    for word in (own, "reds", "mine", "ANN"):
        assert [one.id for one in seen.listed(Asked(word)).rows] == [own], word
    for word in (other.upper(), "greens", "SEARCHER", "7.3", "cat"):
        assert [one.id for one in seen.listed(Asked(word)).rows] == [other], word


def test_of_several_bots_the_named_one_is_seen_and_of_its_checks_the_replays_of_each_submission(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", teams={"members": 1, "bots": 2})
    ann = made.person("ann", "reds")
    checked = [made.playing(ann, bot) for bot in ("first", "second")]
    seen = Visible(made.contest, ann)
    assert [seen.bot(bot).name for bot in ("second", "first")] == ["second", "first"]
    with pytest.raises(NotThereError):
        seen.bot("third")
    for submission in checked:
        with bluff():
            write_record(made.contest.checks(str(ann.team)) / submission, recorded("m1"))
        assert [file.parent.name for file in seen.replays(submission)] == [submission]


def test_who_is_in_no_team_sees_no_submission_and_no_bot(made: Made, ann: Member) -> None:
    made.playing(ann)
    seen = Visible(made.contest, made.person("dan"))
    assert (seen.submissions(), seen.bots(), seen.counts(), [*seen.listed(Asked()).rows]) == ([], [], {}, [])


def test_submissions_of_all_teams_are_listed_by_their_age_and_not_by_their_numbers(
    made: Made, ann: Member, bob: Member, olga: Member
) -> None:
    entered = []
    for who, bot, version in ((ann, "mine", "1"), (ann, "mine", "2"), (bob, "other", "1")):
        made.clock.now += 1
        entered.append(made.enter(who, bot_archive(version, bot), bot))
    seen = Visible(made.contest, olga)
    assert [one.id for one in seen.submissions()] == [one.id for one in seen.listed(Asked()).rows] == entered[::-1]


def test_what_a_program_has_read_is_not_listed_again_before_its_number(made: Made, ann: Member) -> None:
    for version in "123":
        made.playing(ann, archive=bot_archive(version))
        made.clock.now += 1
    assert [numbers(made, ann, before) for before in (None, 3, 1)] == [[3, 2, 1], [2, 1], []]


def test_a_bot_stands_with_its_newest_version_that_has_played(made: Made, ann: Member, tmp_path: Path) -> None:
    with bluff():
        for number, version in enumerate("12"):
            made.clock.now += 1
            made.enter(ann, bot_archive(version, "highest"), "highest")
            made.accept(version * 64, version)
            record = recorded(f"m{number}")
            record.entrants[1].version, record.entrants[1].content_hash = version, version * 64
            write_record(tmp_path / "results" / "records", record)
        with site_at(str(tmp_path / "results"), tmp_path) as site:
            seen = Visible(made.contest, ann)
            found = newest_played(made.contest, site.views, seen.bot("highest"), seen.submissions())
    assert found and found.version == "2"


def test_a_bot_that_dials_in_stands_with_the_version_that_joined_last(tmp_path: Path) -> None:
    door = RemoteTable(address="cup.example.org:7433", tokens=tmp_path / "tokens.json")
    made = made_in(tmp_path / "cup", remote=door)
    ann, output = made.person("ann", "reds"), made.contest.ladder.output
    register(made.contest, ann, "highest")
    output.mkdir(parents=True)
    with bluff():
        for key, version in (("m1", "1"), ("m2", "2"), ("m3", "3")):
            record = recorded(key)
            record.entrants[1].version = version
            write_record(tmp_path / "results" / "records", record)
        with site_at(str(tmp_path / "results"), tmp_path) as site:
            for version in "142":
                entrant = Entrant(BotVersion("highest", version, ""))
                table = BotTable(path=f"{REMOTE}highest")
                Trail(output).decide("add", "it has dialled in", joining(table, entrant, "reds/highest"))
                found = newest_played(made.contest, site.views, Visible(made.contest, ann).bot("highest"), ())
                assert (found and found.version) == {"1": "1", "4": None, "2": "2"}[version]
