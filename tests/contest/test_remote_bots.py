"""Bots that dial in to the ladder of a contest: their names, the secrecy of their tokens, and who is there."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.entries import REMOTE
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.ladder.absences import ABSENCES
from ballcourt.arena.ladder.arrivals.dialled import DialledArrivals
from ballcourt.arena.ladder.roster import Roster, Version
from ballcourt.arena.remote.tokens import BotToken, TokenError, TokenFile
from ballcourt.arena.tournament.decisions.changes import joining, withdrawing
from ballcourt.arena.tournament.decisions.trail import Trail
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.decisions.verifying import complaints
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.examining.work import MOST_TRIES, give_back
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.teams import leave_team
from ballcourt.contest.people.tokens import DAY_S
from ballcourt.contest.refusals import ContestFileError, NoSpaceError, StateError
from ballcourt.contest.settings import RemoteTable, TeamsTable, read_contest_file
from ballcourt.contest.submissions import remote_bots
from ballcourt.contest.submissions.remote_bots import DialState, register, renew, revoke
from ballcourt.contest.visible import Visible
from tests.contest.made import NOON, Made, bot_archive, made_in
from tests.contest.test_pages import browser, text

DOOR = "cup.example.org:7433"


@pytest.fixture
def made(tmp_path: Path) -> Made:
    remote = RemoteTable(address=DOOR, tokens=tmp_path / "tokens.json")
    return made_in(tmp_path / "cup", remote=remote, teams=TeamsTable(bots=2))


def programs(made: Made, who: Member) -> TestClient:
    """Return a client of the API with a person's token."""
    return TestClient(
        made.served(), base_url="http://127.0.0.1:8000/api/v1", headers={"Authorization": f"Bearer {made.token(who)}"}
    )


def handed(made: Made) -> TokenFile:
    """Return the tokens as the ladder reads them."""
    assert made.contest.settings.remote
    return TokenFile(Path(made.contest.settings.remote.tokens))


def found(made: Made, secret: str) -> BotToken:
    token = handed(made).find(secret)
    assert token
    return token


def dials_in(made: Made, who: Member, name: str = "rocket") -> Any:  # noqa: ANN401 - with all its fields
    return Visible(made.contest, who).bot(name).dials_in


def test_a_team_adds_a_bot_by_the_api_and_the_ladder_lets_it_in_for_its_team(made: Made, ann: Member) -> None:
    secret = programs(made, ann).post("bots", json={"name": "rocket"}).json()["token"]
    arrivals = DialledArrivals(handed(made), lambda: {"rocket": "1"})
    (joined,) = arrivals.step(Roster(()))
    assert isinstance(joined, Version) and joined.place == "reds/rocket"
    assert (found(made, secret).bot, found(made, secret).owner) == ("rocket", "reds")
    assert Path(handed(made).path).stat().st_mode & 0o077 == 0
    (bot,) = programs(made, ann).get("bots").json()["bots"]
    assert bot["name"] == "rocket" and bot["dials_in"]["state"] == "never seen" and bot["dials_in"]["address"] == DOOR


def test_a_token_is_renewed_and_revoked_by_any_member_and_older_ones_end(made: Made, ann: Member) -> None:
    mate = made.person("mate", "reds")
    client = programs(made, mate)
    first = register(made.contest, ann, "rocket")
    second = client.post("bots/rocket/token", json={"days": 3}).json()["token"]
    assert found(made, first).revoked and not found(made, second).revoked
    assert dials_in(made, ann).token_until.timestamp() == NOON + 3 * DAY_S
    assert client.delete("bots/rocket/token").status_code == 204
    assert found(made, second).revoked and dials_in(made, ann).token_until is None
    with pytest.raises(TokenError):
        handed(made).owner_of("rocket")
    assert client.delete("bots/rocket/token").status_code == 409


