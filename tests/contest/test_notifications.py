"""Notifications of people and their programs: the outbox, mail, webhooks, announcements, and addresses of mail."""

import base64
import hmac
import json
import socket
import socketserver
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from sqlalchemy import select

from ballcourt.contest.decisions.announcing import announce
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.examining.work import WorkFinding, lease
from ballcourt.contest.examining.work import settle as settle_exam
from ballcourt.contest.http_client import trusting
from ballcourt.contest.monitoring.figures import ContestFigures, LadderPlay
from ballcourt.contest.notifications.delivery import Sender
from ballcourt.contest.notifications.outbox import (
    HOOK,
    LEASE_S,
    MAIL,
    MOST_SHOWN,
    MOST_TRIES,
    forget_old,
    post,
    settle,
    take,
)
from ballcourt.contest.notifications.webhooks import MOST_FAILURES, Call, HookError, add_hook, call, resolved
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.tokens import Purpose, new_link
from ballcourt.contest.refusals import LimitError
from ballcourt.contest.store.schema import ACCOUNTS, HOOKS, OUTBOX
from ballcourt.contest.submissions.sign_up import sign_up
from tests.contest.made import Made, bot_archive, made_in
from tests.contest.test_pages import browser, text
from tests.serving import serving


class _Smtp(socketserver.StreamRequestHandler):
    """As much of RFC 5321 as smtplib needs."""

    def handle(self) -> None:
        self.wfile.write(b"220 test\r\n")
        lines: list[str] = []
        for line in self.rfile:
            word = line.split(b" ")[0].strip().upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                while (part := self.rfile.readline()) != b".\r\n":
                    lines.append(part.decode().rstrip())
                self.server.mail.append("\n".join(lines))  # type: ignore[attr-defined]
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 fine\r\n")
            if word == b"QUIT":
                return


@contextmanager
def mail_server() -> Iterator[tuple[int, list[str]]]:
    """Run a mail server; yield its port, and the mail that it gets."""
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Smtp)
    server.mail = []  # type: ignore[attr-defined]
    with serving(server):
        yield server.server_address[1], server.mail  # type: ignore[attr-defined]


