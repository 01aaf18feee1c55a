"""The pages of a contest: signing in, who sees what at which address, and forms without script."""

import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

from ballcourt.arena.ladder.arrivals.names import look_of
from ballcourt.arena.records.store import write_record
from ballcourt.contest.decisions.announcing import announce
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.decisions.inviting import Inviting, link_for
from ballcourt.contest.people.accounts import AccountRole, Member
from ballcourt.contest.people.sessions import IDLE_S, LONGEST_S
from ballcourt.contest.people.tokens import Purpose, new_link
from ballcourt.contest.refusals import StateError
from ballcourt.contest.store.contest import open_contest
from ballcourt.contest.store.schema import ACCOUNTS, SUBMISSIONS
from ballcourt.contest.submissions.scrimmages import ask
from ballcourt.contest.submissions.states import SubmissionState, move
from ballcourt.contest.web.application import contest_app
from ballcourt.contest.web.viewers import COOKIE, WANTED
from ballcourt.contest.web.visits import around
from ballcourt.leaderboard.pages.app import create_app
from tests.arena.recorded import recorded
from tests.contest.made import Made, bot_archive, made_in
from tests.leaderboard.pages.made_site import bluff, filled, site_at

HERE = "http://127.0.0.1:8000"
OURS = {"Origin": HERE}
ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = "<script>alert(1)</script>\u202e\x1b[2J"


@pytest.fixture
def game() -> Iterator[None]:
    """The game of recorded matches."""
    with bluff():
        yield


def browser(made: Made, who: Member | None = None) -> TestClient:
    """Return a browser, in which a person is signed in."""
    client = TestClient(made.served(), base_url=HERE, follow_redirects=False, headers=OURS)
    if who:
        client.cookies.set(COOKIE, made.session(who))
    return client


def text(answer: Response) -> str:
    return re.sub(r"<[^>]*>", " ", answer.text)


def sign_in_link(made: Made, who: Member) -> str:
    """Return the secret of a new link that signs a person in."""
    with made.contest.store.writing() as connection:
        return new_link(connection, Purpose.SIGN_IN, made.clock.now, made.clock.now + 60, account=who.account)


def test_a_link_signs_in_once_and_opening_it_uses_nothing_up(made: Made) -> None:
    (invited,) = Inviting(made.contest, AccountRole.CONTESTANT, 1000).invite([("ann", "reds")])
    client, link = browser(made), link_for(made.contest, invited.secret).removeprefix(HERE)
    assert client.get(link).status_code == client.get(link).status_code == 200
    answer = client.post("/sign-in", data={"link": invited.secret})
    assert (answer.status_code, answer.headers["location"]) == (303, "/submissions")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie
    assert client.get("/team").status_code == 200
    again = browser(made).post("/sign-in", data={"link": invited.secret})
    assert again.status_code == 404 and "has been used" in text(again)


