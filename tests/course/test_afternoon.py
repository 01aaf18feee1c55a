"""The tutorial about a course leads to signed finals, whatever some students send; `python -m tests.course` has 30."""

from pathlib import Path

import pytest

from tests.arena.conftest import need_sandbox
from tests.course.afternoon import spend, students


@pytest.mark.slow
def test_a_course_with_hostile_students_gets_from_a_new_contest_to_signed_finals(tmp_path: Path) -> None:
    need_sandbox()
    found = spend(tmp_path, students(5))
    honest = ("student-1", "student-2")
    assert found.states == {"floods": "refused", "hangs": "refused"} | dict.fromkeys(("looks", *honest), "playing")
    assert all(found.reports[one] for one in ("floods", "hangs"))
    assert found.found.startswith("found []"), found.found
    assert found.entrants == ["reds", "team-looks", *(f"team-{one}" for one in honest)]
    assert "all 12 matches are there" in found.verified and "signature: by" in found.verified