class _Hook(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.calls.append((dict(self.headers), body))  # type: ignore[attr-defined]
        self.send_response(self.server.answer)  # type: ignore[attr-defined]
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def hook_server(trust: ssl.SSLContext | None = None) -> Iterator[ThreadingHTTPServer]:
    """Run a server that is called, with a context by HTTPS.

    Its attribute `calls` is what it got, `answer` the status that it answers.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Hook)
    server.calls, server.answer = [], 204  # type: ignore[attr-defined]
    if trust:
        server.socket = trust.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    with serving(server):
        yield server


def made_with_mail(folder: Path, port: int = 25) -> Made:
    return made_in(folder, mail={"host": "127.0.0.1", "port": port, "sender": "cup@example.org"}, entry="open")


def reached(made: Made, person: Member, address: str) -> None:
    with made.contest.store.writing() as connection:
        connection.execute(ACCOUNTS.update().where(ACCOUNTS.c.id == person.account).values(email=address))


def send_all(made: Made) -> list[str]:
    told: list[str] = []
    sender = Sender(made.contest, told.append)
    while sender.step():
        pass
    return told


def test_members_of_a_team_get_one_mail_for_each_state_that_matters(tmp_path: Path) -> None:
    with mail_server() as (port, mail):
        made = made_with_mail(tmp_path / "cup", port)
        ann, mate = made.person("ann", "reds"), made.person("mate", "reds")
        bob = made.person("bob", "blues")
        for person in (ann, bob):
            reached(made, person, f"{person.handle}@example.org")
        made.accepted(ann)
        assert send_all(made) == [] and mail == [], "its examination sends no mail"
        submission = made.enter(mate, bot_archive("2"))
        leased = lease(made.contest, "test")
        assert leased
        settle_exam(made.contest, leased, WorkFinding(False, "check 3 failed", ""))
        assert send_all(made) == []
        assert send_all(made) == [], "it was sent"
    (one,) = mail
    assert "To: ann@example.org" in one and "Subject: cup: submission 2, mine: refused" in one
    assert "check 3 failed" in one and f"http://127.0.0.1:8000/submissions/{submission}" in one


def test_a_message_that_fails_is_tried_again_less_and_less_often_and_given_up_in_the_end(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    made = made_with_mail(tmp_path / "cup", port)
    ann = made.person("ann", "reds")
    reached(made, ann, "ann@example.org")
    announce(made.contest, "olga", "News", "It begins.")
    waits, before = [], made.clock.now
    for _ in range(MOST_TRIES):
        (told,) = send_all(made)
        assert "announcement" not in told and "News could not be sent" in told
        row = made.read(OUTBOX.select()).one()
        waits.append(row.due - made.clock.now)
        made.clock.now = max(row.due, before)
    assert waits[:3] == [30, 120, 480] and max(waits) <= 6 * 3600
    assert row.state == "failed" and not row.body
    assert send_all(made) == []


def test_an_announcement_goes_to_no_account_that_is_suspended(tmp_path: Path) -> None:
    made = made_with_mail(tmp_path / "cup")
    for handle in ("ann", "bob"):
        reached(made, made.person(handle), f"{handle}@example.org")
    Decider(made.contest, "olga").suspend("bob", "spam")
    announce(made.contest, "olga", "News", "It begins.")
    assert made.read(select(OUTBOX.c.target)).scalars().all() == ["ann@example.org"]


def test_a_message_that_failed_lets_new_ones_go_first_and_is_settled_by_its_newest_holder_alone(made: Made) -> None:
    with made.contest.store.writing() as connection:
        post(connection, MAIL, "ann@example.org", "first", "First", "It begins.", made.clock.now)
        first = take(connection, (MAIL,), made.clock.now)
        assert first
        made.clock.now += 3600
        post(connection, MAIL, "ann@example.org", "second", "Second", "It goes on.", made.clock.now)
        taken = [take(connection, (MAIL,), made.clock.now) for _ in "12"]
        assert [one and one.event for one in taken] == ["second", "first"]
        settle(connection, first, sent=True, now=made.clock.now)  # its lease ended long ago
        assert connection.execute(select(OUTBOX.c.state).distinct()).scalars().all() == ["due"]


def test_what_was_sent_is_forgotten_after_a_month_and_what_waits_is_not(made: Made) -> None:
    with made.contest.store.writing() as connection:
        for event in ("sent", "waiting"):
            post(connection, MAIL, "ann@example.org", event, event, "It begins.", made.clock.now)
        connection.execute(OUTBOX.update().where(OUTBOX.c.event == "sent").values(state="sent"))
        for days, left in ((30, ["sent", "waiting"]), (31, ["waiting"])):
            forget_old(connection, made.clock.now + days * 86_400)
            assert connection.execute(select(OUTBOX.c.event).order_by(OUTBOX.c.id)).scalars().all() == left


def test_all_messages_that_were_given_up_are_counted_though_the_newest_alone_are_listed(
    made: Made, olga: Member
) -> None:
    with made.contest.store.writing() as connection:
        for number in range(MOST_SHOWN + 2):
            post(connection, MAIL, "ann@example.org", f"news-{number}", "News", "It begins.", made.clock.now)
        connection.execute(OUTBOX.update().values(state="failed"))
    assert f"{MOST_SHOWN + 2} messages" in text(browser(made, olga).get("/organiser"))


@pytest.mark.slow
def test_the_organiser_sees_what_waits_in_the_outbox_and_what_was_given_up(tmp_path: Path) -> None:
    made = made_with_mail(tmp_path / "cup")
    ann, olga = made.person("ann", "reds"), made.person("olga", organiser=True)
    reached(made, ann, "ann@example.org")
    hook = {"id": "0" * 16, "team": ann.team, "url": "https://example.org", "secret": "x", "trouble": ""}
    announce(made.contest, "olga", "News <b>", "It begins.")
    made.clock.now += 60
    announce(made.contest, "olga", "Later", "It goes on.")
    made.clock.now += 30
    registry = CollectorRegistry()
    registry.register(ContestFigures(made.contest, lambda: LadderPlay(0, 0)))
    page, figures = text(browser(made, olga).get("/organiser")), generate_latest(registry).decode()
    assert "2, since" in page and "not sent again" not in page and "no table [mail]" not in page
    mailless = replace(made.contest, settings=made.contest.settings.replaced(mail=None))
    assert "no table [mail]" in text(browser(replace(made, contest=mailless), olga).get("/organiser"))
    assert 'ballcourt_messages{channel="mail",state="waiting"} 2.0\n' in figures
    assert 'ballcourt_oldest_message_seconds{channel="mail"} 90.0\n' in figures
    with made.contest.store.writing() as connection:
        connection.execute(HOOKS.insert().values(**hook, created=made.clock.now, failures=0))
        post(connection, HOOK, "0" * 16, "state-1", "submission 1", "{}", made.clock.now)
        connection.execute(OUTBOX.update().values(tries=MOST_TRIES - 1))
        for channel in (MAIL, HOOK):
            message = take(connection, (channel,), made.clock.now)
            assert message
            settle(connection, message, sent=False, now=made.clock.now)
    answer, figures = browser(made, olga).get("/organiser"), generate_latest(registry).decode()
    assert "mail to <bdi>ann</bdi>: News &lt;b&gt;" in answer.text
    assert "hook to <bdi>reds</bdi>: submission 1" in answer.text
    assert "not sent again" in text(answer) and "ballcourt contest invite" in text(answer)
    for channel, waiting, waits_s in ((MAIL, 1, 30), (HOOK, 0, 0)):
        assert f'ballcourt_messages{{channel="{channel}",state="waiting"}} {waiting}.0\n' in figures
        assert f'ballcourt_messages{{channel="{channel}",state="failed"}} 1.0\n' in figures
        assert f'ballcourt_oldest_message_seconds{{channel="{channel}"}} {waits_s}.0\n' in figures


def test_what_a_sender_holds_goes_to_another_when_its_lease_ends_and_counts_once(tmp_path: Path) -> None:
    made = made_with_mail(tmp_path / "cup")
    reached(made, made.person("ann", "reds"), "ann@example.org")
    announce(made.contest, "olga", "News", "It begins.")
    with made.contest.store.writing() as connection:
        first = take(connection, (MAIL,), made.clock.now)
        assert first and take(connection, (MAIL,), made.clock.now) is None
        second = take(connection, (MAIL,), made.clock.now + LEASE_S)
        assert second and (second.event, second.id) == (first.event, first.id), "receivers know it by its id"
        settle(connection, first, sent=False, now=made.clock.now + LEASE_S)
        settle(connection, second, sent=True, now=made.clock.now + LEASE_S)
        assert connection.execute(OUTBOX.select()).one().state == "sent"


@pytest.mark.slow
def test_a_hook_gets_every_state_once_signed_as_standard_webhooks_says(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", hooks={"of_team": 1, "private": True})
    ann = made.person("ann", "reds")
    client = browser(made, ann)
    with hook_server() as server:
        url = f"http://127.0.0.1:{server.server_address[1]}/told?by=cup"
        secret = text(client.post("/team/hooks", data={"url": url})).partition("whsec_")[2].split()[0]
        assert client.post("/team/hooks", data={"url": url}).status_code == 409, "one is allowed"
        made.accepted(ann)
        assert send_all(made) == []
        calls = server.calls  # type: ignore[attr-defined]
    assert [json.loads(body)["type"] for _, body in calls] == [
        f"submission.{state}" for state in ("waiting", "examining", "accepted")
    ]
    assert len({headers["webhook-id"] for headers, _ in calls}) == 3
    headers, body = calls[0]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.digest(base64.b64decode(secret), signed, sha256)).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"


@pytest.mark.parametrize("answer", [302, 500])
def test_a_hook_that_does_not_take_a_call_is_called_again_with_the_same_id(tmp_path: Path, answer: int) -> None:
    made = made_in(tmp_path / "cup", hooks={"of_team": 1, "private": True})
    ann = made.person("ann", "reds")
    with hook_server() as server:
        add_hook(made.contest, str(ann.team), f"http://127.0.0.1:{server.server_address[1]}/")
        announce(made.contest, "olga", "News", "It begins.")
        server.answer = answer  # type: ignore[attr-defined]
        (told,) = send_all(made)
        hook = made.read(HOOKS.select()).one().id
        assert f"could not be sent to hook {hook} of team reds at 127.0.0.1, try 1: the hook answered {answer}" in told
        assert f"has failed 1 times in a row: the hook answered {answer}" in text(browser(made, ann).get("/team"))
        assert send_all(made) == []
        made.clock.now += 30
        server.answer = 204  # type: ignore[attr-defined]
        assert send_all(made) == []
        assert "has failed" not in text(browser(made, ann).get("/team"))
        first, second = server.calls  # type: ignore[attr-defined]
    assert first[0]["webhook-id"] == second[0]["webhook-id"]
    assert first[1] == second[1]


def test_a_hook_that_has_failed_too_often_is_called_again_once_its_team_calls_it(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", hooks={"of_team": 1, "private": True})
    client = browser(made, made.person("ann", "reds"))
    with hook_server() as server:
        client.post("/team/hooks", data={"url": f"http://127.0.0.1:{server.server_address[1]}/"})
        with made.contest.store.writing() as connection:
            connection.execute(HOOKS.update().values(failures=MOST_FAILURES))
        announce(made.contest, "olga", "News", "It begins.")
        assert "has failed too often" in "".join(send_all(made)) and not server.calls  # type: ignore[attr-defined]
        page = client.get("/team")
        assert 'is not called until you press "Call it"' in text(page)
        hook = made.read(HOOKS.select()).one().id
        assert client.post(f"/team/hooks/{hook}/test").status_code == 303
        assert send_all(made) == []
        assert [json.loads(body)["type"] for _, body in server.calls] == ["test"]  # type: ignore[attr-defined]
    assert "has failed" not in text(client.get("/team"))


def test_a_hook_that_would_never_be_called_is_refused_when_it_is_added(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", hooks={"of_team": 9, "private": True})
    ann = made.person("ann", "reds")
    with pytest.raises(HookError, match="must begin with https://"):
        add_hook(made.contest, str(ann.team), "http://10.0.0.1/")
    for url in ("https://10.0.0.1/", "http://127.0.0.1/", "http://localhost/"):
        add_hook(made.contest, str(ann.team), url)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://192.168.1.1:8443/",
        "https://100.64.0.1/",
        "https://0.0.0.0/",
        "https://224.0.0.1/",
        "https://[::1]/",
        "https://[fd00::1]/",
        "https://[fe80::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::10.0.0.1]/",
        "https://[2002:a00:1::]/",
        "https://2130706433/",
        "https://0x7f.1/",
        "http://1.1.1.1/",
        "ftp://1.1.1.1/",
        "https://ann:secret@1.1.1.1/",
        "https://1.1.1.1/a b",
        "https://1.1.1.1/\r\nX: y",
        "https://1.1.1.1:99999/",
        "https:///",
        "",
    ],
)
def test_a_hook_does_not_lead_into_the_organisers_network(url: str) -> None:
    with pytest.raises(HookError):
        resolved(url, is_private_allowed=False)


def test_who_adds_a_hook_learns_nothing_of_the_organisers_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = made_in(tmp_path / "cup", hooks={"of_team": 2})
    ann = made.person("ann", "reds")
    asked = []

    def look_up(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.5", port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    add_hook(made.contest, str(ann.team), "https://vault.internal/")
    assert not asked, "a slow server of names would hold up pages"
    with pytest.raises(HookError, match=r"^the host vault\.internal cannot be found at a public address$"):
        resolved("https://vault.internal/", is_private_allowed=False)
    for url in ("https://10.0.0.1/", "http://example.org/"):
        with pytest.raises(HookError):
            add_hook(made.contest, str(ann.team), url)


def test_a_public_hook_is_called_at_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolved("https://1.1.1.1/x", is_private_allowed=False)[1] == "1.1.1.1"
    asked: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], _: float) -> socket.socket:
        asked.append(address)
        raise ConnectionRefusedError

    names = iter(["1.1.1.1", "127.0.0.1"])
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", (next(names), 443))])
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(HookError, match="cannot be reached"):
        call(
            "https://rebinding.example.org/",
            "whsec_AA==",
            Call("x", 0, b"{}"),
            trusting(None),
            is_private_allowed=False,
        )
    assert asked == [("1.1.1.1", 443)], "a name that leads elsewhere a moment later is not asked again"


def test_a_contest_calls_no_hooks_unless_its_organiser_allows_them(made: Made) -> None:
    answer = browser(made, made.person("ann", "reds")).post("/team/hooks", data={"url": "https://1.1.1.1/"})
    assert answer.status_code == 409 and "calls no webhooks" in text(answer)


@pytest.mark.slow
def test_an_announcement_is_on_the_page_in_the_feed_and_once_in_the_outbox(tmp_path: Path) -> None:
    made = made_with_mail(tmp_path / "cup")
    ann, olga = made.person("ann", "reds"), made.person("olga", organiser=True)
    reached(made, ann, "ann@example.org")
    form = {"title": "The <b>finals</b>", "text": "On Monday.\nBe there."}
    assert browser(made, olga).post("/organiser/announce", data=form).status_code == 303
    page, feed = browser(made).get("/announcements"), browser(made).get("/announcements.atom")
    assert "The &lt;b&gt;finals" in page.text and "Be there." in text(page)
    assert "#a1" in feed.text and "The &lt;b&gt;finals" in feed.text
    (row,) = made.read(OUTBOX.select()).all()
    assert (row.target, row.event) == ("ann@example.org", "announcement-1")
    assert browser(made, olga).post("/organiser/announce", data={**form, "title": " "}).status_code == 422


@pytest.mark.slow
def test_who_signs_up_by_mail_gets_the_link_there_and_it_confirms_the_address(tmp_path: Path) -> None:
    with mail_server() as (port, mail):
        made = made_with_mail(tmp_path / "cup", port)
        client = browser(made)
        assert client.post("/sign-up", data={"handle": "ann", "mail": "no address"}).status_code == 422
        assert client.post("/sign-up", data={"handle": "ann", "mail": "ann@example.org"}).status_code == 200
        send_all(made)
        link = mail[0].replace("=\n", "").replace("=3D", "=").partition("/sign-in?link=")[2].split()[0]
        assert made.read(ACCOUNTS.select()).one().email is None
        assert client.post("/sign-in", data={"link": link}).status_code == 303
        assert "ann@example.org" in client.get("/account").text
        assert client.post("/account/mail", data={"mail": "new@example.org"}).status_code == 200
        assert "ann@example.org" in client.get("/account").text, "until the new one is confirmed"
        send_all(made)
        link = mail[1].replace("=\n", "").replace("=3D", "=").partition("/confirm?link=")[2].split()[0]
        assert browser(made, made.person("bob")).post("/confirm", data={"link": link}).status_code == 404
        assert client.post("/confirm", data={"link": link}).status_code == 303
        assert "new@example.org" in client.get("/account").text
        assert client.post("/account/mail", data={"mail": ""}).status_code == 303
        assert "new@example.org" not in client.get("/account").text
    assert not any(row.body for row in made.read(OUTBOX.select())), "no link is kept once it is sent"


@pytest.mark.slow
def test_an_address_of_mail_gets_few_links_within_an_hour(tmp_path: Path) -> None:
    made = made_with_mail(tmp_path / "cup")
    asked = [
        browser(made).post("/sign-up", data={"handle": f"p{number}", "mail": "ann@example.org"}).status_code
        for number in range(4)
    ]
    assert asked == [200, 200, 200, 429]
    assert len(made.read(ACCOUNTS.select()).all()) == 3, "nothing is half done"


@pytest.mark.parametrize(("most", "status"), [(1, 409), (2, 303)])
def test_an_address_has_as_many_accounts_as_the_organiser_allows(tmp_path: Path, most: int, status: int) -> None:
    mail = {"host": "127.0.0.1", "port": 25, "sender": "cup@example.org", "accounts": most}
    made = made_in(tmp_path / "cup", mail=mail, entry="open")
    reached(made, made.person("ann"), "Ann@Example.org")
    account, now = made.person("bob").account, made.clock.now
    with made.contest.store.writing() as connection:
        secret = new_link(connection, Purpose.SIGN_IN, now, now + 60, account=account, email="ann@example.org")
    client = browser(made)
    answer = client.post("/sign-in", data={"link": secret})
    assert answer.status_code == status
    assert ("the address ann@example.org belongs to the account ann" in text(answer)) is (status == 409)
    assert (client.get("/account").status_code == 200) is (status == 303)


def test_an_address_gets_three_links_an_hour_in_whatever_case_it_is_written(tmp_path: Path) -> None:
    made = made_with_mail(tmp_path / "cup")
    for handle, address in (("ben", "ben@example.org"), ("ben2", "BEN@example.org"), ("ben3", "Ben@Example.org")):
        assert sign_up(made.contest, handle, address) is None
    with pytest.raises(LimitError, match="3 messages went to this address within an hour"):
        sign_up(made.contest, "ben4", "beN@example.org")
    assert sign_up(made.contest, "cat", "cat@example.org") is None
    made.clock.now += 3601
    assert sign_up(made.contest, "ben4", "beN@example.org") is None
