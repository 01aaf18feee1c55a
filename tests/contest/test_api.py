"""The API: who gets in by which token, what each viewer sees, and the conversation of an author's machine with it."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select
from starlette.types import ASGIApp

from ballcourt.arena.tournament.event.setups import setups_of
from ballcourt.arena.tournament.event.tables import SetUpTable
from ballcourt.cli.loopback import listening
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.examining.work import WorkFinding, settle
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.devices import KEY, OF_ACCOUNT, allow_device
from ballcourt.contest.people.tokens import Scope, new_token, revoke_token
from ballcourt.contest.refusals import ContestError, NotThereError
from ballcourt.contest.store.schema import LINKS
from ballcourt.contest.submissions.scrimmages import ask
from ballcourt.contest.submissions.states import move
from ballcourt.contest.web.application import contest_app
from ballcourt.web.server import web_server
from tests.contest.made import Made, bot_archive, made_in, phase
from tests.contest.test_pages import browser
from tests.contest.test_submissions import examined

HERE = "http://127.0.0.1:8000"


@pytest.fixture
def client(made: Made) -> TestClient:
    return TestClient(contest_app(made.contest, FastAPI()), base_url=HERE)


def bearer(made: Made, person: Member) -> dict[str, str]:
    return {"Authorization": f"Bearer {made.token(person)}"}


def sent(client: TestClient, who: dict[str, str], archive: bytes, bot: str = "mine") -> Response:
    query: dict[str, str | int] = {"bytes": len(archive), "sha256": sha256(archive).hexdigest(), "bot": bot}
    return client.put("/api/v1/submissions", params=query, content=archive, headers=who)


def test_a_token_of_ci_enters_one_bot_and_sees_and_changes_nothing_else(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", teams={"members": 1, "bots": 2})
    ann = made.person("ann", "reds")
    client, pages = TestClient(made.served(), base_url=HERE), browser(made, ann)
    other = sent(client, bearer(made, ann), bot_archive("1", "other"), "other").json()["id"]
    page = pages.post("/account/tokens", data={"label": "CI", "bot": "mine", "days": "30"}).text
    who = {"Authorization": f"Bearer bct_{page.partition('bct_')[2].partition('<')[0]}"}
    own = sent(client, who, bot_archive())
    assert own.status_code == 201
    listed = client.get("/api/v1/submissions", headers=who).json()["submissions"]
    assert [one["id"] for one in listed] == [own.json()["id"]]
    refused = sent(client, who, bot_archive("2", "other"), "other")
    assert refused.status_code == 403 and "only good for the bot mine" in refused.json()["detail"]
    assert client.get(f"/api/v1/submissions/{other}/archive", headers=who).status_code == 404
    assert client.delete(f"/api/v1/submissions/{other}", headers=who).status_code == 404
    choice = {"submission": own.json()["id"]}
    assert client.put("/api/v1/bots/mine/chosen", json=choice, headers=who).status_code == 403
    assert client.get("/api/v1/scrimmages", headers=who).status_code == 403
    assert "the bot mine alone" in re.sub(r"<[^>]*>|\s+", " ", pages.get("/account").text).replace("  ", " ")
    made.clock.now += 30 * 86_400
    assert client.get("/api/v1/submissions", headers=who).status_code == 401


def test_a_token_made_on_a_page_may_only_read_and_lasts_as_long_as_was_chosen(made: Made, ann: Member) -> None:
    pages = browser(made, ann)
    for wrong in ({"days": "0"}, {"days": "401"}, {"may": "examine"}, {"bot": "a/b"}):
        assert pages.post("/account/tokens", data=wrong).status_code == 422, wrong
    page = pages.post("/account/tokens", data={"may": "read"}).text
    who = {"Authorization": f"Bearer bct_{page.partition('bct_')[2].partition('<')[0]}"}
    client = TestClient(made.served(), base_url=HERE)
    assert client.get("/api/v1/submissions", headers=who).status_code == 200
    assert sent(client, who, bot_archive()).status_code == 403


def test_an_archive_is_entered_in_one_request_or_in_parts(made: Made, client: TestClient) -> None:
    who, archive = bearer(made, made.person("ann", "reds")), bot_archive()
    at_once = sent(client, who, archive)
    assert (at_once.status_code, at_once.json()["state"], at_once.json()["place"]) == (201, "waiting", 0)
    archive = bot_archive("2")
    announced = {"bytes": len(archive), "sha256": sha256(archive).hexdigest()}
    begun = client.post("/api/v1/uploads", json=announced, headers=who).json()
    address = f"/api/v1/uploads/{begun['upload']}"
    for offset in range(0, len(archive), 4000):
        part = client.patch(
            address, content=archive[offset : offset + 4000], headers={**who, "Upload-Offset": str(offset)}
        )
        assert part.status_code == 204
    assert client.head(address, headers=who).headers["Upload-Offset"] == str(len(archive))
    late = client.patch(address, content=b"x", headers={**who, "Upload-Offset": "0"})
    assert (late.status_code, late.json()["error"]) == (409, "state")
    entered = client.post("/api/v1/submissions", json={"upload": begun["upload"], "bot": "mine"}, headers=who)
    assert entered.json()["number"] == 2
    listed = client.get("/api/v1/submissions", headers=who).json()["submissions"]
    assert [one["state"] for one in listed] == ["waiting", "superseded"]


WALK = [
    # address, method, visitor, other team, own team, organiser
    ("/api/v1/", "GET", 200, 200, 200, 200),
    ("/api/v1/submissions", "GET", 401, 200, 200, 200),
    ("/api/v1/submissions/{id}", "GET", 401, 404, 200, 200),
    ("/api/v1/submissions/{id}/report", "GET", 401, 404, 200, 200),
    ("/api/v1/submissions/{id}/archive", "GET", 401, 404, 200, 200),
    ("/api/v1/submissions/{id}", "DELETE", 401, 404, 409, 409),
    ("/api/v1/submissions", "POST", 401, 404, 404, 404),
    ("/api/v1/submissions", "PUT", 401, 409, 201, 409),
    ("/api/v1/uploads", "POST", 401, 201, 201, 409),
    ("/api/v1/device", "POST", 201, 201, 201, 201),
    ("/api/v1/device/token", "POST", 404, 404, 404, 404),
    ("/api/v1/bots", "GET", 401, 200, 200, 200),
    ("/api/v1/bots", "POST", 401, 409, 409, 409),
    ("/api/v1/bots/{name}", "GET", 401, 404, 200, 200),
    ("/api/v1/bots/{name}/logs/{entry}", "GET", 401, 404, 404, 404),
    ("/api/v1/bots/{name}/faults/{entry}", "GET", 401, 404, 404, 404),
    ("/api/v1/bots/{name}/token", "POST", 401, 404, 409, 404),
    ("/api/v1/bots/{name}/token", "DELETE", 401, 404, 409, 404),
    ("/api/v1/bots/{name}/chosen", "PUT", 401, 404, 409, 404),
    ("/api/v1/uploads/{upload}", "HEAD", 401, 404, 404, 404),
    ("/api/v1/uploads/{upload}", "PATCH", 401, 404, 404, 404),
    ("/api/v1/uploads/{upload}", "DELETE", 401, 404, 404, 404),
    ("/api/v1/questions", "GET", 401, 200, 200, 200),
    ("/api/v1/questions", "POST", 401, 201, 201, 409),
    ("/api/v1/questions/{number}", "POST", 401, 403, 403, 204),
    ("/api/v1/scrimmages", "GET", 401, 200, 200, 200),
    ("/api/v1/scrimmages", "POST", 401, 409, 404, 409),
    ("/api/v1/scrimmages/{scrimmage}", "GET", 401, 404, 200, 200),
    ("/api/v1/scrimmages/{scrimmage}/record", "GET", 401, 404, 409, 409),
    ("/api/v1/scrimmages/{scrimmage}/logs", "GET", 401, 404, 200, 200),
    ("/api/v1/scrimmages/{scrimmage}/publish", "POST", 401, 404, 409, 403),
    ("/api/v1/scrimmages/{scrimmage}", "DELETE", 401, 404, 204, 404),
    ("/api/v1/scrimmages/open", "PUT", 401, 204, 204, 409),
    # by their tokens for authors, organisers examine nothing either
    ("/api/v1/examiner/terms", "GET", 401, 403, 403, 403),
    ("/api/v1/examiner/trail", "GET", 401, 403, 403, 403),
    ("/api/v1/examiner/lease", "POST", 401, 403, 403, 403),
    ("/api/v1/examiner/{work}/beat", "POST", 401, 403, 403, 403),
    ("/api/v1/examiner/{work}/return", "POST", 401, 403, 403, 403),
    ("/api/v1/examiner/{work}/outcome", "POST", 401, 403, 403, 403),
    ("/api/v1/examiner/{work}/archives/{sha256}", "GET", 401, 403, 403, 403),
    ("/api/v1/examiner/{work}/records/{record}", "PUT", 401, 403, 403, 403),
]
"""What each viewer gets at each address of the API; the upload is another member's, the submission is examined."""


