"""Archives in an S3 bucket, on a server that these tests start: whatever breaks, none is lost or kept for nothing."""

import shutil
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from zipfile import ZipFile

import pytest

from ballcourt.contest.backup import back_up
from ballcourt.contest.decisions.verifying import complaints
from ballcourt.contest.examining.desks import OwnDesk
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.examining.work import lease
from ballcourt.contest.monitoring.readiness import readiness
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.personal_data import export_person
from ballcourt.contest.store import archives as module
from ballcourt.contest.store.archives import ArchivesError, archives_at
from ballcourt.contest.store.contest import open_contest
from ballcourt.contest.submissions import submissions
from ballcourt.contest.submissions.uploads import KEPT_S, begin_upload
from ballcourt.contest.visible import Visible
from tests.contest.made import Made, bot_archive, made_in
from tests.contest.test_examiners_elsewhere import as_examiner
from tests.contest.test_pages import browser
from tests.needs import library

pytestmark = pytest.mark.slow
moto = library("moto.server")
obstore = library("obstore")

URL = "s3://cup/archives"
LARGE = bot_archive() + bytes(9 << 20)
"""More than fits into a part."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Run an S3 server; yield its address."""
    started = moto.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    started.start()
    host, port = started.get_host_and_port()
    try:
        yield f"http://{host}:{port}"
    finally:
        started.stop()


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch) -> object:
    """Return an empty bucket; the environment leads to it."""
    there = {"ENDPOINT_URL": server, "ALLOW_HTTP": "true", "ACCESS_KEY_ID": "a", "SECRET_ACCESS_KEY": "b"}
    for name, value in {**there, "REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    _make_bucket(server)
    found: object = obstore.store.S3Store.from_url(URL)
    for name in names(found):
        obstore.delete(found, name)
    return found


def _make_bucket(server: str) -> None:
    with closing(HTTPConnection(server.removeprefix("http://"))) as connection:
        connection.request("PUT", "/cup")
        assert connection.getresponse().status == 200


def names(bucket: object) -> list[str]:
    return [str(entry["path"]) for page in obstore.list(bucket) for entry in page]


@pytest.fixture
def made(tmp_path: Path, bucket: object) -> Made:
    made = made_in(tmp_path / "cup")
    settings = made.contest.settings.replaced(archives=URL)
    return replace(made, contest=replace(made.contest, settings=settings, archives=archives_at(URL, tmp_path)))


@pytest.mark.gate
def test_an_archive_goes_through_its_life_in_a_bucket_and_leaves_no_copy_on_the_disk(
    made: Made, ann: Member, olga: Member, bucket: object, tmp_path: Path
) -> None:
    folder = tmp_path / "scratch"
    submission, digest = made.enter(ann, LARGE), sha256(LARGE).hexdigest()
    assert names(bucket) == [digest]
    assert [*(tmp_path / "cup" / "files").rglob(digest)] == []
    assert browser(made, ann).get(f"/submissions/{submission}/archive").content == LARGE
    folder.mkdir()
    leased = lease(made.contest, "here")
    assert leased
    desk = OwnDesk(made.contest, Handover(made.contest))
    assert desk.archives(leased).fetched(digest, folder).read_bytes() == LARGE
    address = f"/{leased.work}/archives/{digest}"
    assert as_examiner(made, olga).get(address, params={"fence": leased.fence}).content == LARGE
    with (tmp_path / "ann.zip").open("w+b") as file:
        export_person(made.contest, ann, file)
        assert ZipFile(file).read("archives/1-mine") == LARGE
    assert [*complaints(made.contest)] == []
    obstore.put(bucket, digest, b"other")
    assert "was changed" in "".join(complaints(made.contest))
    with pytest.raises(ArchivesError, match=f"^the archive {digest} was changed in {URL}; restore it there, or"):
        desk.archives(leased).fetched(digest, folder)
    assert [*folder.iterdir()] == []
    assert browser(made, ann).get(f"/submissions/{submission}/archive").status_code == 503
    obstore.delete(bucket, digest)
    assert [*complaints(made.contest)] == [f"the archive {digest} cannot be read: it is not there"]
    assert browser(made, ann).get(f"/submissions/{submission}/archive").status_code == 404


def test_a_copy_of_a_contest_and_one_of_its_bucket_are_the_contest_again(
    made: Made, ann: Member, bucket: object, tmp_path: Path
) -> None:
    file, digest = made.contest.path, sha256(bot_archive()).hexdigest()
    file.write_text(f'archives = "{URL}"\n{file.read_text()}')
    submission = made.accepted(ann)
    back_up(made.contest, tmp_path / "copy")
    made.contest.store.close()
    obstore.delete(bucket, digest)
    shutil.rmtree(file.parent)
    (tmp_path / "copy").rename(file.parent)
    with open_contest(file) as restored:
        assert [*complaints(restored)] == [f"the archive {digest} cannot be read: it is not there"]
        obstore.put(bucket, digest, bot_archive())
        assert [*complaints(restored)] == []
        assert Visible(restored, ann).archive(submission) == digest
        assert [bot.name for bot in Visible(restored, ann).bots()] == ["mine"]


def test_what_is_killed_between_the_bucket_and_the_database_leaves_nothing_lost_or_doubled(
    made: Made, ann: Member, bob: Member, bucket: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = bot_archive()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(submissions, "_insert", _killed)
        made.enter(ann, archive)
    assert names(bucket) == [sha256(archive).hexdigest()]
    assert Visible(made.contest, ann).submissions() == []
    first, again = made.enter(ann, archive), made.enter(ann, archive)
    assert first == again and len(names(bucket)) == 1
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(submissions, "_insert", _killed)
        made.enter(ann, bot_archive("2"))
    made.clock.now += KEPT_S
    begin_upload(made.contest, bob, 1, "0" * 64)
    assert names(bucket) == [sha256(archive).hexdigest()], "what never became a submission is gone"


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_bucket_that_cannot_be_used_is_a_sentence_and_the_upload_goes_on_when_it_can(
    made: Made, ann: Member, bucket: object, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, right = bot_archive(), made.contest.archives
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{closed.getsockname()[1]}")
        monkeypatch.setattr(module, "RETRY", {"max_retries": 0})
        made.contest = replace(made.contest, archives=archives_at(URL, Path()))
        client = browser(made, ann)
        files = {"archive": ("bot.tar", archive)}
        answer = client.post("/submit", data={"bot": "mine"}, files=files)
        found = {one.name: one.sentence for one in readiness(made.contest)}
    assert answer.status_code == 503 and "cannot be used" in answer.text and "127.0.0.1:" not in answer.text
    assert found["archives"].startswith("the archives in s3://cup/archives cannot be used")
    assert names(bucket) == [] and Visible(made.contest, ann).submissions() == []
    made.contest = replace(made.contest, archives=right)
    assert made.enter(ann, archive) and len(names(bucket)) == 1
    monkeypatch.setenv("AWS_ENDPOINT_URL", server)
    with pytest.raises(ArchivesError, match="there is no bucket s3://nosuch; make it"):
        archives_at("s3://nosuch", Path()).put(made.contest.path, "0" * 64)