def test_a_token_of_a_bot_is_shown_once_kept_nowhere_and_good_for_nothing_else(
    made: Made, ann: Member, olga: Member, tmp_path: Path
) -> None:
    page = browser(made, ann).post("/my-bots", data={"name": "rocket", "days": "9"})
    (secret,) = [word for word in text(page).split() if word.startswith("bct_")]
    assert f"ballcourt connect FOLDER {DOOR} --token-file FILE" in text(page) and found(made, secret)
    assert page.headers["cache-control"] == "no-store"
    for client in (browser(made, ann), browser(made, olga)):
        assert all(secret not in client.get(page).text for page in ("/team", "/my-bots/rocket", "/account"))
    assert secret not in programs(made, ann).get("bots").text
    kept = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert kept and not any(secret.encode() in data for data in kept)
    own = {"Authorization": f"Bearer {secret}"}
    api = TestClient(made.served(), base_url="http://127.0.0.1:8000/api/v1", headers=own)
    asked = [api.get("bots"), api.get("submissions"), api.post("bots/rocket/token", json={}), api.get("examiner/terms")]
    assert [answer.status_code for answer in asked] == [403] * 4


def test_another_team_and_visitors_reach_no_bot_that_dials_in_and_an_organiser_only_looks(
    made: Made, ann: Member, bob: Member, olga: Member
) -> None:
    secret = register(made.contest, ann, "rocket")
    visitor = TestClient(made.served(), base_url="http://127.0.0.1:8000/api/v1")
    for client, expected in ((visitor, 401), (programs(made, bob), 404), (programs(made, olga), 404)):
        answers = [client.post("bots/rocket/token", json={}), client.delete("bots/rocket/token")]
        assert [answer.status_code for answer in answers] == [expected] * 2
    for page in (browser(made, bob), browser(made, olga)):
        assert page.post("/my-bots/rocket/token").status_code == 404
        assert page.post("/my-bots/rocket/token/revoke").status_code == 404
    assert browser(made, bob).get("/my-bots/rocket").status_code == 404
    assert programs(made, bob).get("bots").json()["bots"] == []
    shown = browser(made, olga).get("/my-bots/rocket")
    assert "Never seen" in text(shown) and "another token" not in text(shown)
    assert not found(made, secret).revoked


