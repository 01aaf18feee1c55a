"""What links to pages look like elsewhere: each page has a title, words, and a picture of its game."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ballcourt.arena.printable import values_of
from ballcourt.arena.replays.page import picture_of
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.events import MatchStarted
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.live import Live
from ballcourt.leaderboard.pages.rendering import Surroundings
from ballcourt.leaderboard.pages.site import write_site
from tests.arena.tournament.in_process import events
from tests.leaderboard.pages.cup import Cup
from tests.leaderboard.pages.made_site import Site, bluff, filled, site_at

TAGS = re.compile(r'<meta property="og:(\w+)"\s+content="([^"]*)">')
BOTS = ("ann=random", "bob=random", "cid=random")
MOST_BYTES = 80_000


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("previews") / "cup"
    folder.mkdir()
    list(events(folder, Event().replaced(game="maya", bots=BOTS, seats=2, format="single-elimination", seed=1)))
    with site_at(str(folder), folder.parent) as site:
        yield site


def tags_of(text: str) -> dict[str, str]:
    return {name: " ".join(unescape(value).split()) for name, value in TAGS.findall(text)}


def size_of(png: bytes) -> tuple[int, int]:
    """Return the width and the height of a picture, which its first chunk has."""
    assert png.startswith(b"\x89PNG")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_each_page_is_previewed_with_a_picture_of_its_game_and_with_who_leads(cup: Site) -> None:
    match = next(iter(cup.database.results()))
    page = cup.views.summary.placing
    assert page
    champion = page.bots[page.placing.places[0].entrant].name
    winner = next(seat for seat in match.seats if seat.placement == 1)
    ladder = cup.views.ladders()[0].id
    pages = {
        "/": f"Champion: {champion}",
        "/tournament": "single-elimination, 3 bots",
        cup.bot(champion): "Maya, 2 players: rank ",
        f"/matches/{match.identity}": f"1. {winner.entrant} {winner.score:g}",
        f"/ladders/{ladder}": "cup",
        "/matches": "cup",
    }
    for address, words in pages.items():
        found = tags_of(cup.get(address).text)
        assert words in found["description"], address
        assert found["title"], address
        picture = cup.client.get(found["image"])
        assert found["image"].startswith("http://127.0.0.1:8000/"), "an address without a host shows nothing elsewhere"
        assert (picture.headers["content-type"], size_of(picture.content)) == ("image/png", (1200, 630))


def test_a_preview_has_the_address_of_the_site_and_not_that_of_the_server_behind_it(cup: Site) -> None:
    around = Surroundings(name="Spring Cup", url="https://cup.example", hosts=("cup.example",))
    client = TestClient(create_app(cup.views, None, around), base_url="http://127.0.0.1:8000")
    assert tags_of(client.get("/").text)["image"] == "https://cup.example/static/maya.png"


def test_a_page_is_kept_for_each_name_of_its_site(cup: Site) -> None:
    addresses = {tags_of(cup.client.get(f"http://{host}/").text)["image"] for host in ("127.0.0.1", "localhost")}
    assert addresses == {"http://127.0.0.1/static/maya.png", "http://localhost/static/maya.png"}


def test_a_match_that_is_being_played_is_previewed_too(tmp_path: Path) -> None:
    with bluff():
        running = Cup(tmp_path / "cup")
        with running.held(), site_at(str(running.folder), tmp_path) as site:
            running.log(values_of(MatchStarted("m1", "maya", BOTS)))
            client = TestClient(create_app(site.views, Live(running.folder)), base_url="http://127.0.0.1:8000")
            assert tags_of(client.get("/matches/m1").text)["image"] == "http://127.0.0.1:8000/static/maya.png"


def test_a_game_without_a_picture_has_none_in_its_previews(tmp_path: Path) -> None:
    with bluff(), site_at(str(filled(tmp_path / "cup")), tmp_path) as site:
        assert all("image" not in tags_of(site.get(address).text) for address in ("/", "/matches/m1"))
        assert site.get("/static/bluff.png").status_code == site.get("/static/none.png").status_code == 404
        assert site.get("/static/site.css").status_code == 200


def test_a_site_of_files_has_the_pictures_of_its_previews(cup: Site, tmp_path: Path) -> None:
    write_site(cup.views, tmp_path / "public", replays=1)
    pages = [*(tmp_path / "public").rglob("*.html")]
    assert len(pages) > 5
    for page in pages:
        image = tags_of(page.read_text(encoding="utf-8"))["image"]
        assert size_of((page.parent / image).read_bytes()) == (1200, 630), page


def test_the_picture_of_each_game_is_small() -> None:
    for game in ("ahau", "maya", "tzolkin"):
        path = picture_of(game)
        assert path
        assert path.stat().st_size <= MOST_BYTES
