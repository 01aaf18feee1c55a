"""The words on every page of a contest: plurals, minus signs, and no hash in the way."""

from pathlib import Path

from tests.contest.test_accessibility import all_pages
from tests.words import faults_of, read


def test_the_words_of_a_contest_are_right(tmp_path: Path) -> None:
    pages = all_pages(tmp_path)
    wrong = {f"{address}: {fault}" for address, page in pages.items() for fault in faults_of(read(page))}
    assert not wrong, "\n".join(sorted(wrong))
