"""Signing in at issuers: who comes in, to whom an identity is tied, and which answers are refused."""

import re
import threading
from collections.abc import Iterator
from html import unescape
from itertools import repeat
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from joserfc.jwk import ECKey, OctKey

from ballcourt.contest import http_client
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.decisions.leaving import delete_person
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import ContestError
from ballcourt.contest.sign_in.attempt import Aim, IssuerAttempt
from ballcourt.contest.sign_in.issuers import issuers_of
from ballcourt.contest.store.schema import ACCOUNTS, IDENTITIES
from ballcourt.contest.web import visits
from tests.contest.issuer import SECRET, AnIssuer, an_issuer, table
from tests.contest.made import NOON, Made, made_in
from tests.contest.test_pages import HERE, OURS, browser, text


@pytest.fixture
def issuer() -> Iterator[AnIssuer]:
    with an_issuer() as found:
        found.now = NOON
        yield found


def made_with(folder: Path, issuer: AnIssuer, entry: str = "invited", **changes: object) -> Made:
    folder.mkdir(exist_ok=True)
    return made_in(folder / "cup", entry=entry, sign_in=(table(issuer, folder, **changes),))


def led_to(answer: Response) -> str:
    """Return where a page leads on."""
    assert answer.status_code == 200, text(answer)
    found = re.search(r'<a href="([^"]*)">the University', answer.text)
    assert found and f"0; url={found[1]}" in answer.text
    return unescape(found[1])


def comes_back(client: TestClient, issuer: AnIssuer, begin: str = "/sign-in/with/uni", **form: str) -> Response:
    """Begin at a form, sign in at the issuer, and come back."""
    back = issuer.consent(led_to(client.post(begin, data=form)))
    return client.get(back.removeprefix(HERE))


def tied(made: Made, issuer: AnIssuer, handle: str = "ann") -> Member:
    """Make an account, to which the identity that the issuer knows is tied."""
    person = made.person(handle)
    assert comes_back(browser(made, person), issuer, "/account/identities/with/uni").status_code == 303
    return person


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["openid", "github"])
def test_who_is_invited_ties_an_identity_and_signs_in_with_it(tmp_path: Path, issuer: AnIssuer, kind: str) -> None:
    issuer.user = {"sub": "u-1", "preferred_username": "ann"} if kind == "openid" else {"id": 7, "login": "ann"}
    made = made_with(tmp_path, issuer, kind=kind)
    stranger = comes_back(browser(made), issuer)
    assert stranger.status_code == 403 and "sign in by the link from the organiser" in text(stranger)
    tied(made, issuer)
    client = browser(made)
    answer = comes_back(client, issuer)
    assert (answer.status_code, answer.headers["location"]) == (303, "/submissions")
    assert "Account ann" in re.sub(r"\s+", " ", text(client.get("/account")))
    row = made.read(IDENTITIES.select()).one()
    assert (row.issuer, row.subject, row.shown) == (issuer.url, "u-1" if kind == "openid" else "7", "ann")
    Decider(made.contest, "olga").suspend("ann", "why")
    assert comes_back(browser(made), issuer).status_code == 403
    assert client.get("/account").status_code == 401


@pytest.mark.slow
def test_where_an_issuer_lets_everybody_in_they_choose_a_handle_once(tmp_path: Path, issuer: AnIssuer) -> None:
    made = made_with(tmp_path, issuer, entry="invited")
    assert browser(made).post("/sign-up/with/uni", data={"handle": "ann"}).status_code == 409
    made = made_with(tmp_path / "open", issuer, entry="invited", name="uni")
    made = made_in(tmp_path / "third", sign_in=(table(issuer, tmp_path, entry="open"),))
    client = browser(made)
    page = client.get("/sign-up")
    assert "with the University" in text(page) and "by a link" not in text(page)
    assert client.post("/sign-up", data={"handle": "ann"}).status_code == 409, "only at the issuer"
    assert "on the page Sign up" in text(comes_back(client, issuer))
    assert comes_back(client, issuer, "/sign-up/with/uni", handle="ann").status_code == 303
    assert comes_back(browser(made), issuer, "/sign-up/with/uni", handle="another").status_code == 303
    issuer.user = {"sub": "u-2"}
    assert comes_back(browser(made), issuer, "/sign-up/with/uni", handle="Ann").status_code == 409, "it is taken"
    assert [row.handle for row in made.read(ACCOUNTS.select())] == ["ann"], "one for each identity"


