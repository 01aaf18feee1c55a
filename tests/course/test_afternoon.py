"""The tutorial about a course leads to signed finals, whatever some students send; `python -m tests.course` has 30."""

from collections.abc import Iterator

import pytest

from tests.arena.conftest import folder_of_all, need_sandbox
from tests.browser import chromium
from tests.course.afternoon import FOREIGN, HOSTILE, IN_BROWSER, Afternoon, spend, students
from tests.languages.test_languages import need_tools

pytestmark = [pytest.mark.slow, pytest.mark.languages]
STUDENTS = 10
"""Their finals grow with the square of their number."""


@pytest.fixture(scope="module")
def afternoon() -> Iterator[Afternoon]:
    need_sandbox()
    with folder_of_all() as place:
        yield spend(place, students(STUDENTS))


def test_a_course_with_hostile_students_gets_from_a_new_contest_to_signed_finals(afternoon: Afternoon) -> None:
    honest = [one.handle for one in students(STUDENTS) if one.handle not in HOSTILE]
    assert len(honest) == STUDENTS - 3
    assert afternoon.states == {"floods": "refused", "hangs": "refused"} | dict.fromkeys(("looks", *honest), "playing")
    assert all(afternoon.reports[one] for one in ("floods", "hangs"))
    assert afternoon.found.startswith("found []"), afternoon.found
    assert afternoon.entrants == sorted(["reds", "team-looks", *(f"team-{one}" for one in honest)])
    assert "matches are there" in afternoon.verified and "signature: by" in afternoon.verified


@pytest.mark.parametrize("language", FOREIGN)
def test_a_student_who_writes_in_another_language_plays_along(afternoon: Afternoon, language: str) -> None:
    need_tools(language)
    assert afternoon.states[language] == "playing", afternoon.reports[language]


def test_a_student_with_nothing_but_a_browser_plays_along(afternoon: Afternoon) -> None:
    if not afternoon.used_browser:
        with chromium():  # says what is missing
            pass
    assert afternoon.states[IN_BROWSER] == "playing"
