"""Clarifications: a question of a team, and the answer to that team alone or to all."""

import pytest
from typer.testing import CliRunner

from ballcourt.cli.commands import app as commands
from ballcourt.contest.decisions.asking import MOST_OPEN, answer_question, ask_organiser, open_questions, questions
from ballcourt.contest.decisions.audit import LONGEST_REASON, decisions, first_break
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import ContestError, NotThereError, StateError
from ballcourt.contest.store.schema import ANNOUNCEMENTS, OUTBOX
from tests.contest.made import Made
from tests.contest.test_notifications import made_with_mail, reached
from tests.contest.test_pages import browser, text


def asks(made: Made, who: Member, words: str = "Does the clock count the start?") -> int:
    return ask_organiser(made.contest, who, words).number


def seen(made: Made, who: Member) -> list[tuple[str, str, str]]:
    return [(one.team, one.text, one.answer) for one in questions(made.contest, who)]


def test_an_answer_to_a_team_alone_is_seen_by_that_team_and_organisers(
    made: Made, ann: Member, bob: Member, olga: Member
) -> None:
    number = asks(made, ann)
    assert seen(made, ann) == seen(made, olga) == [("reds", "Does the clock count the start?", "")]
    assert answer_question(made.contest, "olga", number, "No.", to_all=False) == (
        f"question {number} is answered, to team reds"
    )
    assert seen(made, ann) == seen(made, olga) == [("reds", "Does the clock count the start?", "No.")]
    assert seen(made, bob) == [] and not made.read(ANNOUNCEMENTS.select()).all()
    alone = made.person("alone")
    assert seen(made, alone) == []
    assert "the clock" not in text(browser(made, bob).get("/questions"))


def test_an_answer_to_all_is_an_announcement_that_names_no_team(made: Made, ann: Member, olga: Member) -> None:
    number = asks(made, ann)
    page = browser(made, olga).post(f"/questions/{number}", data={"reason": "No.", "action": "all"})
    assert page.status_code == 303
    (row,) = made.read(ANNOUNCEMENTS.select()).all()
    assert (row.title, row.text) == ("Answer to a question: Does the clock count the start?", "No.")
    assert "Answer, to all teams" in text(browser(made, ann).get("/questions"))


def test_questions_and_answers_are_in_the_chain_of_decisions_without_a_handle(made: Made, ann: Member) -> None:
    number = asks(made, ann)
    answer_question(made.contest, "olga", number, "No.", to_all=False)
    with made.contest.store.reading() as connection:
        rows = [(one.who, one.action, one.subject, one.reason) for one in decisions(connection)]
        assert first_break(connection) == 0
    assert rows[-2:] == [
        ("team reds", "ask", "the organiser", "Does the clock count the start?"),
        ("olga", "answer", "team reds", "No."),
    ]


def test_an_answer_is_mailed_to_the_members_of_the_team_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = made_with_mail(tmp_path_factory.mktemp("mail") / "cup")
    ann, bob = made.person("ann", "reds"), made.person("bob", "blues")
    reached(made, ann, "ann@example.org")
    reached(made, bob, "bob@example.org")
    answer_question(made.contest, "olga", asks(made, ann), "No.", to_all=False)
    (row,) = made.read(OUTBOX.select()).all()
    assert row.target == "ann@example.org" and "No." in row.body and "/questions" in row.body


def test_a_question_is_answered_once(made: Made, ann: Member) -> None:
    number = asks(made, ann)
    answer_question(made.contest, "olga", number, "No.", to_all=False)
    with pytest.raises(StateError, match=f"question {number} has an answer already"):
        answer_question(made.contest, "olga", number, "Yes.", to_all=True)
    with pytest.raises(NotThereError, match=f"there is no question {number + 1}"):
        answer_question(made.contest, "olga", number + 1, "Yes.", to_all=True)
    assert not made.read(ANNOUNCEMENTS.select()).all()