def test_everybody_makes_an_account_where_entry_is_open_and_the_organiser_gets_the_link(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", entry="open")
    printed: list[str] = []
    app = contest_app(made.contest, FastAPI(), printed.append)
    client = TestClient(app, base_url=HERE, follow_redirects=False, headers=OURS)
    assert client.post("/sign-up", data={"handle": "ann"}).status_code == 200
    assert client.post("/sign-up", data={"handle": "Ann"}).status_code == 409, "the handle is taken"
    (line,) = printed
    assert client.post("/sign-in", data={"link": line.rpartition("=")[2]}).status_code == 303
    assert client.get("/account").status_code == 200
    found = [client.post("/sign-up", data={"handle": f"bot{number}"}).status_code for number in range(9)]
    assert found == [200] * 8 + [429], "ten from an address within an hour"
    made.clock.now += 3601
    assert client.post("/sign-up", data={"handle": "late"}).status_code == 200


def test_where_entry_is_closed_only_those_who_are_in_get_links(made: Made) -> None:
    made.person("ann", "reds")
    closed = replace(made.contest, settings=made.contest.settings.replaced(entry="closed"))
    inviting = Inviting(closed, AccountRole.CONTESTANT, 1000)
    assert inviting.invite([("ann", "reds")])
    with pytest.raises(StateError, match="takes no new accounts"):
        inviting.invite([("bob", "reds")])
    assert Inviting(closed, AccountRole.ORGANISER, 1000).invite([("olga", "")])
    assert TestClient(contest_app(closed, FastAPI()), base_url=HERE).get("/sign-up").status_code == 409


def test_a_new_link_ends_older_ones_and_a_session_ends_when_it_is_idle(made: Made) -> None:
    inviting = Inviting(made.contest, AccountRole.CONTESTANT, 1000)
    (old,), (new,) = inviting.invite([("ann", "")]), inviting.invite([("ann", "")])
    client = browser(made)
    assert client.post("/sign-in", data={"link": old.secret}).status_code == 404
    assert client.post("/sign-in", data={"link": new.secret}).status_code == 303
    made.clock.now += IDLE_S + 1
    assert client.get("/account").status_code == 401


@pytest.mark.slow
def test_a_sign_in_makes_a_new_session_which_ends_however_much_it_is_used(made: Made) -> None:
    (invited,) = Inviting(made.contest, AccountRole.CONTESTANT, 1000).invite([("ann", "")])
    client = browser(made)
    client.cookies.set(COOKIE, "planted")
    answer = client.post("/sign-in", data={"link": invited.secret})
    assert "planted" not in answer.headers["set-cookie"]
    client.cookies.clear()
    client.cookies.set(COOKIE, answer.headers["set-cookie"].partition("=")[2].partition(";")[0])
    for _ in range(9):
        assert client.get("/account").status_code == 200
        made.clock.now += LONGEST_S / 9
    assert client.get("/account").status_code == 401


@pytest.mark.slow
def test_who_is_suspended_is_signed_out(made: Made, ann: Member) -> None:
    client = browser(made, ann)
    assert client.get("/account").status_code == 200
    Decider(made.contest, "olga").suspend("ann", "why")
    assert client.get("/account").status_code == 401


@pytest.mark.slow
def test_the_cookie_of_a_secure_contest_cannot_be_set_by_others(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", url="https://cup.example.org")
    (invited,) = Inviting(made.contest, AccountRole.CONTESTANT, 1000).invite([("ann", "")])
    answer = browser(made).post("/sign-in", data={"link": invited.secret}, headers={"Sec-Fetch-Site": "same-origin"})
    assert re.match(r"__Host-ballcourt-session=[\w-]{43}; .*Path=/; .*Secure", answer.headers["set-cookie"])


PAGES = [
    # address, method, visitor, other team, own team, organiser
    ("/sign-in", "GET", 200, 200, 200, 200),
    ("/sign-in", "POST", 404, 404, 404, 404),
    ("/sign-up", "GET", 409, 409, 409, 409),
    ("/sign-up", "POST", 409, 409, 409, 409),
    ("/sign-in/with/{issuer}", "POST", 404, 404, 404, 404),
    ("/sign-in/with/{issuer}/back", "GET", 404, 404, 404, 404),
    ("/sign-up/with/{issuer}", "POST", 404, 404, 404, 404),
    ("/account/identities/with/{issuer}", "POST", 401, 404, 404, 404),
    ("/account/identities/{identity}/untie", "POST", 401, 404, 404, 404),
    ("/submissions", "GET", 401, 200, 200, 200),
    ("/submissions/{submission}", "GET", 401, 404, 200, 200),
    ("/submissions/{submission}/archive", "GET", 401, 404, 200, 200),
    ("/submissions/{submission}/replays/{key}", "GET", 401, 404, 200, 200),
    ("/submissions/{submission}/cancel", "POST", 401, 404, 409, 409),
    ("/submit", "GET", 401, 200, 200, 200),
    ("/submit", "POST", 401, 422, 422, 409),
    ("/my-bots/{name}", "GET", 401, 404, 200, 200),
    ("/my-bots", "POST", 401, 422, 422, 422),
    ("/my-bots/{name}/token", "POST", 401, 404, 409, 404),
    ("/my-bots/{name}/token/revoke", "POST", 401, 404, 409, 404),
    ("/my-bots/{name}/chosen", "POST", 401, 404, 409, 404),
    ("/my-bots/{name}/logs/{entry}", "GET", 401, 404, 200, 200),
    ("/my-bots/{name}/faults/{entry}", "GET", 401, 404, 404, 404),
    ("/my-bots/{name}/faults/{entry}.zip", "GET", 401, 404, 404, 404),
    ("/scrimmages", "GET", 200, 200, 200, 200),
    ("/scrimmages", "POST", 401, 409, 404, 409),
    ("/scrimmages/open", "POST", 401, 303, 303, 409),
    ("/scrimmages/{scrimmage}", "GET", 404, 404, 200, 200),
    ("/scrimmages/{scrimmage}/replay", "GET", 404, 404, 409, 409),
    ("/scrimmages/{scrimmage}/logs/{seat}", "GET", 401, 404, 404, 404),
    ("/scrimmages/{scrimmage}/publish", "POST", 401, 404, 409, 403),
    ("/scrimmages/{scrimmage}/cancel", "POST", 401, 404, 303, 404),
    ("/join", "GET", 401, 200, 200, 200),
    ("/join", "POST", 401, 404, 404, 404),
    ("/account", "GET", 401, 200, 200, 200),
    ("/account", "POST", 401, 303, 303, 303),
    ("/account/export", "POST", 401, 200, 200, 200),
    ("/account/delete", "POST", 401, 422, 422, 422),
    ("/device", "GET", 401, 200, 200, 200),
    ("/device", "POST", 401, 404, 404, 404),
    ("/account/feed", "POST", 401, 200, 200, 200),
    ("/feed/{secret}.atom", "GET", 404, 404, 404, 404),
    ("/phases.ics", "GET", 200, 200, 200, 200),
    ("/account/tokens", "POST", 401, 200, 200, 200),
    ("/account/tokens/{token}/revoke", "POST", 401, 404, 404, 404),
    ("/account/sessions/{session}/end", "POST", 401, 404, 404, 404),
    ("/organiser", "GET", 401, 403, 403, 200),
    ("/organiser/grant", "POST", 401, 403, 403, 303),
    ("/organiser/account", "POST", 401, 403, 403, 404),
    ("/organiser/ruling", "POST", 401, 403, 403, 422),
    ("/organiser/{kind}", "GET", 401, 403, 403, 200),
    ("/organiser/people/{handle}", "GET", 401, 403, 403, 200),
    ("/organiser/people/{handle}/export", "POST", 401, 403, 403, 200),
    ("/organiser/people/{handle}/delete", "POST", 401, 403, 403, 422),
    ("/organiser/teams/{team}", "GET", 401, 403, 403, 200),
    ("/organiser/faults", "GET", 401, 403, 403, 200),
    ("/organiser/submission", "POST", 401, 403, 403, 422),
    ("/organiser/again", "POST", 401, 403, 403, 200),
    ("/organiser/unfreeze", "POST", 401, 403, 403, 409),
    ("/organiser/reveal", "POST", 403, 403, 403, 409),
    ("/finals", "GET", 303, 303, 303, 303),
    ("/ceremony", "GET", 404, 404, 404, 404),
    ("/questions", "GET", 401, 200, 200, 200),
    ("/questions", "POST", 401, 303, 303, 409),
    ("/questions/{number}", "POST", 401, 403, 403, 404),
    ("/organiser/announce", "POST", 401, 403, 403, 303),
    ("/announcements", "GET", 200, 200, 200, 200),
    ("/announcements.atom", "GET", 200, 200, 200, 200),
    ("/account/mail", "POST", 401, 303, 303, 303),
    ("/confirm", "GET", 401, 200, 200, 200),
    ("/confirm", "POST", 401, 404, 404, 404),
    ("/team/hooks", "POST", 401, 409, 409, 409),
    ("/team/hooks/{hook}/remove", "POST", 401, 404, 404, 409),
    ("/team/hooks/{hook}/test", "POST", 401, 404, 404, 404),
    ("/team", "GET", 401, 200, 200, 200),
    ("/team", "POST", 401, 422, 422, 422),
    ("/team/link", "POST", 401, 200, 200, 409),
    ("/team/leave", "POST", 401, 303, 409, 303),
]
"""What each viewer gets at each page; the submission has been accepted, the log's block is complete."""
FORM = {
    "code": "x",
    "title": "News",
    "text": "It begins.",
    "url": "https://example.org",
    "link": "x",
    "shown": "x",
    "reason": "why",
    "team": "reds",
    "attempts": "1",
    "handle": "nobody",
    "action": "suspend",
    "submission": "x",
    "confirmed": "x",
    "opponent": "nobody",
}
GIVEN = {
    "secret": "x",
    "token": "0" * 16,
    "session": "0" * 16,
    "issuer": "uni",
    "identity": "0" * 16,
    "name": "mine",
    "kind": "people",
    "handle": "ann",
    "team": "reds",
    "key": "b000000-r0",
    "hook": "0" * 16,
    "entry": "b000000-r0-seat0",
    "seat": "seat0",
    "number": "999",
}


def printed(made: Made, key: str) -> Path:
    """Print something as the bot in a match that has been played."""
    output = made.contest.ladder.output
    log = output / "logs" / "mine@1" / f"{key}-seat0.txt"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("my cards are ...\n")
    write_record(output / "records", recorded(key))
    return log


def test_every_viewer_gets_at_every_page_what_the_table_says(made: Made, ann: Member, game: None) -> None:
    viewers = [None, made.person("bob", "blues"), ann, made.person("olga", organiser=True)]
    made.playing(ann)
    given = {**GIVEN, "scrimmage": ask(made.contest, ann, "random"), "submission": made.accepted(ann, "2")}
    for seat in range(len(recorded("x").entrants)):
        printed(made, f"b000000-r{seat}")
    write_record(made.contest.checks(str(ann.team)) / given["submission"], recorded("b000000-r0"))
    clients = [browser(made, one) for one in viewers]
    for address, method, *expected in PAGES:
        found = []
        for client in clients:
            kept = client.cookies.get(COOKIE)
            form = FORM if method == "POST" and address != "/submit" else None
            found.append(client.request(method, address.format(**given), data=form).status_code)
            client.cookies = {COOKIE: kept} if kept else {}
        assert found == expected, (method, address)
    included = [getattr(one, "original_router", None) for one in contest_app(made.contest, FastAPI()).router.routes]
    pages = {
        (route.path, method)
        for router in included
        if router is not None and not router.prefix.startswith("/api/")  # whose routes another test asks for
        for route in router.routes
        for method in route.methods - {"HEAD"}
    }
    assert pages == {(address, method) for address, method, *_ in PAGES}, "every page has its row"


def test_a_page_offers_nothing_that_a_closed_phase_refuses(made: Made, ann: Member) -> None:
    made.accepted(ann, "1")
    made.accepted(ann, "2")
    client = browser(made, ann)
    assert 'type="file"' in client.get("/submit").text
    assert "for the finals" in client.get("/my-bots/mine").text
    made.clock.now += 10**7
    closed = browser(made, ann)
    page = closed.get("/submit").text
    assert "No phase is open, so no bot can be entered now. Phases: training from" in page
    assert 'type="file"' not in page
    assert "for the finals" not in closed.get("/my-bots/mine").text


@pytest.mark.parametrize("address", ["/sign-in", "/announcements", "/announcements.atom", "/submissions"])
def test_pages_answer_head_as_get_and_refuse_methods_that_they_do_not_have(
    made: Made, ann: Member, address: str
) -> None:
    client = browser(made, ann)
    assert client.head(address).status_code == client.get(address).status_code == 200
    for method in ("PUT", "DELETE", "OPTIONS"):
        assert client.request(method, address).status_code == 405
    answer = client.delete("/api/v1/submissions")
    assert (answer.status_code, answer.json()["error"]) == (405, "method")


@pytest.mark.slow
def test_a_log_is_private_until_the_block_is_complete(made: Made, ann: Member, game: None) -> None:
    made.accepted(ann)
    printed(made, "b000000-r0")
    client, address = browser(made, ann), "/my-bots/mine/logs/b000000-r0-seat0"
    early = client.get(address)
    assert early.status_code == 409 and "cards" not in early.text
    for rotation in range(1, len(recorded("x").entrants)):
        printed(made, f"b000000-r{rotation}")
    answer = client.get(address)
    assert answer.text == "my cards are ...\n"
    assert (
        answer.headers["content-disposition"].startswith("attachment")
        and "sandbox" in answer.headers["content-security-policy"]
    )
    assert client.get("/my-bots/mine/logs/..%2f..%2fseed").status_code == 404


def test_a_form_enters_a_bot(made: Made, ann: Member) -> None:
    client, archive = browser(made, ann), bot_archive()
    answer = client.post("/submit", data={"bot": "mine", "note": "first"}, files={"archive": ("a.tar", archive)})
    assert answer.status_code == 303
    page = client.get(answer.headers["location"])
    assert "waiting" in text(page) and sha256(archive).hexdigest() in text(page)
    assert client.post(f"{answer.headers['location']}/cancel").status_code == 303
    assert "cancelled" in text(client.get(answer.headers["location"]))


@pytest.mark.slow
def test_a_page_that_refuses_a_form_leads_back_to_it(made: Made, ann: Member) -> None:
    client = browser(made, ann)
    answer = client.post("/submit", data={"bot": "mine"}, files={"archive": ("bot.txt", b"hello")})
    assert answer.status_code == 415 and "neither a zip nor a tar file" in answer.text
    assert '<a href="/submit">Go on</a>' in answer.text
    answer = client.post("/my-bots/other/token")
    assert '<a href="/team">Go on</a>' in answer.text and client.get("/team").status_code == 200


def test_a_team_is_made_joined_by_its_link_and_left(made: Made) -> None:
    ann, bob = browser(made, made.person("ann")), browser(made, made.person("bob"))
    assert ann.post("/team", data={"name": "reds"}).status_code == 303
    link = re.search(r"link=([\w-]+)<", ann.post("/team/link").text)
    assert link
    assert bob.post("/join", data={"link": link[1]}).status_code == 303
    assert "bob" in text(ann.get("/team"))
    assert bob.post("/team/leave").status_code == 303
    assert "bob" not in text(ann.get("/team"))


@pytest.mark.slow
def test_what_people_and_bots_write_is_text_on_every_page(made: Made, ann: Member, olga: Member) -> None:
    submission = made.enter(ann, bot_archive())
    with made.contest.store.writing() as connection:
        connection.execute(ACCOUNTS.update().where(ACCOUNTS.c.look == look_of("ann")).values(shown=HOSTILE))
        report = '{"failures": ["' + HOSTILE.replace("\x1b", "\\u001b") + '"]}'
        connection.execute(SUBMISSIONS.update().values(note=HOSTILE, version=HOSTILE, origin=HOSTILE, report=report))
        move(connection, submission, SubmissionState.EXAMINING, made.clock.now, HOSTILE)
    Decider(made.contest, HOSTILE).grant("reds", 1, 1, HOSTILE)
    for who in (ann, olga):
        client = browser(made, who)
        for address in ("/submissions", f"/submissions/{submission}", "/team", "/account", "/submit", "/organiser"):
            page = client.get(address).text
            assert "<script" not in page and "\x1b" not in page and "\u202e" not in page, address


def test_another_site_cannot_use_a_session(made: Made) -> None:
    client = browser(made, made.person("ann", "reds"))
    for headers in ({"Origin": "https://evil.example.org"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        assert client.post("/account/tokens", headers=headers).status_code == 403


@pytest.mark.slow
def test_a_feed_has_each_state_once_and_its_address_is_a_secret(made: Made, ann: Member) -> None:
    made.accepted(ann)
    client = browser(made, ann)
    address = re.search(r"http://127.0.0.1:8000(/feed/[\w-]+\.atom)", client.post("/account/feed").text)
    assert address
    reader = browser(made)
    entries = fromstring(reader.get(address[1]).content).findall("{*}entry")
    titles = [entry.findtext("{*}title", "") for entry in entries]
    assert sorted(titles) == [f"Submission 1, mine: {state}" for state in ("accepted", "examining", "waiting")]
    assert len({entry.findtext("{*}id") for entry in entries}) == 3
    client.post("/account/feed")
    assert reader.get(address[1]).status_code == 404, "a newer address ends it"


def test_the_phases_are_a_calendar(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", name="Cup; of, the \u00fcber " + "long " * 20)
    lines = browser(made).get("/phases.ics").text.split("\r\n")
    assert all(len(line.encode()) <= 75 for line in lines)
    assert [line for line in lines if line.startswith("DTSTART")] == ["DTSTART:20300317T173000Z"]
    assert "SUMMARY:Cup\\; of\\, the" in "".join(lines)


def test_the_front_of_a_contest_says_when_each_phase_is_open_and_how_to_enter(made: Made, game: None) -> None:
    (first, *_) = made.contest.settings.in_order
    for moved, state in ((0.0, "is open until"), (first.closes.timestamp() - made.clock.now, "closed 20")):
        made.clock.now += moved
        front = browser(made).get("/announcements")
        assert f"{first.name} {state}" in re.sub(r"\s+", " ", text(front).replace("  ", " "))
        assert made.contest.settings.name in text(front)
        is_told_how = [one in front.text for one in (f"ballcourt login {made.contest.settings.url}", "A team may have")]
        assert is_told_how == [not moved, not moved]


@pytest.mark.slow
def test_the_leaderboard_of_a_contest_has_its_name_and_leads_to_its_pages(tmp_path: Path, game: None) -> None:
    made = made_in(tmp_path / "contest", url="https://cup.example.org")
    ann = made.person("ann", "reds")
    with site_at(str(filled(tmp_path / "cup")), tmp_path) as site:
        app = contest_app(made.contest, create_app(site.views, None, around(made.contest)))
        client = TestClient(app, base_url="https://cup.example.org")
        assert "Sign in" in text(client.get("/")) and "Submissions" not in text(client.get("/"))
        assert "ballcourt submit" in client.get("/").text
        client.cookies.set(f"__Host-{COOKIE}", made.session(ann))
        assert "Submissions" in text(client.get("/")) and "Organiser" not in text(client.get("/"))
        assert client.get("/", headers={"Host": "evil.example.org"}).status_code == 400


MENU = re.compile(r'<nav aria-label="Pages">.*?</nav>', re.DOTALL)


def menu_of(answer: Response) -> list[str]:
    return re.findall(r'<a href="([^"]*)">', MENU.findall(answer.text)[0])


@pytest.mark.slow
def test_all_pages_of_a_contest_have_its_name_and_one_menu_also_those_that_are_not_there(
    tmp_path: Path, game: None
) -> None:
    made = made_in(tmp_path / "contest", name="Spring Cup")
    with site_at(str(filled(tmp_path / "ladder")), tmp_path) as site:
        pages = create_app(site.views, None, around(made.contest))
        app = contest_app(made.contest, pages, shown_to=lambda _: site.views)
        for who in (None, made.person("ann", "reds"), made.person("olga", organiser=True)):
            client = TestClient(app, base_url=HERE)
            if who:
                client.cookies.set(COOKIE, made.session(who))
            addresses = ("/", "/matches", "/news", "/data", "/announcements", "/sign-in", "/nothing", "/bots/x")
            seen = [client.get(address) for address in addresses]
            assert [one.status_code for one in seen] == [200] * 6 + [404] * 2
            menus = [menu_of(one) for one in seen]
            assert menus == [menus[0]] * len(seen) and {"/", "/news", "/data", "/scrimmages"} <= {*menus[0]}
            for one in seen:
                shown = text(one).replace("install Ballcourt", "")
                assert "Spring Cup" in shown and "Ballcourt" not in shown and "ladder</title>" not in one.text


@pytest.mark.slow
def test_the_feeds_of_a_contest_have_its_name_absolute_links_and_ids_that_no_other_contest_has(
    tmp_path: Path, game: None
) -> None:
    def ids_of(made: Made) -> set[str]:
        name, host = made.contest.settings.name, made.contest.settings.url
        client = TestClient(contest_app(made.contest, create_app(site.views, None, around(made.contest))), host)
        feeds = [fromstring(client.get(address).text) for address in ("/news.atom", "/announcements.atom")]
        for feed in feeds:
            assert feed.findtext(f"{ATOM}author/{ATOM}name") == name and name in str(feed.findtext(f"{ATOM}title"))
            links = [str(one.get("href")) for one in feed.iter(f"{ATOM}link")]
            assert links and all(link.startswith(f"{host}/") for link in links)
        return {str(one.text) for feed in feeds for one in feed.iter(f"{ATOM}id")}

    first, second = made_in(tmp_path / "one", name="Cup"), made_in(tmp_path / "two", name="Cup")
    for made in (first, second):
        announce(made.contest, "olga", "News", "It begins.")
    with site_at(str(filled(tmp_path / "ladder")), tmp_path) as site:
        before = ids_of(first)
        assert not before & ids_of(second), "two contests of one name"
        (tmp_path / "one").rename(tmp_path / "moved")
        with open_contest(tmp_path / "moved" / "contest.toml") as opened:
            pass
        settings = first.contest.settings.replaced(name="Summer Cup", url="https://other.example.org")
        renamed = replace(first, contest=replace(opened, settings=settings, now=first.clock))
        assert ids_of(renamed) == before, "the same contest, renamed and moved"


def test_who_has_to_sign_in_is_led_to_the_page_that_they_came_for(made: Made, ann: Member) -> None:
    client = browser(made)
    assert client.get("/device?code=ABCDE-FGHIJ").status_code == 401
    first = client.post("/sign-in", data={"link": sign_in_link(made, ann)})
    assert (first.status_code, first.headers["location"]) == (303, "/device?code=ABCDE-FGHIJ")
    second = client.post("/sign-in", data={"link": sign_in_link(made, ann)})
    assert second.headers["location"] == "/submissions", "once"


@pytest.mark.parametrize("wanted", ["//evil.example", "/%5Cevil.example", "https://evil.example", "%0d%0a", ""])
def test_signing_in_leads_to_no_other_site(made: Made, ann: Member, wanted: str) -> None:
    client = browser(made)
    client.cookies.set(WANTED, wanted)
    assert client.post("/sign-in", data={"link": sign_in_link(made, ann)}).headers["location"] == "/submissions"
