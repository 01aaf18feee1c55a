"""What a replay says in a browser besides its boards: faults, thoughts, judgements, points, words and pictures."""

from pathlib import Path

import pytest

from tests.arena.replays.matches import NAMES
from tests.arena.replays.test_page import HOSTILE
from tests.arena.replays.viewer.pages import SPOILED, Viewer
from tests.words import faults_of

pytestmark = pytest.mark.slow


ALL_LINES = """() => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  const slider = document.querySelector("[data-part=slider]");
  const lines = new Set();
  for (let step = 0; step <= Number(slider.max); step++) {
    slider.value = step;
    slider.dispatchEvent(new Event("input"));
    for (const part of ["main", "header"])
      document.querySelector(part).innerText.split("\\n").forEach((line) => lines.add(line));
  }
  return [...lines];
}"""
"""Returns the lines that a replay shows at all of its steps."""


@pytest.mark.parametrize("name", [*NAMES, "bluff", "judged", "lost"])
def test_the_words_of_each_step_are_right(viewer: Viewer, name: str) -> None:
    viewer.open(name)
    wrong = {fault for line in viewer.tab.evaluate(ALL_LINES) for fault in faults_of(line)}
    assert not wrong, "\n".join(sorted(wrong))


def test_a_lost_seat_is_marked_and_explained(viewer: Viewer) -> None:
    viewer.open("lost", "#0/all")
    assert viewer.tab.locator(".chart .fault.p1").count() == 1
    assert "the seat is vacant" in viewer.text("log")
    viewer.press("End")
    assert "crash: it left" in viewer.text("players")
    viewer.tab.select_option("[data-part=observer]", "1")
    assert viewer.tab.locator(".chart .fault").count() == 0
    assert "it left" not in viewer.tab.inner_text("body")


def test_a_failed_start_that_was_tolerated_is_marked_at_the_beginning_and_explained_to_its_seat(viewer: Viewer) -> None:
    viewer.open("restarted", "#0/all")
    mark = viewer.tab.locator(".chart .tolerated.p2")
    assert (mark.count(), mark.get_attribute("x1")) == (1, "0")
    sentence = "lowest 1 failed to start, started again: it had no memory"
    assert sentence in viewer.text("said")
    assert sentence in viewer.text("log")
    viewer.press("End")
    assert sentence not in viewer.text("said")
    viewer.tab.select_option("[data-part=observer]", label="lowest 1 (player 1)")
    assert viewer.tab.locator(".chart .tolerated").count() == 0
    assert "it had no memory" not in viewer.tab.inner_text("body")


def test_a_fault_that_was_tolerated_is_marked_and_explained_to_its_seat(viewer: Viewer) -> None:
    viewer.open("lost", "#2/all")
    assert viewer.tab.locator(".chart .tolerated.p1").count() == 1
    sentence = "illegal, asked again: it bid 9"
    assert sentence in viewer.text("said")
    assert sentence in viewer.text("log")
    viewer.tab.select_option("[data-part=observer]", label="lowest 1 (player 1)")
    assert viewer.tab.locator(".chart .tolerated").count() == 0
    assert "it bid 9" not in viewer.tab.inner_text("body")


def test_a_position_can_be_read_as_words(viewer: Viewer) -> None:
    viewer.open("tzolkin-4", "#100/all")
    viewer.tab.click("summary")
    viewer.tab.wait_for_selector("[data-part=text]:not(:empty)")  # filled by an event that comes after the click
    words = viewer.text("text")
    assert "worker of random 1" in words
    assert "Round " in words


def test_hostile_names_and_thoughts_are_only_text(viewer: Viewer) -> None:
    viewer.open("hostile", "#3/all")
    assert viewer.tab.locator("img").count() == 0
    shown = viewer.tab.inner_text("body")
    assert "</script><img src=x" in shown
    assert "\\u202e\\u001b[31m" in shown
    assert not {"\u202e", "\x1b"} & set(shown)
    assert HOSTILE not in shown


def test_scenes_that_the_drawing_of_their_game_does_not_know_are_drawn_plainly(viewer: Viewer) -> None:
    viewer.open("strange", "#60")
    assert "high" in viewer.text("board")
    viewer.press("End")
    assert "The match is over" in viewer.text("said")


