"""An anonymous board: tables under aliases, to all but organisers, until the phase closes."""

import pickle
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.responses import PlainTextResponse

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.records.store import write_record
from ballcourt.contest.aliases import KEY, Aliases
from ballcourt.contest.settings import at_time
from ballcourt.contest.visible import Visible
from ballcourt.contest.web.embargo import Embargo, without_matches
from ballcourt.contest.web.visits import around
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.live import Live
from ballcourt.leaderboard.pages.summaries import Summary, bot_id, renamed
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import wait_until
from tests.arena.recorded import recorded
from tests.contest.made import NOON, Made, bot_archive
from tests.contest.test_embargo import BOARD, HERE, MOVES, made_with, sees
from tests.leaderboard.pages.made_site import Site, bluff, routes, site_at
from tests.leaderboard.pages.test_app import reached

BOTS = {"vermilion": "red-team", "crimson": "blue-team", "random": "arena"}
"""The bots of the matches, and who owns them; the last is a resident of the ladder."""
SECRETS = re.compile("vermilion|crimson|red-team|blue-team|7\\.7\\.7|facade")
"""What only organisers may see: names, owners, versions, hashes, but for those of the resident."""


def test_an_alias_is_the_same_in_a_phase_and_another_one_in_the_next(tmp_path: Path) -> None:
    made = made_with(tmp_path / "cup", board="anonymous")
    phase, bot = made.contest.settings.phase[0], BotVersion("vermilion", "1", "0" * 64)
    first = Aliases(made.contest, phase).of(bot)
    assert re.fullmatch("bot-[0-9a-f]{12}", first.name) and (first.version, first.content_hash) == ("", "")
    assert Aliases(made.contest, phase).of(bot) == first
    others = [
        Aliases(made.contest, phase.replaced(name="next")).of(bot),
        Aliases(made.contest, phase).of(replace(bot, version="2")),
    ]
    assert first not in others, "other phases and other versions"
    key = made.contest.files / KEY
    assert key.stat().st_mode & 0o077 == 0
    key.unlink()
    assert Aliases(made.contest, phase).of(bot) != first, "without the key it cannot be guessed"


def test_an_anonymous_board_shows_tables_and_no_matches(tmp_path: Path) -> None:
    made = made_with(tmp_path / "cup", board="anonymous")
    embargo = Embargo(made.contest, PlainTextResponse("live"))
    ann, olga = sees(made, embargo, made.person("ann")), sees(made, embargo, made.person("olga", organiser=True))
    tables = [address for address in BOARD if not address.endswith("matches")]
    assert {ann.get(address).status_code for address in tables} == {503}, "they have no aliases yet"
    embargo.anonymous = "training", PlainTextResponse("aliases")
    assert {ann.get(address).text for address in tables} == {"aliases"}
    refused = [*MOVES, "/matches", "/api/matches", "/api/matches.csv", "/bots/x/against/y", "/tournament", "/new"]
    assert {ann.get(address).status_code for address in refused} == {403}
    assert {olga.get(address).text for address in (*tables, *refused)} == {"live"}
    made.clock.now += 10**6
    assert {ann.get(address).text for address in (*tables, *refused)} == {"live"}


def test_a_team_reads_its_aliases_by_the_api_until_the_phase_closes(tmp_path: Path) -> None:
    made = made_with(tmp_path / "cup", board="anonymous")
    ann = made.person("ann", "reds")
    submission = made.playing(ann)
    made.clock.now += 1
    waiting = made.enter(ann, bot_archive("2"))
    client = TestClient(made.served(), headers={"Authorization": f"Bearer {made.token(ann)}"}, base_url=HERE)
    alias = Aliases(made.contest, made.contest.settings.phase[0])
    found = alias.of(Visible(made.contest, ann).submission(submission).entrant).name

    def shown() -> list[str]:
        listed = client.get("/api/v1/submissions").json()["submissions"]
        return [one["alias"] for one in listed]

    assert shown() == ["", found], "what was not examined has none"
    assert client.get(f"/api/v1/submissions/{submission}").json()["alias"] == found
    assert client.get(f"/api/v1/submissions/{waiting}").json()["alias"] == ""
    made.clock.now += 10**6
    assert shown() == ["", ""]