REFUSED: list[tuple[dict[str, object], str]] = [
    ({"nonce": "another"}, "nonce"),
    ({"nonce": None}, "nonce"),
    ({"aud": "another"}, "aud"),
    ({"aud": ["cup", "another"]}, "azp"),
    ({"iss": "https://evil.example.org"}, "iss"),
    ({"exp": NOON - 61}, "expired"),
    ({"exp": None}, "exp"),
    ({"sub": None}, "sub"),
    ({"sub": ["u-1"]}, "the University"),
    ({"at_hash": "another"}, "at_hash"),
]


@pytest.mark.slow
def test_a_token_that_is_not_for_this_sign_in_is_refused(tmp_path: Path, issuer: AnIssuer) -> None:
    made = made_with(tmp_path, issuer)
    tied(made, issuer)
    for claims, word in REFUSED:
        issuer.claims = claims
        answer = comes_back(browser(made), issuer)
        assert answer.status_code == 403 and word in text(answer), claims
        assert "set-cookie" not in answer.headers
    issuer.claims = {}
    for key in (ECKey.generate_key("P-256"), OctKey.import_key(SECRET)):  # the second is our own secret
        issuer.signs_with = key
        assert comes_back(browser(made), issuer).status_code == 403


def test_an_answer_fits_once_in_the_browser_and_for_the_aim_that_it_was_asked_for(
    tmp_path: Path, issuer: AnIssuer
) -> None:
    made = made_with(tmp_path, issuer)
    ann, bob = tied(made, issuer), made.person("bob")
    client = browser(made)
    back = issuer.consent(led_to(client.post("/sign-in/with/uni"))).removeprefix(HERE)
    cookie = client.cookies["ballcourt-attempt"]
    wrong = [back.replace("state=", "state=x"), back.partition("&state")[0], f"{back}&iss=https://evil.example.org"]
    for address in (*wrong, "/sign-in/with/uni/back?state=\u00fc&code=x", "/sign-in/with/uni/back"):
        answer = client.get(address)
        assert answer.status_code == 403 and "begin again" in text(answer), address
    assert browser(made).get(back).status_code == 403, "another browser"
    aimed = browser(made, bob)
    aimed.cookies.set("ballcourt-attempt", cookie.replace("in.", "tie.", 1) + bob.account)
    assert aimed.get(back).status_code == 403, "what signs in ties nothing"
    assert client.get(f"{back}&iss={issuer.url}").status_code == 303
    assert client.get(back).status_code == 403, "the browser has forgotten it"
    client.cookies.set("ballcourt-attempt", cookie)
    again = client.get(back)
    assert again.status_code == 403 and "invalid_grant" in text(again), "and a code is good for one time"
    late = issuer.consent(led_to(client.post("/sign-in/with/uni"))).removeprefix(HERE)
    made.clock.now, issuer.now = NOON + 601, NOON + 601
    assert client.get(late).status_code == 403
    tying = browser(made, ann)
    back = issuer.consent(led_to(tying.post("/account/identities/with/uni"))).removeprefix(HERE)
    aimed.cookies.set("ballcourt-attempt", tying.cookies["ballcourt-attempt"])
    other = aimed.get(back)
    assert other.status_code == 403 and "another account is signed in" in text(other)
    foreign = {"Origin": "https://evil.example.org"}
    assert tying.post("/account/identities/with/uni", headers=foreign).status_code == 403


def test_who_makes_codes_up_makes_us_ask_the_issuer_a_bounded_number_of_times(
    tmp_path: Path, issuer: AnIssuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visits, "MOST_FAILED", 3)
    made = made_with(tmp_path, issuer)
    tied(made, issuer)

    def guess(address: str) -> int:
        client = TestClient(made.served(), HERE, follow_redirects=False, headers=OURS, client=(address, 1))
        attempt = IssuerAttempt.begin(Aim.SIGN_IN, made.clock.now)
        client.cookies.set("ballcourt-attempt", attempt.cookie())
        return client.get(f"/sign-in/with/uni/back?code=made-up&state={attempt.state(issuer.url)}").status_code

    found = [guess(f"2001:db8::{number}") for number in range(5)]
    assert found == [403] * 3 + [429] * 2, "addresses of one network count together"
    assert issuer.asked.count("/token") == 4, "with that of the person who signed in"
    assert guess("2001:db8:0:1::1") == 403, "and others for themselves"
    made.clock.now += 601
    assert guess("2001:db8::1") == 403


