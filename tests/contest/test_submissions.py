"""How bots are entered: limits that are exact on every way in, uploads that go on, and archives that make room."""

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import func, select

from ballcourt.arena.bots.version import BotVersion
from ballcourt.contest.decisions.audit import amounts, decisions
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.examining.work import WorkFinding, lease, settle
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import ContestError, LimitError, NotThereError, StateError, TooLargeError
from ballcourt.contest.settings import TeamsTable, UploadTable, at_time
from ballcourt.contest.store.schema import UPLOADS
from ballcourt.contest.submissions.allowance import DAY_S, allowance
from ballcourt.contest.submissions.states import SubmissionState
from ballcourt.contest.submissions.submissions import cancel, enter
from ballcourt.contest.submissions.uploads import (
    KEPT_S,
    OF_ACCOUNT,
    appending,
    begin_upload,
    discard_archives,
    drop_upload,
    holding,
    part_of,
    receiving,
    upload_of,
)
from ballcourt.contest.visible import Visible
from ballcourt.contest.web.application import contest_app
from tests.contest.made import NOON, Made, bot_archive, made_in, phase


def state(made: Made, person: Member, submission: str) -> SubmissionState:
    return Visible(made.contest, person).submission(submission).state


def examined(made: Made, *, accepted: bool, version: str = "1") -> None:
    """Examine the queue."""
    while leased := lease(made.contest, "test"):
        settle(
            made.contest,
            leased,
            WorkFinding(accepted, "" if accepted else "no", "", BotVersion("mine", version, "0" * 64)),
        )


def test_the_same_archive_is_the_same_submission(made: Made, ann: Member) -> None:
    first = made.enter(ann, bot_archive())
    assert made.enter(ann, bot_archive()) == first
    assert len(Visible(made.contest, ann).submissions()) == 1


def test_what_a_name_that_looks_the_same_would_replace_uses_no_attempt(made: Made, ann: Member) -> None:
    made.enter(ann, bot_archive())
    with made.contest.store.reading() as connection:
        used = [allowance(connection, made.contest, str(ann.team), bot) for bot in ("mine", "MINE", "other")]
    assert [left.attempts.used for left in used if left] == [0, 0, 1]


def test_a_name_that_looks_the_same_as_one_that_waits_takes_its_place_in_a_team_with_one_bot(
    made: Made, ann: Member
) -> None:
    assert made.contest.settings.teams.bots == 1
    first, second = made.enter(ann, bot_archive()), made.enter(ann, bot_archive("2", "MINE"), "MINE")
    assert [state(made, ann, one) for one in (first, second)] == [SubmissionState.SUPERSEDED, SubmissionState.WAITING]


def test_a_newer_submission_supersedes_one_that_waits(made: Made, ann: Member) -> None:
    first, second = (made.enter(ann, bot_archive(version)) for version in "12")
    assert state(made, ann, first) is SubmissionState.SUPERSEDED
    assert state(made, ann, second) is SubmissionState.WAITING
    left = Visible(made.contest, ann).allowance()
    assert left
    assert left.attempts.used == 1, "what was never examined costs nothing, as if it had been taken back"


