"""What programs read: the JSON forms keep to the schemas that come with the package."""

import json

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from ballcourt.arena.files import PACKAGE
from ballcourt.arena.printable import as_json
from ballcourt.leaderboard.results import MatchResult
from ballcourt.leaderboard.standings import board, by_ladder
from ballcourt.leaderboard.tables import to_json
from tests.leaderboard.made import alone, match, random_tables

CHANCE = np.random.default_rng(4)
FIELDS = {
    "none": [],
    "one": [match("m", "ann")],
    "solo": [alone("d", "ann", 6), alone("d", "bob", 2)],
    "cycles": random_tables(CHANCE, bots=6, seats=2, blocks=300),
    "many": random_tables(CHANCE, bots=50, seats=4, blocks=60),
}


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((PACKAGE / "leaderboard" / "schemas" / f"{name}.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("field", FIELDS)
def test_the_json_of_a_leaderboard_keeps_to_its_schema(field: str) -> None:
    matches: list[MatchResult] = FIELDS[field]
    written = json.loads(as_json(to_json({ladder: board(played) for ladder, played in by_ladder(matches).items()})))
    validator("leaderboard").validate(written)
    assert len(written["ladders"]) == (field != "none")


def test_the_schema_refuses_what_programs_could_not_read() -> None:
    written = to_json({ladder: board(played) for ladder, played in by_ladder(FIELDS["one"]).items()})
    assert validator("leaderboard").is_valid(written)
    del written["ladders"][0]["standings"][0]["rating"]
    assert not validator("leaderboard").is_valid(written)