@pytest.mark.slow
def test_an_identity_is_tied_to_one_account_and_the_last_one_stays(tmp_path: Path, issuer: AnIssuer) -> None:
    made = made_with(tmp_path, issuer)
    ann = tied(made, issuer)
    client, bob = browser(made, ann), browser(made, made.person("bob"))
    taken = comes_back(bob, issuer, "/account/identities/with/uni")
    assert taken.status_code == 409 and "another account" in text(taken)
    first = made.read(IDENTITIES.select()).one().id
    last = client.post(f"/account/identities/{first}/untie")
    assert last.status_code == 409 and "last way" in text(last)
    issuer.user = {"sub": "u-2"}
    assert comes_back(client, issuer, "/account/identities/with/uni").status_code == 303
    assert bob.post(f"/account/identities/{first}/untie").status_code == 404, "it is not theirs"
    assert client.post(f"/account/identities/{first}/untie").status_code == 303
    assert first not in client.get("/account").text
    delete_person(made.contest, ann, "ann", "why")
    assert made.read(IDENTITIES.select()).all() == []


@pytest.mark.slow
def test_an_issuer_that_answers_without_end_costs_little_time_and_memory(
    tmp_path: Path, issuer: AnIssuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = made_with(tmp_path, issuer)
    document = "/.well-known/openid-configuration"
    client, sent, over = browser(made), [0], threading.Event()

    def flood() -> Iterator[bytes]:
        for piece in repeat(b"x" * 65536, 16_000):  # a gigabyte
            sent[0] += len(piece)
            yield piece

    def drip() -> Iterator[bytes]:
        while not over.wait(0.02):
            yield b" "

    issuer.answers[document] = flood
    answer = client.post("/sign-in/with/uni")
    assert answer.status_code == 502 and "more than 262144 bytes" in text(answer)
    assert sent[0] < 50_000_000, "what fits in the buffers of a connection"
    monkeypatch.setattr(http_client.ask, "__defaults__", (0, 0.2))
    issuer.answers[document] = drip
    answer = client.post("/sign-in/with/uni")
    over.set()
    assert answer.status_code == 502 and "longer than 0.2 s" in text(answer)
    for wrong in (b"[" * 100_000, b"[]", b"no JSON", b'{"issuer": "https://evil.example.org"}'):
        issuer.answers[document] = wrong
        assert client.post("/sign-in/with/uni").status_code == 502


@pytest.mark.slow
def test_who_waits_for_an_issuer_that_hangs_leaves_room_for_the_pages(tmp_path: Path, issuer: AnIssuer) -> None:
    made = made_with(tmp_path, issuer)
    over, waiting = threading.Event(), threading.Semaphore(0)

    def hang() -> Iterator[bytes]:
        waiting.release()
        over.wait()
        yield b"{}"

    issuer.answers["/.well-known/openid-configuration"] = hang
    client = browser(made)
    threads = [threading.Thread(target=client.post, args=("/sign-in/with/uni",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in threads:
        waiting.acquire()
    busy = client.post("/sign-in/with/uni")
    over.set()
    for thread in threads:
        thread.join()
    assert busy.status_code == 503 and busy.headers["retry-after"] == "5"


@pytest.mark.slow
def test_an_issuer_leads_to_no_address_without_tls(tmp_path: Path, issuer: AnIssuer) -> None:
    made = made_with(tmp_path, issuer)
    document = b'{"issuer": "%s", "authorization_endpoint": "%s"}'
    for address in (b"http://example.org/", b"javascript:alert(1)", b"https://a@example.org/", b'https://x\\" b'):
        issuer.answers["/.well-known/openid-configuration"] = document % (issuer.url.encode(), address)
        assert browser(made).post("/sign-in/with/uni").status_code == 502


def test_a_secret_that_others_may_read_is_refused(tmp_path: Path, issuer: AnIssuer) -> None:
    made = made_with(tmp_path, issuer)
    (tmp_path / "uni.secret").chmod(0o640)
    with pytest.raises(ContestError, match=r"others may read .*uni.secret.*chmod 600"):
        issuers_of(made.contest)
    (tmp_path / "uni.secret").unlink()
    with pytest.raises(ContestError, match="must be a file with a secret"):
        issuers_of(made.contest)