def test_limits_are_exact_under_parallel_requests(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", teams={"members": 60, "bots": 60})
    team = [made.person(f"p{number:02}", "reds") for number in range(20)]
    uploads = [made.upload(person, bot_archive(str(n), f"b{n:02}")) for n, person in enumerate(team)]

    def one(number: int) -> str:
        try:
            return enter(made.contest, team[number], uploads[number], f"b{number:02}")
        except LimitError:
            return ""

    with ThreadPoolExecutor(20) as threads:
        entered = [*threads.map(one, range(20))]
    assert sum(map(bool, entered)) == 5, "this number may be accepted within a day"


def test_what_a_team_enters_and_asks_for_counts_for_no_other(made: Made, ann: Member, bob: Member) -> None:
    made.accepted(ann)
    made.enter(ann, bot_archive("2"))
    used = {who.handle: Visible(made.contest, who).allowance() for who in (ann, bob)}
    assert {one: left and (left.accepted.used, left.attempts.used) for one, left in used.items()} == {
        "ann": (2, 2),
        "bob": (0, 0),
    }


def test_refused_ones_count_as_attempts_and_accepted_ones_in_both_limits(made: Made, ann: Member) -> None:
    made.enter(ann, bot_archive("1"))
    examined(made, accepted=False)
    made.enter(ann, bot_archive("2"))
    examined(made, accepted=True)
    left = Visible(made.contest, ann).allowance()
    assert left
    assert (left.accepted.used, left.attempts.used) == (1, 2)
    made.clock.now += DAY_S + 1
    left = Visible(made.contest, ann).allowance()
    assert left and (left.accepted.used, left.attempts.used) == (0, 0)


def test_what_was_taken_back_counts_in_no_limit_and_leaves_the_queue(made: Made, ann: Member) -> None:
    cancel(made.contest, made.enter(ann, bot_archive()))
    left = Visible(made.contest, ann).allowance()
    assert left and (left.accepted.used, left.attempts.used) == (0, 0)
    assert lease(made.contest, "test") is None


def test_a_used_limit_says_when_the_next_is_free_and_can_be_raised_for_a_team(made: Made, ann: Member) -> None:
    object.__setattr__(made.contest, "settings", made.contest.settings.replaced(phase=(phase(attempts=1),)))
    made.enter(ann, bot_archive("1"))
    examined(made, accepted=False)
    made.clock.now += 3600
    with pytest.raises(LimitError, match=r"at most 1 are examined within 24 hours.*free at 20") as caught:
        made.upload(ann, bot_archive("2"))
    assert caught.value.retry_after == DAY_S - 3600
    Decider(made.contest, "ann").grant("reds", 0, 1, "the arena was down")
    with made.contest.store.reading() as connection:
        assert [amounts(row.details) for row in decisions(connection)] == [" (1 attempts)"]
    made.enter(ann, bot_archive("2"))


def test_what_was_granted_holds_for_its_team_and_phase(tmp_path: Path) -> None:
    first = phase(closes=at_time(NOON + 10), attempts=1)
    second = phase(name="finals", opens=at_time(NOON + 10), attempts=1)
    made = made_in(tmp_path / "cup", phase=(first, second))
    ann = made.person("ann", "reds")
    Decider(made.contest, "olga").grant("reds", 2, 3, "the arena was down", scrimmages=4)
    granted = Visible(made.contest, ann).allowance()
    others = Visible(made.contest, made.person("bob", "blues")).allowance()
    made.clock.now += 10
    later = Visible(made.contest, ann).allowance()
    assert granted and others and later and later.phase.name == "finals"
    for name, more in (("accepted", 2), ("attempts", 3), ("scrimmages", 4)):
        assert getattr(granted, name).most - getattr(first, name) == more
        assert getattr(later, name).most == getattr(second, name)
        assert getattr(others, name).most == getattr(first, name)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        ("accepted", "at most 1 may be accepted within 24 hours, and 1 are or may still be"),
        ("attempts", "at most 1 are examined"),
    ],
)
def test_what_would_be_replaced_uses_no_limit_up_and_what_is_examined_does(
    tmp_path: Path, limit: str, sentence: str
) -> None:
    made = made_in(tmp_path / "cup", phase=(phase(**{limit: 1}),), teams=TeamsTable(bots=2))
    ann = made.person("ann", "reds")
    first, second = (made.enter(ann, bot_archive(version)) for version in "12")
    assert [state(made, ann, one) for one in (first, second)] == ["superseded", "waiting"]
    left = Visible(made.contest, ann).allowance()
    assert left and [left.accepted.used, left.attempts.used] == [1, 1]
    with pytest.raises(LimitError, match=sentence):
        made.enter(ann, bot_archive("1", "other"), "other")
    made.leased()
    with pytest.raises(LimitError, match=sentence):
        made.upload(ann, bot_archive("3"))


def test_a_limit_that_the_organiser_lowers_below_what_is_used_is_free_again_when_enough_uses_are_a_day_old(
    made: Made, ann: Member
) -> None:
    for version in "123":
        made.clock.now += 60
        made.enter(ann, bot_archive(version))
        examined(made, accepted=True, version=version)
    object.__setattr__(made.contest, "settings", made.contest.settings.replaced(phase=(phase(accepted=2),)))
    left = Visible(made.contest, ann).allowance()
    assert left and (left.accepted.most, left.accepted.used, left.accepted.left) == (2, 3, 0)
    with pytest.raises(LimitError, match="at most 2 may be accepted") as caught:
        made.enter(ann, bot_archive("4"))
    assert caught.value.retry_after == DAY_S - 60, "then one of the three is left"
    made.clock.now += caught.value.retry_after - 1
    with pytest.raises(LimitError, match="and 2 are or may still be"):
        made.enter(ann, bot_archive("4"))
    made.clock.now += 1
    made.enter(ann, bot_archive("4"))


