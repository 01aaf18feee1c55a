"""The tables of the reference bots, which a program writes into the document."""

from pathlib import Path

import pytest

from tests.bots_sdk.ladder import LADDERS, MARK, SOLO, replaced

DOCUMENT = Path(__file__).parents[2] / "docs" / "pages" / "reference" / "bots.md"
NAMES = [*LADDERS, *(f"{game} alone" for game in SOLO)]


@pytest.mark.parametrize("name", NAMES)
def test_a_table_takes_the_place_of_the_one_before_and_of_no_other(name: str) -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    made = replaced(document, name, ["| | one |", "| --- | --- |", "| a | b |"])
    before, _, after = made.partition(f"{MARK.format(name)}\n\n| | one |\n| --- | --- |\n| a | b |\n\n")
    assert document.startswith(before) and document.endswith(after) and after
    assert replaced(made, name, ["| c |"]) == replaced(document, name, ["| c |"])


def test_a_document_without_a_place_for_a_table_is_named() -> None:
    with pytest.raises(SystemExit, match=r"has no line <!-- made by .* chess -->"):
        replaced("", "chess", [])
