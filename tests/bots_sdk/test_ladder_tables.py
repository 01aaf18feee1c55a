"""The tables of the reference bots, which a program writes into the document."""

from pathlib import Path

import pytest

from tests.bots_sdk import rungs
from tests.bots_sdk.ladder import LADDERS, MARK, SOLO, replaced

DOCUMENT = Path(__file__).parents[2] / "docs" / "pages" / "reference" / "bots.md"
MARKS = [
    *(MARK.format(name) for name in (*LADDERS, *(f"{game} alone" for game in SOLO))),
    *map(rungs.MARK.format, LADDERS),
]


@pytest.mark.parametrize("mark", MARKS)
def test_a_table_takes_the_place_of_the_one_before_and_of_no_other(mark: str) -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    made = replaced(document, mark, ["| | one |", "| --- | --- |", "| a | b |"])
    before, _, after = made.partition(f"{mark}\n\n| | one |\n| --- | --- |\n| a | b |\n\n")
    assert document.startswith(before) and document.endswith(after) and after
    assert replaced(made, mark, ["| c |"]) == replaced(document, mark, ["| c |"])


def test_a_document_without_a_place_for_a_table_is_named() -> None:
    with pytest.raises(SystemExit, match=r"has no line <!-- made by .* chess -->"):
        replaced("", MARK.format("chess"), [])