def test_every_viewer_gets_at_every_address_what_the_table_says(made: Made, ann: Member, client: TestClient) -> None:
    mate = made.person("mate", "reds")
    viewers = [None, made.person("bob", "blues"), ann, made.person("olga", organiser=True)]
    made.playing(ann)
    scrimmage = ask(made.contest, ann, "random")
    submission = made.enter(ann, bot_archive("2"))
    with made.contest.store.writing() as connection:
        move(connection, submission, "examining", made.clock.now)  # type: ignore[arg-type]
    upload, archive = made.upload(mate, bot_archive("3")), bot_archive("9")
    digest = sha256(archive).hexdigest()
    tokens = [bearer(made, viewer) if viewer else {} for viewer in viewers]
    documented: dict[tuple[str, str], set[int]] = {}
    for address, method, *expected in WALK:
        path = address.format(
            id=submission,
            upload=upload,
            name="mine",
            work=1,
            number=1,
            record="m.match",
            sha256="0" * 64,
            scrimmage=scrimmage,
            entry="x",
        )
        found = []
        for headers in tokens:
            asked: dict[str, Any] = {"headers": {**headers, "Upload-Offset": "0"}}
            if (method, address) == ("POST", "/api/v1/uploads"):
                asked["json"] = {"bytes": 5, "sha256": "0" * 64}
            elif address.endswith("/device/token"):
                asked["json"] = {"device": "x"}
            elif address.endswith("/scrimmages") and method == "POST":
                asked["json"] = {"opponent": "nobody"}
            elif "/questions" in address:
                asked["json"] = {"text": "Which seats?"}
            elif "/bots" in address and method == "POST":
                asked["json"] = {} if address.endswith("/token") else {"name": "other"}
            elif address.endswith("/open"):
                asked["json"] = {"open": True}
            elif method == "POST":
                asked["json"] = {"upload": "0" * 16, "bot": "mine"}
            elif address.endswith("/chosen"):
                asked["json"] = {"submission": submission}
            elif method == "PUT":
                asked |= {"params": {"bytes": len(archive), "sha256": digest, "bot": "mine"}, "content": archive}
            elif method == "PATCH":
                asked["content"] = b"x"
            answer = client.request(method, path, **asked)
            found.append(answer.status_code)
            asks = "Bearer" if answer.status_code == 401 else None
            assert answer.headers.get("WWW-Authenticate") == asks, "RFC 9110, 15.5.2"
        assert found == expected, (method, address)
        documented[method, address.replace("{id}", "{submission}")] = {*found}
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    for (method, path), statuses in documented.items():
        assert statuses <= {int(status) for status in paths[path][method.lower()]["responses"]}, (method, path)
    routes = {(path, method.upper()) for path, methods in paths.items() for method in methods}
    asked_for = {(path.replace("{id}", "{submission}"), method) for path, method, *_ in WALK}
    assert routes == asked_for, "every route has its row"


