"""`ballcourt study scaling`: from a bot to its curve."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Refused, Run

GAME = ("--game", "bluff", "--seats", "2", "--workers", "1", "--rounds", "1")


def test_a_bot_meets_itself_with_other_budgets_and_others(succeeds: Run, place: Path) -> None:
    asked = ("study", "scaling", "./low", *GAME, "--work", "5,20", "--against", "./any", "--output", "out")
    result = succeeds(*asked, "--json", "--plot", "curve.svg")
    found = json.loads(result.stdout)
    assert (found["format"], found["budget"]) == ("ballcourt-scaling-1", "work")
    assert [one["budget"] for one in found["curve"]] == [5, 20]
    assert {*found["opponents"]} == {"any"}
    assert "<svg" in (place / "curve.svg").read_text()
    assert re.search("points per doubling(, .* per doubling of think time)?; others: any", succeeds(*asked).stdout)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "give one of --work, --cap-ms and --argument"),
        (("--work", "5,20", "--cap-ms", "5,20"), "give one of --work, --cap-ms and --argument"),
        (("--work", "5"), "it is '5'; it must be two or more different numbers above 0"),
        (("--work", "5,5"), "it is '5,5'; it must be two or more"),
        (("--work", "0,5"), "it is '0,5'"),
        (("--cap-ms", "many,5"), "it is 'many,5'"),
        (("--argument", "depth"), "'depth' is not of the form NAME=N,N,..."),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(
    refused: Refused, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused("study", "scaling", "./low", *GAME, *arguments)
