"""What programs read: the JSON forms keep to the schemas that come with the package."""

import json

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from ballcourt.arena.files import PACKAGE
from ballcourt.arena.printable import as_json
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.standings import by_ladder
from ballcourt.leaderboard.show.terminal import to_json
from ballcourt.leaderboard.studies import head_to_head, history, seats, teaming
from ballcourt.leaderboard.studies.history import Unit, change
from tests.leaderboard.made import alone, board, entrant, match, random_tables
from tests.schemas import SCHEMAS, text_of

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


@pytest.mark.slow
@pytest.mark.parametrize("field", FIELDS)
def test_the_json_of_a_leaderboard_keeps_to_its_schema(field: str) -> None:
    matches: list[MatchResult] = FIELDS[field]
    boards = {ladder: board(played) for ladder, played in by_ladder(matches).items()}
    check("leaderboard", to_json(boards), ladders=int(field != "none"))


@pytest.mark.parametrize("field", ["one", "solo", "many"])
def test_the_json_of_a_matrix_of_meetings_keeps_to_its_schema(field: str) -> None:
    found = {ladder: head_to_head.head_to_head(played) for ladder, played in by_ladder(FIELDS[field]).items()}
    check("head-to-head", head_to_head.to_json(found))


@pytest.mark.parametrize(("field", "bots"), [("cycles", ("bot00", "bot01")), ("solo", ("ann", "bob"))])
def test_the_json_of_two_bots_in_detail_keeps_to_its_schema(field: str, bots: tuple[str, str]) -> None:
    one, other = map(entrant, bots)
    found = {ladder: head_to_head.duel(played, one, other) for ladder, played in by_ladder(FIELDS[field]).items()}
    check("head-to-head", head_to_head.duel_json(found))


def test_the_json_of_seats_keeps_to_its_schema() -> None:
    found = {ladder: seats.seat_results(played) for ladder, played in by_ladder(FIELDS["many"]).items()}
    check("seats", seats.to_json(found))


def test_the_json_of_teaming_keeps_to_its_schema() -> None:
    found = {ladder: teaming.pairs_tested(played) for ladder, played in by_ladder(FIELDS["many"]).items()}
    check("teaming", teaming.to_json(found))


@pytest.mark.slow
@pytest.mark.parametrize("is_explained", [False, True])
def test_the_json_of_a_history_keeps_to_its_schema(is_explained: bool) -> None:
    ((ladder, played),) = by_ladder(random_tables(np.random.default_rng(5), bots=5, blocks=6)).items()
    found = history.history(played, BOT)
    why = change(played, BOT, found[0], found[-1], Unit.BLOCK) if is_explained else None
    check("history", history.to_json(BOT, {ladder: found}, {ladder: why}))


def check(schema: str, page: object, ladders: int = 1) -> None:
    written = json.loads(as_json(page))
    assert len(written["ladders"]) == ladders
    validator(schema).validate(written)


def test_the_schema_refuses_what_programs_could_not_read() -> None:
    written = json.loads(as_json(to_json({one: board(played) for one, played in by_ladder(FIELDS["one"]).items()})))
    assert validator("leaderboard").is_valid(written)
    del written["ladders"][0]["standings"][0]["rating"]
    assert not validator("leaderboard").is_valid(written)


@pytest.mark.parametrize("path", SCHEMAS)
def test_schemas_are_made_of_the_types_of_today(path: str) -> None:
    assert (PACKAGE / path).read_text() == text_of(path), "`make schemas` writes them again"