def test_a_token_is_good_for_its_scopes_until_it_is_revoked_or_its_owner_suspended(
    made: Made, ann: Member, client: TestClient
) -> None:
    with made.contest.store.writing() as connection:
        token, secret = new_token(connection, ann.account, made.clock.now, scopes=[Scope.READ])
    who = {"Authorization": f"Bearer {secret}"}
    assert client.get("/api/v1/submissions", headers=who).status_code == 200
    refused = sent(client, who, bot_archive())
    assert (refused.status_code, refused.json()["detail"]) == (403, "this token may only read; this needs submit")
    with made.contest.store.writing() as connection:
        revoke_token(connection, ann.account, token, made.clock.now)
    assert client.get("/api/v1/submissions", headers=who).status_code == 401
    who = bearer(made, ann)
    Decider(made.contest, "olga").suspend("ann", "two accounts")
    assert client.get("/api/v1/submissions", headers=who).status_code == 401


@pytest.mark.slow
def test_a_limit_is_answered_with_the_time_at_which_it_is_free(made: Made, client: TestClient) -> None:
    who = bearer(made, made.person("ann", "reds"))
    for version in range(20):
        assert sent(client, who, bot_archive(str(version))).status_code == 201
        examined(made, accepted=False)
    answer = sent(client, who, bot_archive("20"))
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 86_400
    assert answer.json()["error"] == "limit"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/api/v1/", {"Host": "evil.example.org"}, 400),
        ("GET", "/api/v1/", {"Host": "[::1"}, 400),
        ("POST", "/submit", {"Origin": "https://evil.example.org", "Cookie": "a=b"}, 403),
        ("POST", "/submit", {"Sec-Fetch-Site": "cross-site"}, 403),
        ("POST", "/submit", {"Cookie": "a=b"}, 403),
        ("POST", "/api/v1/uploads", {"Content-Length": "70000"}, 413),
        ("PATCH", "/api/v1/uploads/x", {"Content-Length": "4194305"}, 413),
        ("PUT", "/api/v1/submissions", {"Content-Length": "999999999"}, 413),
        ("PUT", "/api/v1/submissions", {"Content-Length": "-1"}, 413),
        ("PUT", "/api/v1/submissions", {"Transfer-Encoding": "chunked"}, 411),
    ],
)
def test_the_guard_refuses_before_a_body_is_read(
    client: TestClient, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    answer = client.request(method, path, headers=headers)
    assert answer.status_code == status
    if path.startswith("/api/"):
        assert [*answer.json()] == ["error", "detail"]
    else:
        assert answer.text.startswith("<!DOCTYPE html>") and "form of this site" in answer.text


def test_each_route_documents_the_refusals_that_it_has(client: TestClient) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    refusals = {
        path: {int(status) for status in next(iter(found.values()))["responses"]} for path, found in paths.items()
    }
    assert refusals["/api/v1/"] == {200, 400, 503}
    assert refusals["/api/v1/bots"] == {200, 400, 401, 403, 503}
    assert not refusals["/api/v1/submissions/{submission}"] & {409, 415, 429, 507}
    assert {409, 415, 429, 507} <= {int(status) for status in paths["/api/v1/submissions"]["put"]["responses"]}


def test_authors_check_their_bots_in_the_set_ups_that_the_contest_says(
    made: Made, ann: Member, client: TestClient
) -> None:
    found = setups_of(map(SetUpTable.model_validate, client.get("/api/v1/").json()["setups"]))
    assert [(one.game, one.seats) for one in found] == [("maya", 2)]
    made.enter(ann, bot_archive())
    refusal = WorkFinding(False, "", '{"failures": ["check 5, full match: it hung"]}')
    settle(made.contest, made.leased(), refusal)
    (submission,) = client.get("/api/v1/submissions", headers=bearer(made, ann)).json()["submissions"]
    page = browser(made, ann).get(f"/submissions/{submission['id']}").text
    assert "<code>ballcourt check bot FOLDER --game maya --seats 2</code>" in page


@pytest.mark.slow
def test_every_way_in_is_closed_by_the_same_limit(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", teams={"members": 2, "bots": 9})
    one = replace(made.contest, settings=made.contest.settings.replaced(phase=(phase(accepted=1),)))
    ann, mate = made.person("ann", "reds"), made.person("mate", "reds")
    upload, archive = made.upload(mate, bot_archive("2")), bot_archive("3", "other")
    client, pages = (TestClient(contest_app(one, FastAPI()), HERE, follow_redirects=False) for _ in "12")
    pages.cookies, pages.headers = browser(made, ann).cookies, browser(made, ann).headers
    who = bearer(made, ann)
    assert sent(client, who, bot_archive()).status_code == 201
    announced = {"bytes": len(archive), "sha256": sha256(archive).hexdigest()}
    entered = {"upload": upload, "bot": "other"}
    answers = [
        sent(client, who, archive, "other"),
        client.post("/api/v1/uploads", json=announced, headers=who),
        client.post("/api/v1/submissions", json=entered, headers=bearer(made, mate)),
        pages.post("/submit", data={"bot": "other"}, files={"archive": ("a.tar", archive)}),
    ]
    assert [answer.status_code for answer in answers] == [429] * 4
    assert ["at most 1 may be accepted" in answer.text for answer in answers] == [True] * 4


@pytest.mark.slow
def test_the_page_and_the_api_name_the_largest_archive(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", upload={"mb": 37})
    pages = browser(made, made.person("ann", "reds"))
    assert pages.get("/api/v1/").json()["upload"]["mb"] == 37
    assert "at most 37 MB" in pages.get("/submit").text


@pytest.mark.slow
def test_the_api_takes_no_session_of_a_browser(made: Made) -> None:
    pages = browser(made, made.person("ann", "reds"))
    assert pages.get("/submissions").status_code == 200
    assert [sent(pages, {}, bot_archive()).status_code, pages.get("/api/v1/submissions").status_code] == [401, 401]


@pytest.mark.slow
def test_what_is_anothers_and_what_is_not_there_are_answered_alike(
    made: Made, ann: Member, bob: Member, client: TestClient
) -> None:
    submission, upload = made.enter(ann, bot_archive()), made.upload(ann, bot_archive("2"))
    nothing, who, pages = "0" * 16, bearer(made, bob), browser(made, bob)
    for address, own in (("submissions", submission), ("uploads", upload)):
        answers = [client.delete(f"/api/v1/{address}/{one}", headers=who) for one in (own, nothing)]
        assert answers[0].status_code == 404 and answers[0].text == answers[1].text, address
    answers = [pages.get(f"/submissions/{one}") for one in (submission, nothing)]
    assert answers[0].status_code == 404 and answers[0].text == answers[1].text


@contextmanager
def serving_app(app: ASGIApp) -> Iterator[str]:
    """Serve an application on a free port; yield HOST:PORT."""
    with listening(0) as listener:
        server = web_server(app)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def served(made: Made) -> Iterator[str]:
    """Serve a contest on a free port."""
    with serving_app(contest_app(made.contest, FastAPI())) as place:
        yield f"http://{place}"


class _Cut(HTTPConnection):
    """A connection that breaks in the middle of a part, until it has done so ten times."""

    broken = 0

    def request(self, method: str, url: str, body: Any = None, headers: Any = None) -> None:  # type: ignore[override]  # noqa: ANN401
        if method == "PATCH" and _Cut.broken < 10:
            _Cut.broken += 1
            self.putrequest(method, url)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.putheader(name, value)
            self.endheaders(body[: len(body) // 3])
            self.close()
            raise ConnectionResetError("cut")
        super().request(method, url, body, headers or {})


@pytest.mark.slow
def test_a_line_that_breaks_ten_times_loses_nothing(made: Made, ann: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = bot_archive() + bytes(18 << 20)
    monkeypatch.setattr("ballcourt.contest.client.connection.PAUSES_S", (0.05,) * 12)
    monkeypatch.setattr("ballcourt.contest.client.connection.HTTPConnection", _Cut)
    with served(made) as url:
        server = ContestServer(url, made.token(ann))
        digest = sha256(archive).hexdigest()
        found = server.submit(io.BytesIO(archive), len(archive), digest, "mine", "", "test")
        again = server.submit(io.BytesIO(archive), len(archive), digest, "mine", "", "test")
    assert _Cut.broken == 10
    assert found["id"] == again["id"]
    assert made.contest.archives.get(digest, Path()).read_bytes() == archive


def test_an_author_reads_the_sentence_with_which_an_entry_is_refused(made: Made, ann: Member) -> None:
    made.playing(ann, "first")
    archive = bot_archive("1", "second")
    with served(made) as url, pytest.raises(ContestError, match="first"):
        ContestServer(url, made.token(ann)).submit(
            io.BytesIO(archive), len(archive), sha256(archive).hexdigest(), "second", "", "test"
        )


def test_a_device_gets_a_token_once_when_a_person_allows_its_code(made: Made, ann: Member, client: TestClient) -> None:
    begun = client.post("/api/v1/device").json()
    asked = {"device": begun["device"]}
    assert client.post("/api/v1/device/token", json=asked).json() == {"token": None}
    assert client.post("/api/v1/device/token", json={"device": begun["code"]}).status_code == 404, "the code alone"
    with made.contest.store.writing() as connection:
        allow_device(connection, f"{begun['code'][:5]}-{begun['code'][5:]}".lower(), ann.account, made.clock.now)
    token = client.post("/api/v1/device/token", json=asked).json()["token"]
    assert client.get("/api/v1/submissions", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert client.post("/api/v1/device/token", json=asked).status_code == 404, "once"
    late = client.post("/api/v1/device").json()
    made.clock.now += 601
    with made.contest.store.writing() as connection:
        allow_device(connection, late["code"], ann.account, made.clock.now)
    assert client.post("/api/v1/device/token", json={"device": late["device"]}).status_code == 404, "too late"


@pytest.mark.slow
def test_sign_ins_that_are_not_allowed_are_not_kept_and_only_the_server_makes_their_secrets(
    made: Made, ann: Member, client: TestClient
) -> None:
    waiting = [client.post("/api/v1/device").json() for _ in range(20)]
    with made.contest.store.writing() as connection:
        kept = select(LINKS.c.purpose).where(LINKS.c.account.is_(None))
        assert connection.execute(kept).scalars().all() == [KEY]
        for one in waiting:
            allow_device(connection, one["code"], ann.account, made.clock.now)
            made.clock.now += 1
        with pytest.raises(NotThereError, match="a code has 10 letters"):
            allow_device(connection, "no code", ann.account, made.clock.now)
    answers = [client.post("/api/v1/device/token", json={"device": one["device"]}).json() for one in waiting]
    assert [number for number, answer in enumerate(answers) if answer["token"]] == [*range(20 - OF_ACCOUNT, 20)]
    words, _, mac = waiting[0]["device"].rpartition(".")
    for forged in (f"{words}0.{mac}", f"{words}.{mac[:-1]}\u00fc", "..", ""):
        assert client.post("/api/v1/device/token", json={"device": forged}).status_code in (404, 422)