def test_what_a_judge_liked_better_stands_beside_the_decision(viewer: Viewer) -> None:
    viewer.open("judged", "#2")
    assert "an oracle liked better:" in viewer.text("said")
    assert "Bid 1 0.50 (400 tries)" in viewer.text("said")
    viewer.open("judged", "#1")
    assert "liked better" not in viewer.text("said")
    courses = viewer.tab.eval_on_selector_all("[data-part=course] option", "all => all.map(one => one.textContent)")
    assert courses[:4] == ["points", "chance to win", "expected place", "expected points"]
    viewer.tab.select_option("[data-part=course]", "expected place")
    assert viewer.tab.get_attribute(".chart", "aria-label") == "expected place from 3 to 1 over 9 decisions"


def test_the_score_sheet_adds_up_to_the_points(viewer: Viewer) -> None:
    viewer.open("tzolkin-4", "#9999")
    numbers = "all => all.map(one => Number(one.textContent.replace('\\u2212', '-')))"
    scores = viewer.tab.eval_on_selector_all(".player .score", numbers)
    cells = viewer.tab.eval_on_selector_all(".sheet tr:last-child td", numbers)
    assert cells == pytest.approx(scores)


def test_the_points_of_a_player_by_source_are_areas_that_add_up_to_them(viewer: Viewer) -> None:
    viewer.open("maya-4", "#9999")
    viewer.tab.select_option("[data-part=course]", index=1)
    names = viewer.tab.eval_on_selector_all(".chart .area title", "all => all.map(one => one.textContent)")
    assert sorted(names) == ["cities", "plantations"]
    tops = "all => all.map(one => Math.min(...one.getAttribute('points').split(/[ ,]/).filter((_, at) => at % 2)))"
    highest = viewer.tab.eval_on_selector_all(".chart .area", tops)
    assert min(highest) == pytest.approx(6), "the top of the chart is what the player has in all"
    assert len({*highest}) == 2


def test_a_position_is_saved_as_a_picture(viewer: Viewer) -> None:
    viewer.open("tzolkin-4", "#40")
    viewer.tab.click("summary:text('Share')")
    with viewer.tab.expect_download() as download:
        viewer.tab.click("[data-part=picture]")
    assert download.value.suggested_filename == "tzolkin-4-40.png"
    content = Path(download.value.path()).read_bytes()
    assert content.startswith(b"\x89PNG")
    assert len(content) > 50_000  # an empty board takes less


def test_a_picture_shows_what_moves_on_the_page_at_its_end(viewer: Viewer) -> None:
    viewer.open("ahau-3", "#9999")
    viewer.tab.click("summary:text('Share')")
    pictures = []
    for _ in range(2):
        with viewer.tab.expect_download() as download:
            viewer.tab.click("[data-part=picture]")
        pictures.append(Path(download.value.path()).read_bytes())
        rested = "all => all.map(one => one.classList.remove('played')).length"
        assert viewer.tab.eval_on_selector_all(".card-of-hand.played", rested) == (6 if len(pictures) == 1 else 0)
    assert pictures[0] == pictures[1]


def test_the_turn_that_is_shown_is_saved_as_a_film_and_the_position_stays(viewer: Viewer) -> None:
    for step, name in ((2, "match-1-2.webm"), (9, "match-8-9.webm")):
        viewer.open("bluff", f"#{step}")
        viewer.tab.click("summary:text('Share')")
        with viewer.tab.expect_download() as download:
            viewer.tab.click("[data-part=film]")
        assert download.value.suggested_filename == name
        film = Path(download.value.path()).read_bytes()
        assert film.startswith(b"\x1aE\xdf\xa3"), "the sign of Matroska files"
        assert len(film) > 1000, "a film without pictures has 110 bytes"
        assert viewer.where().startswith(f"{step} / ")


@pytest.mark.parametrize("name", SPOILED)
def test_a_picture_and_a_film_of_what_a_stranger_spoiled_are_saved_or_refused(viewer: Viewer, name: str) -> None:
    viewer.open(name, "#2")
    viewer.tab.click("summary:text('Share')")
    for part, sign in (("picture", b"\x89PNG"), ("film", b"\x1aE\xdf\xa3")):
        with viewer.tab.expect_download() as download:
            viewer.tab.click(f"[data-part={part}]")
        assert "/" not in download.value.suggested_filename
        content = Path(download.value.path()).read_bytes()
        assert content.startswith(sign)
        assert len(content) < 20 << 20