def test_of_a_limit_of_none_no_use_ever_becomes_free(made: Made, ann: Member) -> None:
    made.enter(ann, bot_archive())
    examined(made, accepted=True)
    object.__setattr__(made.contest, "settings", made.contest.settings.replaced(phase=(phase(accepted=0),)))
    with pytest.raises(LimitError, match="none is free in this phase"):
        made.enter(ann, bot_archive("2"))
    assert Visible(made.contest, made.person("dan")).allowance() is None, "who is in no team has no limits"


def test_a_team_enters_no_two_bots_whose_names_look_alike(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", teams={"members": 1, "bots": 2})
    ann = made.person("ann", "reds")
    made.playing(ann, "my-bot")
    with pytest.raises(StateError, match="the name mybot looks like the name of another bot"):
        made.enter(ann, bot_archive("1", "mybot"), "mybot")


def test_outside_of_phases_and_teams_nothing_is_entered(made: Made, ann: Member) -> None:
    with pytest.raises(StateError, match="you are in no team"):
        made.upload(made.person("bob"), bot_archive())
    made.clock.now += 10**7
    with pytest.raises(StateError, match=r"no phase is open .*: training from 20"):
        made.upload(ann, bot_archive())


def test_a_name_belongs_to_the_team_whose_bot_was_accepted_first(made: Made, ann: Member, bob: Member) -> None:
    made.enter(ann, bot_archive())
    second = made.enter(bob, bot_archive())
    examined(made, accepted=True)
    assert state(made, bob, second) is SubmissionState.REFUSED
    with pytest.raises(StateError, match="belongs to another team"):
        made.enter(bob, bot_archive("2"))
    with pytest.raises(StateError, match="looks like the name of another bot"):
        made.enter(bob, bot_archive("2"), "M1NE")
    with pytest.raises(StateError, match="has mine already, and 1 may be entered"):
        made.enter(ann, bot_archive("2", "other"), "other")


def test_an_upload_goes_on_where_it_was_and_is_checked(made: Made, ann: Member) -> None:
    archive = bot_archive()
    upload, _ = begin_upload(made.contest, ann, len(archive), sha256(archive).hexdigest())
    with made.contest.store.reading() as connection:
        row = upload_of(connection, made.contest, ann, upload)
    with appending(made.contest, row, 0, 10) as file:
        file.write(archive[:10])
    assert begin_upload(made.contest, ann, len(archive), sha256(archive).hexdigest()) == (upload, 10)
    with pytest.raises(StateError, match="begins at byte 0, and 10 bytes are here"), appending(made.contest, row, 0, 1):
        pass
    with pytest.raises(StateError, match="send the rest first"):
        enter(made.contest, ann, upload, "mine")
    with pytest.raises(TooLargeError, match="its announced size"), appending(made.contest, row, 10, len(archive)):
        pass
    with appending(made.contest, row, 10, len(archive) - 10) as file:
        file.write(b"x" * (len(archive) - 10))
    with pytest.raises(ContestError, match=r"SHA-256 is .*, expected .*; upload it again"):
        enter(made.contest, ann, upload, "mine")


def test_an_upload_belongs_to_one_account(made: Made, ann: Member) -> None:
    bob = made.person("bob", "reds")
    upload = made.upload(ann, bot_archive())
    with pytest.raises(NotThereError):
        enter(made.contest, bob, upload, "mine")


def test_what_is_no_archive_is_refused_at_once(made: Made) -> None:
    with pytest.raises(ContestError, match="neither a zip nor a tar file"):
        made.enter(made.person("ann", "reds"), b"#!/bin/sh\n" * 100)


def test_old_archives_make_room_by_themselves_and_the_newest_accepted_one_stays(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", upload=UploadTable(mb=1, team_mb=1))
    ann = made.person("ann", "reds")
    entered = []
    for version in "1234":
        archive = bot_archive(version) + b"\0" * 300_000
        entered.append(made.enter(ann, archive))
        examined(made, accepted=version == "1", version=version)
    kept = [Visible(made.contest, ann).submission(one).has_archive for one in entered]
    assert kept == [True, False, True, True]
    assert Visible(made.contest, ann).archive(entered[0])
    with pytest.raises(StateError, match="the archive was removed to make room"):
        Visible(made.contest, ann).archive(entered[1])
    assert len([*(tmp_path / "cup" / "files" / "archives").glob("*/*")]) == 3


def test_an_archive_that_a_killed_server_kept_for_nothing_goes_with_its_upload_but_not_that_of_others(
    made: Made, ann: Member, bob: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = bot_archive()
    digest = sha256(archive).hexdigest()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("ballcourt.contest.submissions.submissions._insert", killed)
        made.enter(ann, archive)
    discard_archives(made.contest, [digest])  # as if another team had let go of the same
    assert made.contest.archives.has(digest), "ann's upload announces it"
    made.clock.now += KEPT_S
    begin_upload(made.contest, bob, 1, "0" * 64)
    assert not made.contest.archives.has(digest)
    made.enter(bob, archive)
    assert made.contest.archives.has(digest)


def test_no_team_has_an_allowance_without_a_phase(made: Made) -> None:
    made.clock.now += 10**7
    with made.contest.store.reading() as connection:
        assert allowance(connection, made.contest, "nosuch") is None


def test_an_upload_that_a_request_holds_is_neither_sent_entered_nor_removed_by_another(made: Made, ann: Member) -> None:
    upload = made.upload(ann, bot_archive())
    with holding(made.contest, upload):
        for doing in (lambda: drop_upload(made.contest, ann, upload), lambda: enter(made.contest, ann, upload, "mine")):
            with pytest.raises(StateError, match="another request is sending"):
                doing()
    assert enter(made.contest, ann, upload, "mine")


def test_only_an_upload_that_is_idle_makes_room_for_another(made: Made, ann: Member) -> None:
    uploads = [begin_upload(made.contest, ann, 1, f"{number:064x}")[0] for number in range(OF_ACCOUNT)]
    with pytest.raises(LimitError, match="on their way"):
        begin_upload(made.contest, ann, 1, "a" * 64)
    os.utime(part_of(made.contest, uploads[3]), (0, 0))
    begin_upload(made.contest, ann, 1, "a" * 64)
    kept = set(made.read(select(UPLOADS.c.id)).scalars())
    assert [one in kept for one in uploads] == [number != 3 for number in range(OF_ACCOUNT)]


def test_what_one_request_sends_is_on_its_way_until_it_ends_however_many_others_come(made: Made, ann: Member) -> None:
    with ExitStack() as held:
        for number in range(OF_ACCOUNT + 1):
            held.enter_context(receiving(made.contest, ann, 1, f"{number:064x}"))
        begin_upload(made.contest, ann, 1, "a" * 64)
        assert made.read(select(func.count()).select_from(UPLOADS)).scalar_one() == OF_ACCOUNT + 2
    assert made.read(select(UPLOADS.c.sha256)).scalars().all() == ["a" * 64]


@pytest.mark.parametrize(
    ("number", "status"), [(errno.ENOSPC, 507), (errno.EDQUOT, 507), (errno.EIO, 503), (errno.ENOENT, 503)]
)
def test_a_file_that_fails_is_an_answer_with_a_status_and_the_organiser_reads_which(
    made: Made, ann: Member, monkeypatch: pytest.MonkeyPatch, number: int, status: int
) -> None:
    def failing(*_: object) -> None:
        raise OSError(number, "no", "/srv/place")

    monkeypatch.setattr(type(made.contest.archives), "put", failing)
    printed: list[str] = []
    client = TestClient(contest_app(made.contest, FastAPI(), printed.append), base_url="http://127.0.0.1:8000")
    archive = bot_archive()
    asked: dict[str, str | int] = {"bytes": len(archive), "sha256": sha256(archive).hexdigest(), "bot": "mine"}
    headers = {"Authorization": f"Bearer {made.token(ann)}"}
    answer = client.put("/api/v1/submissions", params=asked, content=archive, headers=headers)
    assert (answer.status_code, "/srv" in answer.text, "/srv/place" in printed[0]) == (status, False, True)
    assert made.read(select(UPLOADS)).all() == [], "nothing is left of it"