def test_its_page_says_whether_a_bot_is_there_and_why_it_plays_no_longer(
    made: Made, ann: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(made.contest, ann, "rocket")
    output = made.contest.ladder.output
    output.mkdir(parents=True)
    table = BotTable(path=f"{REMOTE}rocket")
    Trail(output).decide(
        "add", "it has dialled in", joining(table, Entrant(BotVersion("rocket", "1", "")), "reds/rocket")
    )
    assert dials_in(made, ann).state is DialState.UNKNOWN, "the ladder does not run"
    monkeypatch.setattr(remote_bots, "holder", lambda _: 1)
    assert (dials_in(made, ann).state, dials_in(made, ann).version) == (DialState.ONLINE, "1")
    (output / ABSENCES).write_text(json.dumps({"rocket": "2030-03-17T17:00:00+00:00"}))
    assert dials_in(made, ann).away_since == datetime(2030, 3, 17, 17, tzinfo=UTC)
    assert "Away, seen last 2030-03-17 17:00 UTC" in " ".join(text(browser(made, ann).get("/my-bots/rocket")).split())
    Trail(output).decide("withdraw", "it cheats", withdrawing(BotVersion("rocket", "1")))
    assert (dials_in(made, ann).state, dials_in(made, ann).reason) == (DialState.ENDED, "it cheats")
    assert [*complaints(made.contest)] == []


def test_a_token_ends_with_its_time_its_accounts_standing_and_its_place_in_the_team(made: Made) -> None:
    people = [made.person(name, f"{name}s") for name in ("ann", "bob", "cat", "dan")]
    secrets = [register(made.contest, one, f"{one.handle}-bot", days=2) for one in people]
    ann, bob, cat, _ = people
    Decider(made.contest, "olga").suspend("bob", "why")
    with made.contest.store.writing() as connection:
        assert cat.team
        leave_team(connection, cat.team, cat.account, made.clock.now)
    Handover(made.contest).step()
    assert [bool(found(made, secret).revoked) for secret in secrets] == [False, True, True, False]
    Decider(made.contest, "olga").restore("bob", "sorry")
    made.clock.now += 2 * DAY_S
    Handover(made.contest).step()
    assert all(found(made, secret).revoked for secret in secrets)
    assert (ann.handle, bob.handle) == ("ann", "bob")


def test_a_bot_that_is_disqualified_has_no_token_and_gets_none(made: Made, ann: Member) -> None:
    secret = register(made.contest, ann, "rocket")
    Decider(made.contest, "olga").disqualify("rocket", "cheated")
    Handover(made.contest).step()
    assert found(made, secret).revoked
    with pytest.raises(StateError, match="the bot rocket is disqualified"):
        renew(made.contest, ann, "rocket")


def test_a_name_is_for_archives_or_for_dialling_in_and_of_one_team(made: Made, ann: Member, bob: Member) -> None:
    register(made.contest, ann, "rocket")
    with pytest.raises(StateError, match="rocket dials in, so no archive"):
        made.enter(ann, bot_archive("1", "rocket"), "rocket")
    with pytest.raises(StateError, match="belongs to another team"):
        register(made.contest, bob, "rocket")
    made.enter(ann, bot_archive())
    with pytest.raises(StateError, match="has the bot mine already"):
        register(made.contest, ann, "mine")
    with pytest.raises(StateError, match="and 2 may be entered"):
        register(made.contest, ann, "third")
    with pytest.raises(StateError, match="belongs to another team"):
        made.enter(bob, bot_archive("1", "rocket"), "rocket")


def test_a_bot_that_dials_in_has_no_name_that_looks_like_another_of_its_team(made: Made, ann: Member) -> None:
    made.enter(ann, bot_archive())
    with pytest.raises(StateError, match="your team has the bot M1NE already"):
        register(made.contest, ann, "M1NE")


def test_no_bot_is_added_to_dial_in_while_no_phase_is_open(made: Made, ann: Member) -> None:
    made.clock.now += 10**7
    with pytest.raises(StateError, match="no phase is open"):
        register(made.contest, ann, "rocket")
    assert Visible(made.contest, ann).bots() == []


def test_an_archive_that_failed_is_refused_if_its_own_team_lets_that_name_dial_in_by_then(
    made: Made, ann: Member
) -> None:
    submission = made.enter(ann, bot_archive())
    for _ in range(MOST_TRIES):
        give_back(made.contest, made.leased())
    register(made.contest, ann, "mine")
    Decider(made.contest, "olga").requeue(submission, "the machine was full")
    made.accept()
    found = Visible(made.contest, ann).submission(submission)
    assert (found.state, found.sentence) == ("refused", "mine dials in by now, so no archive of it is taken")


def test_an_archive_that_waits_is_refused_if_its_name_dials_in_by_then(made: Made, ann: Member, bob: Member) -> None:
    submission = made.enter(ann, bot_archive())
    register(made.contest, bob, "mine")
    made.accept()
    assert "belongs to another team" in Visible(made.contest, ann).submission(submission).sentence


def test_what_cannot_be_handed_to_the_ladder_is_said_and_handed_over_later(
    made: Made, ann: Member, tmp_path: Path
) -> None:
    (tmp_path / "tokens.json").write_text("damaged")
    with pytest.raises(NoSpaceError, match="renew it later"):
        register(made.contest, ann, "rocket")
    (tmp_path / "tokens.json").unlink()
    Handover(made.contest).step()
    assert handed(made).owner_of("rocket") == "reds"


def test_without_its_table_no_bot_dials_in(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup")
    ann = made.person("ann", "reds")
    assert "no bot can dial in here" in programs(made, ann).post("bots", json={"name": "rocket"}).json()["detail"]
    assert "dials in" not in browser(made, ann).get("/team").text


def test_a_renewed_token_needs_a_bot_that_dials_in(made: Made, ann: Member) -> None:
    made.playing(ann)
    answer = programs(made, ann).post("bots/mine/token", json={})
    assert (answer.status_code, "it is entered as archives" in answer.json()["detail"]) == (409, True)
    with pytest.raises(StateError, match="no token that is valid"):
        revoke(made.contest, "mine")


@pytest.mark.parametrize(
    "address", ["cup.example.org", "cup.example.org:0", ":7433", "a b:1", "https://x:1", "x:99999"]
)
def test_a_door_that_is_none_is_refused(tmp_path: Path, address: str) -> None:
    made_in(tmp_path / "cup")
    file = tmp_path / "cup" / "contest.toml"
    file.write_text(f'{file.read_text()}\n[remote]\naddress = "{address}"\n')
    with pytest.raises(ContestFileError, match="it must be HOST:PORT"):
        read_contest_file(file)
