"""Clarifications: the questions of teams, and the answers of organisers."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Response
from pydantic import Field

from ballcourt.contest.decisions.asking import Question, answer_question, ask_organiser, questions
from ballcourt.contest.decisions.audit import LONGEST_REASON
from ballcourt.contest.web.guard import API, Body
from ballcourt.contest.web.organiser import Organising
from ballcourt.contest.web.visits import Reader, SignedIn, Submitter, go

Words = Annotated[str, Form(max_length=2 * LONGEST_REASON)]

pages = APIRouter(prefix="/questions", include_in_schema=False)
api = APIRouter(prefix=f"{API}/questions")


class QuestionBody(Body):
    """What a team asks the organiser."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_REASON)]


class AnswerBody(QuestionBody):
    """An organiser's answer to a question."""

    to_all: bool = False
    """Whether it is announced to all teams."""


@api.get("")
def asked(visit: Reader) -> dict[str, Any]:
    """Return what the team has asked, to an organiser what all teams have, the newest first."""
    return {"questions": questions(visit.contest, visit.who)}


@pages.get("")
def _questions_page(visit: SignedIn) -> Response:
    return visit.show("questions.html", questions=questions(visit.contest, visit.who))


@api.post("", status_code=201)
def ask(visit: Submitter, body: QuestionBody) -> Question:
    """Ask the organiser."""
    return ask_organiser(visit.contest, visit.who, body.text)


@pages.post("")
def _ask_page(visit: SignedIn, text: Words) -> Response:
    ask_organiser(visit.contest, visit.who, text)
    return go("/questions")


@api.post("/{number}", status_code=204)
def answer(visit: Submitter, number: int, body: AnswerBody) -> None:
    """Answer a question, as an organiser, to the team that asked or to all."""
    answer_question(visit.contest, visit.visible.organiser().handle, number, body.text, to_all=body.to_all)


@pages.post("/{number}")
def _answer_page(visit: Organising, number: int, reason: Words, action: Annotated[str, Form()] = "team") -> Response:
    answer_question(visit.contest, visit.who.handle, number, reason, to_all=action == "all")
    return go("/questions")
