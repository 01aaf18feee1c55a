"""Files of a course: teams and addresses that come in, and results that go out to a grade book."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from typer.testing import CliRunner

from ballcourt.arena.bots.version import BotVersion
from ballcourt.cli.commands import app
from ballcourt.cli.contest import results
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.decisions.inviting import Inviting
from ballcourt.contest.grades import grades
from ballcourt.contest.people.accounts import AccountRole
from ballcourt.contest.refusals import ContestError, StateError
from ballcourt.contest.store.schema import ACCOUNTS, OUTBOX
from ballcourt.leaderboard.model.results import Ladder
from ballcourt.leaderboard.model.standings import Board, Standing
from tests.contest.made import Made, made_in
from tests.contest.test_pages import browser

MAIL = {"host": "mail.example.org", "sender": "cup@example.org", "tls": "none"}


def row(rank: int, bot: str, owner: str) -> Standing:
    about = {"rank": rank, "rating": 25.0 / 3, "matches": 7, "owners": (owner,), "entrant": BotVersion(bot, "1")}
    other: dict[str, Any] = {"sigma": 1.0, "beaten": 0.5, "wins": 0.25, "score": 10.0, "faults": 0, "rivals": {}}
    return Standing(**{**other, **about})


def book(made: Made, *rows: Standing) -> list[dict[str, str]]:
    """Return the lines of the grade book of a table."""
    return [*csv.DictReader(io.StringIO(grades(made.contest, {Ladder("maya", "1", 2, ()): Board([*rows])})))]


def test_each_person_in_a_team_has_a_line_with_the_best_row_of_the_team(made: Made) -> None:
    for handle, team in (("ann", "reds"), ("bob", "blues"), ("dave", "reds"), ("eve", "")):
        made.person(handle, team)
    found = book(made, row(1, "r2", "reds"), row(2, "b", "blues"), row(3, "r1", "reds"))
    assert [(one["handle"], one["team"], one["bot"], one["rank"], one["of"]) for one in found] == [
        ("bob", "blues", "b", "2", "3"),
        ("ann", "reds", "r2", "1", "3"),
        ("dave", "reds", "r2", "1", "3"),
    ]
    assert (found[0]["rating"], found[0]["matches"], found[0]["game"]) == ("8.3333", "7", "maya")
    Decider(made.contest, "olga").disqualify("reds", "cheated")
    assert [one["rank"] for one in book(made, row(1, "r2", "reds"))] == ["", "", ""]


def test_a_name_that_is_a_formula_is_text_in_a_grade_book(made: Made) -> None:
    made.person("ann", "reds")
    with made.contest.store.writing() as connection:
        connection.execute(update(ACCOUNTS).values(shown="=cmd|' /C calc'!A0", email="@x"))
    (found,) = book(made)
    assert (found["name"], found["mail"]) == ("'=cmd|' /C calc'!A0", "'@x")


def test_links_go_to_the_addresses_of_a_file_and_confirm_them(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", mail=MAIL)
    inviting = Inviting(made.contest, AccountRole.CONTESTANT, 1000)
    ann, bob = inviting.invite([("ann", "reds", "ann@example.org"), ("bob", "reds", "")])
    assert (ann.mail, bob.mail) == ("ann@example.org", "")
    (message,) = made.read(select(OUTBOX)).all()
    assert message.target == "ann@example.org" and f"/sign-in?link={ann.secret}" in message.body
    assert book(made, row(1, "r", "reds"))[0]["mail"] == "", "not before she has used the link"
    assert browser(made).post("/sign-in", data={"link": ann.secret}).status_code == 303
    assert book(made, row(1, "r", "reds"))[0]["mail"] == "ann@example.org"


def test_a_file_with_an_address_that_gets_no_mail_invites_no_one(made: Made, tmp_path: Path) -> None:
    people = [("ann", "reds", ""), ("bob", "reds", "bob@example.org")]
    with pytest.raises(StateError, match=r"bob has the address bob@example\.org, but contest\.toml has no table"):
        Inviting(made.contest, AccountRole.CONTESTANT, 1000).invite(people)
    mailing = made_in(tmp_path / "mailing", mail=MAIL)
    people[1] = ("bob", "reds", "bob@example.org\r\nBcc: x@example.org")
    with pytest.raises(ContestError, match="mail is"):
        Inviting(mailing.contest, AccountRole.CONTESTANT, 1000).invite(people)
    for one in (made, mailing):
        assert not one.read(select(ACCOUNTS)).all() and not one.read(select(OUTBOX)).all()


@pytest.mark.parametrize("names", ["handle,team,email", "handle,,team", "team,mail", "ann,reds"])
def test_a_file_with_other_columns_than_are_read_invites_no_one(made: Made, names: str) -> None:
    file = made.contest.path.parent / "people.csv"
    file.write_text(f"{names}\nann,reds,ann@example.org\n")
    done = CliRunner().invoke(app, ["contest", "invite", str(made.contest.path), str(file)])
    assert done.exit_code == 2 and not made.read(select(ACCOUNTS)).all()
    assert f"people.csv begins with {names}; its first line names handle, and may name team and mail" in done.stderr


def test_results_of_a_contest_that_has_not_begun_say_where_none_are(made: Made) -> None:
    with pytest.raises(Exception, match="ladder") as caught:
        results(made.contest.path)
    assert type(caught.value).__module__.startswith("ballcourt.")
