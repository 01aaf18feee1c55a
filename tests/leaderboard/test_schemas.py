"""What programs read: the JSON forms keep to the schemas that come with the package."""

import json

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from ballcourt.arena.files import PACKAGE
from ballcourt.arena.printable import as_json
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.standings import board, by_ladder
from ballcourt.leaderboard.show.terminal import to_json
from ballcourt.leaderboard.studies import head_to_head, history, seats
from ballcourt.leaderboard.studies.head_to_head import duel
from ballcourt.leaderboard.studies.history import Unit, change
from tests.leaderboard.made import alone, entrant, match, random_tables

CHANCE = np.random.default_rng(4)
BOT = entrant("bot00")
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


@pytest.mark.parametrize("field", ["one", "solo", "many"])
def test_the_json_of_a_matrix_of_meetings_keeps_to_its_schema(field: str) -> None:
    ladders = by_ladder(FIELDS[field])
    pages = [head_to_head.to_json(ladder, head_to_head.head_to_head(played)) for ladder, played in ladders.items()]
    check("head-to-head", {"format": head_to_head.FORMAT, "ladders": pages})


@pytest.mark.parametrize(("field", "bots"), [("cycles", ("bot00", "bot01")), ("solo", ("ann", "bob"))])
def test_the_json_of_two_bots_in_detail_keeps_to_its_schema(field: str, bots: tuple[str, str]) -> None:
    one, other = map(entrant, bots)
    pages = [
        head_to_head.duel_json(ladder, duel(played, one, other)) for ladder, played in by_ladder(FIELDS[field]).items()
    ]
    check("head-to-head", {"format": head_to_head.FORMAT, "ladders": pages})


def test_the_json_of_seats_keeps_to_its_schema() -> None:
    ((ladder, played),) = by_ladder(FIELDS["many"]).items()
    check("seats", {"format": seats.FORMAT, "ladders": [seats.to_json(ladder, seats.seat_results(played))]})


def test_the_json_of_a_history_keeps_to_its_schema() -> None:
    ((ladder, played),) = by_ladder(random_tables(np.random.default_rng(5), bots=5, blocks=6)).items()
    found = history.history(played, BOT)
    why = change(played, BOT, found[0], found[-1], Unit.BLOCK)
    pages = [history.to_json(ladder, found, split) for split in (None, why)]
    check("history", {"format": history.FORMAT, "bot": BOT.name, "version": BOT.version, "ladders": pages})


def check(schema: str, page: dict[str, object]) -> None:
    written = json.loads(as_json(page))
    assert written["ladders"]
    validator(schema).validate(written)


def test_the_schema_refuses_what_programs_could_not_read() -> None:
    written = to_json({ladder: board(played) for ladder, played in by_ladder(FIELDS["one"]).items()})
    assert validator("leaderboard").is_valid(written)
    del written["ladders"][0]["standings"][0]["rating"]
    assert not validator("leaderboard").is_valid(written)