def test_the_same_question_sent_twice_is_one_and_few_may_wait(made: Made, ann: Member, bob: Member) -> None:
    first = asks(made, ann)
    assert asks(made, ann, " Does the clock count the start?\r\n") == first
    for n in range(MOST_OPEN - 1):
        asks(made, ann, f"And {n}?")
    with pytest.raises(StateError, match=f"{MOST_OPEN} questions of your team wait for an answer"):
        asks(made, ann, "And now?")
    asks(made, bob)
    answer_question(made.contest, "olga", first, "No.", to_all=False)
    asks(made, ann, "And now?")


@pytest.mark.parametrize("words", ["", " ", "x" * (LONGEST_REASON + 1)])
def test_a_question_without_words_or_with_too_many_is_refused(made: Made, ann: Member, words: str) -> None:
    with pytest.raises(ContestError, match=f"1 to {LONGEST_REASON} characters"):
        asks(made, ann, words)
    assert seen(made, ann) == []


def test_the_command_answers_a_team_or_all(made: Made, ann: Member) -> None:
    cup, first, second = str(made.contest.path.parent), asks(made, ann, "One?"), asks(made, ann, "Two?")

    def run(number: int, *words: str) -> tuple[int, str]:
        done = CliRunner().invoke(commands, ["contest", "answer", cup, str(number), "--text", "No.", *words])
        return done.exit_code, done.output

    assert run(first) == (0, f"question {first} is answered, to team reds\n")
    assert run(second, "--all") == (0, f"question {second} is answered, to all teams\n")
    assert run(second)[0] == run(999)[0] == 2
    assert [one.is_public for one in questions(made.contest, ann)] == [True, False]


def test_programs_ask_and_read_the_answer_by_a_token(made: Made, ann: Member, bob: Member, olga: Member) -> None:
    client, asked = browser(made), {"text": "Which seats?"}
    mine, theirs = ({"Authorization": f"Bearer {made.token(who)}"} for who in (ann, bob))
    answer = client.post("/api/v1/questions", json=asked, headers=mine)
    assert (answer.status_code, answer.json()["text"]) == (201, "Which seats?")
    assert '<a href="/questions">1 question</a>' in browser(made, olga).get("/organiser").text
    answer_question(made.contest, "olga", answer.json()["number"], "Both.", to_all=False)
    (one,) = client.get("/api/v1/questions", headers=mine).json()["questions"]
    assert (one["team"], one["answer"], one["is_public"]) == ("reds", "Both.", False)
    assert client.get("/api/v1/questions", headers=theirs).json() == {"questions": []}
    assert client.post("/api/v1/questions", json={"text": ""}, headers=mine).status_code == 422


def test_an_organiser_answers_by_a_token_and_others_may_not(made: Made, ann: Member, olga: Member) -> None:
    number, client = asks(made, ann), browser(made)
    address, no = f"/api/v1/questions/{number}", {"text": "No."}
    mine, hers = ({"Authorization": f"Bearer {made.token(who)}"} for who in (ann, olga))
    assert client.post(address, json=no, headers=mine).status_code == 403
    assert client.post(address, json={"text": ""}, headers=hers).status_code == 422
    assert client.post(f"{address}9", json=no, headers=hers).status_code == 404
    assert client.post(address, json={**no, "to_all": True}, headers=hers).status_code == 204
    again = client.post(address, json=no, headers=hers)
    assert (again.status_code, again.json()["error"]) == (409, "state")
    (one,) = questions(made.contest, ann)
    assert (one.answer, one.is_public) == ("No.", True)


def test_a_team_reads_its_own_questions_and_no_other_ones(made: Made, ann: Member, bob: Member) -> None:
    answer_question(made.contest, "olga", asks(made, ann, "One?"), "No.", to_all=True)
    answer_question(made.contest, "olga", asks(made, ann, "Two?"), "Yes.", to_all=False)
    asks(made, bob, "Three?")
    assert seen(made, ann) == [("reds", "Two?", "Yes."), ("reds", "One?", "No.")]
    assert seen(made, bob) == [("blues", "Three?", "")]
    with made.contest.store.reading() as connection:
        assert open_questions(connection) == 1
