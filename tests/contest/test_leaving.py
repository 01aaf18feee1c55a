"""What a person gets of their data, and what is left when they delete their account."""

import errno
import io
import json
import os
from pathlib import Path
from zipfile import ZipFile

import pytest
from sqlalchemy import update

from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.decisions.leaving import delete_person
from ballcourt.contest.decisions.verifying import complaints
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.personal_data import export_person
from ballcourt.contest.refusals import StateError
from ballcourt.contest.store.schema import ACCOUNTS, SUBMISSIONS
from ballcourt.contest.submissions.states import SubmissionState
from ballcourt.contest.visible import Visible
from ballcourt.contest.web import people
from tests.contest.made import Made, bot_archive
from tests.contest.test_pages import browser


def about(made: Made, person: Member) -> tuple[dict[str, list[dict[str, object]]], list[str]]:
    stream = io.BytesIO()
    export_person(made.contest, person, stream)
    with ZipFile(stream) as file:
        return json.loads(file.read("about.json")), file.namelist()


@pytest.mark.slow
def test_a_person_gets_their_own_rows_and_archives_and_no_secret(made: Made, ann: Member, bob: Member) -> None:
    token = made.token(ann)
    made.accepted(ann)
    made.enter(bob, bot_archive("b", "other"), "other")
    answer = browser(made, ann).post("/account/export")
    with ZipFile(io.BytesIO(answer.content)) as file:
        assert file.read("archives/1-mine") == bot_archive()
    rows, names = about(made, ann)
    assert (rows["account"][0]["handle"], [row["bot"] for row in rows["submissions"]]) == ("ann", ["mine"])
    assert len(rows["tokens"]) == 1 and len(rows["states"]) == 3
    assert not any("other" in name for name in names)
    assert token not in json.dumps(rows) and '"hash"' not in json.dumps(rows)


def test_a_file_of_a_person_goes_when_it_is_sent_and_when_it_could_not_be_made(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    client = browser(made, made.person("ann", "reds"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr("ballcourt.arena.temporary.LONGEST_PATH", 1000)
    assert client.post("/account/export").status_code == 200
    monkeypatch.setattr(people, "export_person", fail)
    assert client.post("/account/export").status_code == 507
    assert [*(tmp_path / "tmp").iterdir()] == []


def test_a_deleted_account_is_signed_out_and_nothing_but_its_teams_results_is_left(
    made: Made, ann: Member, olga: Member
) -> None:
    first = made.accepted(ann)
    waiting = made.enter(ann, bot_archive("2"))
    archive = made.contest.archives.get(Visible(made.contest, olga).submission(first).sha256, Path())
    assert archive.is_file()
    client = browser(made, ann)
    assert client.post("/account/delete", data={"handle": "bob"}).status_code == 422
    assert client.post("/account/delete", data={"handle": "ann"}).status_code == 200
    assert browser(made, ann).get("/account").status_code == 401
    rows = made.read(ACCOUNTS.select().where(ACCOUNTS.c.id == ann.account)).all()
    assert rows[0].handle.startswith("deleted-") and "ann" not in repr(rows)
    seen = Visible(made.contest, olga)
    assert (seen.submission(first).state, seen.submission(first).team) == (SubmissionState.ACCEPTED, "reds")
    assert seen.submission(waiting).state is SubmissionState.CANCELLED
    assert not archive.exists()
    assert [*complaints(made.contest)] == []
    assert made.person("ann", "greens").account != ann.account, "the handle is free"
    with pytest.raises(StateError, match="was deleted"):
        Decider(made.contest, "olga").restore(rows[0].handle, "why")


def test_what_is_deleted_is_in_no_file_of_the_database(made: Made, olga: Member) -> None:
    words = [b"very-gone", b"gone@example.org", b"a-note-of-hers", b"her report"]
    ann = made.person("very-gone", "reds")
    submission = made.accepted(ann)
    with made.contest.store.writing() as connection:
        connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == ann.account).values(email=words[1].decode()))
        own = update(SUBMISSIONS).where(SUBMISSIONS.c.id == submission)
        connection.execute(own.values(note="a-note-of-hers" * 200, report="her report" * 2000))
    assert all(word in _files(made) for word in words)
    delete_person(made.contest, ann, "olga", "asked for by mail")
    assert [word for word in words if word in _files(made)] == []


def _files(made: Made) -> bytes:
    """Return the database with the changes that are not in it yet."""
    file = made.contest.store.file
    assert file
    return b"".join(path.read_bytes() for path in file.parent.glob(f"{file.name}*"))


def test_what_others_of_the_team_need_stays_when_one_is_deleted(made: Made, ann: Member) -> None:
    mate = made.person("mate", "reds")
    submission = made.accepted(ann)
    delete_person(made.contest, ann, "olga", "asked for by mail")
    view = Visible(made.contest, mate).submission(submission)
    assert view.has_archive and view.by.startswith("deleted-")
    assert made.read(SUBMISSIONS.select()).one().kept


def test_the_last_organiser_cannot_be_deleted(made: Made, olga: Member) -> None:
    made.person("oleg", organiser=True)
    Decider(made.contest, "olga").suspend("oleg", "is away")  # and so no organiser meanwhile
    with pytest.raises(StateError, match="last organiser"):
        delete_person(made.contest, olga, "olga", "why")
    made.person("oskar", organiser=True)
    delete_person(made.contest, olga, "olga", "why")