@pytest.mark.slow
def test_only_organisers_see_names_while_a_board_is_anonymous(tmp_path: Path) -> None:
    made = anonymous(tmp_path / "cup")
    ann, bob, olga = (
        made.person("ann", "red-team"),
        made.person("bob", "blue-team"),
        made.person("olga", organiser=True),
    )
    made.playing(ann, "vermilion", content_hash=hash_of("vermilion"))
    with played(tmp_path) as site, without_matches(site.views.source) as nameless:
        live = create_app(site.views, Live(site.folder), around(made.contest))
        embargo = Embargo(made.contest, live)
        embargo.give_aliases(site.views, nameless)
        clients = [sees(made, embargo, who) for who in (None, bob, ann, olga)]
        for address in addresses(site, nameless.bots()):
            seen = [client.get(address) for client in clients[:3]]
            assert {answer.status_code for answer in seen} <= {200, 403, 404, 422}, address
            for answer in seen:
                assert not SECRETS.search(f"{answer.text} {dict(answer.headers)}"), address
        visitor, _, own, organiser = clients
        assert not any(re.match("/matches|/bots/.*/against/|/ladders/.*/openings", link) for link in reached(visitor))
        table = visitor.get("/").text
        (alias,) = re.findall("<code>(bot-[0-9a-f]{12})</code>", own.get("/my-bots/vermilion").text)
        assert alias in table and "random" in table and "until phase training closes" in table
        assert visitor.get(f"/bots/{bot_id(BotVersion(alias, '', ''))}").status_code == 200
        (ladder,) = site.views.summary.ladders
        assert "No bot has these words" in visitor.get(f"/ladders/{ladder}?q=vermilion").text
        assert SECRETS.search(organiser.get("/").text)
        made.clock.now += 10**6
        assert "crimson" in visitor.get("/").text and alias not in visitor.get("/").text
        assert "<code>bot-" not in own.get("/my-bots/vermilion").text


@pytest.mark.slow
def test_the_copy_of_a_freeze_has_aliases_too(tmp_path: Path) -> None:
    made = anonymous(tmp_path / "cup", freeze=at_time(NOON + 10))
    with played(tmp_path) as site, without_matches(site.views.source) as nameless, ExitStack() as copies:
        embargo = Embargo(made.contest, create_app(site.views))
        visitor = sees(made, embargo, None)
        embargo.give_aliases(site.views, nameless)
        before = visitor.get("/api/leaderboard").json()["ladders"][0]["standings"]
        made.clock.now += 1000
        assert visitor.get("/").status_code == 503, "later results are not shown while the copy is being made"
        embargo.freeze(site.views, copies)
        assert wait_until(lambda: visitor.get("/").status_code == 200)
        page = visitor.get("/").text
        assert "frozen as of" in page and not SECRETS.search(page)
        assert visitor.get("/api/leaderboard").json()["ladders"][0]["standings"] == before
        assert visitor.get("/api/matches").status_code == 403


@pytest.mark.slow
def test_renamed_tables_hold_no_name_at_all(tmp_path: Path) -> None:
    made = anonymous(tmp_path / "cup")
    with played(tmp_path) as site:
        rename = Aliases(made.contest, made.contest.settings.phase[0]).of
        found = pickle.dumps(renamed(site.views.summary, rename, "1", ""))
        assert b"bot-" in found and not SECRETS.search(found.decode("latin-1"))


def anonymous(folder: Path, **changes: object) -> Made:
    made = made_with(folder, board="anonymous", **changes)
    return replace(made, contest=replace(made.contest, ladder=made.contest.ladder.replaced(residents=("random",))))


@contextmanager
def played(folder: Path) -> Iterator[Site]:
    """Show the results of two matches."""
    output = folder / "results"
    (output / "records").mkdir(parents=True)
    with bluff():
        for number in range(2):
            write_record(output / "records", match(f"b{number:06}-r0", number))
        with site_at(str(output), folder) as site:
            yield site


def match(key: str, seed: int) -> MatchRecord:
    record = recorded(key, seed)
    for entrant, (name, owner) in zip(record.entrants, BOTS.items(), strict=True):
        entrant.name, entrant.owner, entrant.content_hash = name, owner, hash_of(name)
        entrant.version = "7.7.7" if name == "crimson" else "1"
    return record


def hash_of(name: str) -> str:
    return ("0" * 8 if name == "random" else "facade00") + sha256(name.encode()).hexdigest()[8:]


def addresses(site: Site, bots: list[str]) -> Iterator[str]:
    """Yield every address of the pages, with what is there: bots by their own ids and by those of their aliases."""
    app = create_app(site.views, Live(site.folder))
    ladder, (own, rival, *_) = next(iter(site.views.summary.ladders)), site.views.bots()
    for one, other in ((own, rival), (bots[0], bots[1])):
        given = {"ladder": ladder, "bot": one, "rival": other, "name": "b000000-r0"}
        for route in routes(app):
            if route.path != "/healthz":
                yield route.path.format(**given)
        yield from (f"{page}?bot={one}" for page in ("/matches", "/api/matches", f"/ladders/{ladder}/openings"))
    yield from ("/openapi.json", f"/ladders/{ladder}?sort=bot", "/matches?bot=vermilion", "/bots/vermilion")


def test_an_anonymous_board_does_not_call_tables_broken_that_are_being_made_for_the_first_time() -> None:
    def same(bot: BotVersion) -> BotVersion:
        return bot

    first = renamed(Summary(trouble="0 of 58 records have been read"), same, "v", "why")
    later = renamed(Summary(at="2026-11-29 02:00 UTC", trouble="/home/olga/cup: no space left"), same, "v", "why")
    assert first.trouble == "they are being made; the organiser sees how far"
    assert later.trouble == "they cannot be made now; the organiser sees why"
