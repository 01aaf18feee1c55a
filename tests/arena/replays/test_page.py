"""The page of a replay as a file: one piece, small, safe."""

import gzip
import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

from ballcourt.arena.files import PACKAGE
from ballcourt.arena.replays.document import document, observers
from ballcourt.arena.replays.page import PageError, page, write_page
from ballcourt.arena.replays.story import short_text
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.recorded import recorded
from tests.arena.replays.matches import GAMES, NAMES, played
from tests.arena.replays.test_document import copied, view

HOSTILE = '</script><img src=x onerror="alert(1)">\u202e\x1b[31m'


def hostile(record: MatchRecord) -> MatchRecord:
    record = copied(record)
    record.key = HOSTILE
    for entrant in record.entrants:
        entrant.name = entrant.version = HOSTILE
    for number in range(len(record.decisions.seats)):
        record.decisions.thoughts[number] = HOSTILE
    return record


def whole(record: MatchRecord) -> str:
    return page([document(record, observer) for observer in observers(record)]).text


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), GAMES, ids=NAMES)
def test_all_views_of_a_long_match_fit_into_one_small_file(game: str, seats: int) -> None:
    text = whole(played(game, seats))
    assert len(text.encode()) < 400_000
    assert re.findall(r"(?:src|href)=[\"'](?!data:)|@import|url\(|https?://(?!www\.w3\.org/2000/svg)", text) == []


def test_the_policy_names_the_hashes_of_the_only_script_and_style() -> None:
    text = whole(recorded())
    policy = unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1])  # type: ignore[index]
    for kind, pattern in (("script", r'<script type="module">(.*?)</script>'), ("style", r"<style>(.*?)</style>")):
        (content,) = re.findall(pattern, text, re.DOTALL)
        assert f"{kind}-src 'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'" in policy
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")


def test_nothing_that_a_bot_wrote_becomes_markup() -> None:
    text = whole(hostile(recorded()))
    assert "<img" not in text
    assert "\u202e" not in text
    assert text.count("</script>") == 2


def test_a_link_to_a_replay_is_previewed_with_its_bots_and_result() -> None:
    tags = r'<meta property="og:(\w+)" content="([^"]*)">'
    found = dict(re.findall(tags, whole(recorded())))
    seats = document(recorded())["seats"]
    assert found["type"] == "article"
    assert found["title"].startswith(document(recorded())["title"])
    winner = next(seat for seat in seats if seat["placement"] == 1)
    assert f"1. {winner['bot']} {winner['version']} {winner['score']:g}" in found["description"]
    assert all(f"{seat['bot']} {seat['version']}" in found["title"] for seat in seats)
    strange = dict(re.findall(tags, whole(hostile(recorded()))))
    assert set(strange) == set(found), "what a bot is called ends no tag"
    assert not re.search("[<>\u202e\x1b]", "".join(strange.values()))


def test_a_person_is_called_by_name_without_the_version_that_records_give() -> None:
    record = copied(recorded())
    for entrant in record.entrants:
        entrant.name, entrant.version = "anna", "person"
    replay = document(record)
    assert any("anna (player 1) " in one["title"] for one in replay["turning_points"])
    assert not re.search("anna person", whole(record))
    assert "anna person" not in " ".join([*short_text(replay), *(one["title"] for one in replay["turning_points"])])


def test_the_page_carries_the_documents() -> None:
    record = recorded()
    (packed,) = re.findall(r'id="replays">([^<]*)<', whole(record))
    views = json.loads(gzip.decompress(b64decode(packed)))
    for one in views:
        one["steps"] = [known | step for known, step in zip(views[0]["steps"], one["steps"], strict=True)]
    assert views == [document(record, seat) for seat in (None, -1, 0, 1, 2)]


def test_views_carry_only_what_differs_from_the_first() -> None:
    record = recorded()
    (packed,) = re.findall(r'id="replays">([^<]*)<', whole(record))
    views = json.loads(gzip.decompress(b64decode(packed)))
    assert not any({"seat", "places"} & set(step) for one in views[1:] for step in one["steps"])


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=NAMES)
def test_the_modules_share_no_names(game: str, seats: int) -> None:
    """They become one script, in which a second definition would be an error."""
    for version in (view(game, seats)["rules_version"], "older"):
        text = page([{**view(game, seats), "rules_version": version}]).text
        (script,) = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
        names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", script, re.MULTILINE)
        assert len(names) > 30
        assert len(set(names)) == len(names)


def test_comments_of_scripts_and_styles_stay_at_home() -> None:
    text = page([view(*GAMES[0])]).text
    for element in ('<script type="module">', "<style>"):
        content = text.split(element)[1].split("</")[0]
        assert re.findall(r"^\s*(?://|/\*[^)]*$).*", content, re.MULTILINE) == []
    assert "\n* {\n  box-sizing" in text, "this is a rule of style"
    assert "/** @type {" in text, "what stands within a line stays"


def test_drawings_and_viewer_import_only_each_other() -> None:
    viewer = {path.resolve() for path in (PACKAGE / "arena" / "replays" / "static").glob("*.js")}
    drawings = {path.resolve() for path in (PACKAGE / "engine" / "games").glob("*/view/*.js")}
    assert {path.parents[1].name for path in drawings} == {game for game, _ in GAMES}
    imported = set()
    for path in viewer | drawings:
        lines = re.findall(r"^import .*", path.read_text(), re.MULTILINE)
        found = [re.fullmatch(r'import \{ [\w, ]+ \} from "([./\w]+\.js)";', line) for line in lines]
        targets = {(path.parent / line[1]).resolve() for line in found if line}
        assert all(found), path
        assert targets <= viewer | {other for other in drawings if other.parent == path.parent}, path
        imported |= targets
    assert imported & viewer and imported & drawings


def test_a_page_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    replays = [document(recorded())]
    write_page(tmp_path / "match.html", replays)
    assert (tmp_path / "match.html").read_text() == page(replays).text
    with pytest.raises(PageError, match="cannot be written"):
        write_page(tmp_path / "nowhere" / "match.html", replays)
    assert [path.name for path in tmp_path.iterdir()] == ["match.html"]
