"""Characters that not every database keeps, in whatever people, programs and examiners send: one answer in all."""

import json
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from sqlalchemy import insert

from ballcourt.arena.bots.version import BotVersion
from ballcourt.contest.examining.work import WorkFinding, lease, settle
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.tokens import Scope, new_token
from ballcourt.contest.refusals import ContestError
from ballcourt.contest.store.schema import EXAMINERS, SUBMISSIONS
from ballcourt.contest.submissions.states import SubmissionState, move
from ballcourt.contest.submissions.submissions import examine_again
from ballcourt.contest.visible import Visible
from ballcourt.contest.web import bots, examiners, people, scrimmages, submissions
from ballcourt.contest.web.application import SUBJECTS
from tests.contest.made import Made, bot_archive

WORDS = ("a\0b", "a\ud800b")
HERE = "http://127.0.0.1:8000"


def check_texts(made: Made) -> None:
    """Send each character through every door into the database; nothing of what a driver says may come back."""
    ann, olga = made.person("ann", "reds"), made.person("olga", organiser=True)
    _check_sentences(made, ann)
    upload = made.upload(ann, bot_archive("2"))
    for token in (made.token(ann), _all_scopes(made, olga)):
        headers = {"Authorization": f"Bearer {token}"}
        with TestClient(made.served(), base_url=HERE, headers=headers, raise_server_exceptions=False) as client:
            _check_addresses(made, client)
            for word in WORDS:
                body = {"upload": upload, "bot": "mine", "note": "", "origin": word}
                for path, sent in {
                    "submissions": body,
                    "scrimmages": {"opponent": word, "bot": word},
                    "examiner/lease": {"holder": word},
                }.items():
                    answer = client.post(f"/api/v1/{path}", content=ascii_json(sent))
                    assert answer.status_code in (403, 404, 422), (path, answer.status_code, answer.text)
                    assert "database" not in answer.text and "utf-8" not in answer.text, answer.text


def ascii_json(sent: dict[str, str]) -> bytes:
    """Return JSON that spells lone surrogates by their numbers, as UTF-8 cannot."""
    return json.dumps(sent).encode()


def _all_scopes(made: Made, who: Member) -> str:
    with made.contest.store.writing() as connection:
        return new_token(connection, who.account, made.clock.now, scopes=[*Scope])[1]


def _check_sentences(made: Made, ann: Member) -> None:
    """What an examiner or the ladder says about a bot has words of that bot: they are kept, spelt out."""
    for word, spelt in zip(WORDS, ("a\\x00b", "a\\ud800b"), strict=True):
        submission = made.enter(ann, bot_archive(repr(word)))
        leased = lease(made.contest, "one")
        assert leased
        assert settle(made.contest, leased, WorkFinding(False, word)) is SubmissionState.REFUSED
        with made.contest.store.reading() as connection:
            found = connection.execute(SUBMISSIONS.select().where(SUBMISSIONS.c.id == submission)).one()
        assert found.sentence == spelt
        assert [one.detail for one in Visible(made.contest, ann).states(submission)][-1] == spelt
    submission = made.enter(ann, bot_archive("let in"))
    leased = lease(made.contest, "one")
    assert leased and settle(made.contest, leased, WorkFinding(True, "", "", BotVersion("mine", "1", "0" * 64)))
    with made.contest.store.writing() as connection:
        assert move(connection, submission, SubmissionState.REFUSED, made.clock.now, "the ladder: a\0b")
    submission = made.playing(made.person("bob", "blues"), "other")
    with made.contest.store.writing() as connection:
        assert examine_again(connection, SUBMISSIONS.c.id == submission, made.clock.now) == 1
    leased = lease(made.contest, "one")
    assert leased and settle(made.contest, leased, WorkFinding(False, WORDS[0])) is SubmissionState.WITHDRAWN


def _addresses() -> Iterator[APIRoute]:
    """Yield every address of a contest that is read."""
    routers = [one.pages for one in SUBJECTS] + [one.api for one in (people, submissions, bots, scrimmages, examiners)]
    for router in routers:
        for route in router.routes:
            if isinstance(route, APIRoute) and "GET" in (route.methods or ()):
                yield route


def _check_addresses(made: Made, client: TestClient) -> None:
    """Ask for every address with such a character in place of each name, and as each value of its query."""
    asked = 0
    for route in _addresses():
        names = [one.alias for one in route.dependant.query_params]
        for inner in route.dependant.dependencies:
            names += [one.alias for one in inner.query_params]
        path = route.path
        for one in route.dependant.path_params:
            path = path.replace(f"{{{one.name}}}", "a%00b")
        if path == route.path and not names:
            continue
        answer = client.get(f"{path}?{urlencode(dict.fromkeys(names, WORDS[0]))}", follow_redirects=False)
        assert answer.status_code < 500, (path, answer.text)
        assert "database" not in answer.text, (path, answer.text)
        asked += 1
    assert asked > 20


def test_no_character_gets_other_words_than_ours_out_of_a_contest(made: Made) -> None:
    check_texts(made)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("many", [False, True])
def test_a_statement_with_such_a_character_is_refused_and_changes_nothing(made: Made, word: str, many: bool) -> None:
    rows = [{"holder": "good", "seen": 1.0}, {"holder": word, "seen": 1.0}][not many :]
    with pytest.raises(ContestError, match="has a NUL or a lone surrogate"), made.contest.store.writing() as connection:
        connection.execute(insert(EXAMINERS), rows)
    with made.contest.store.reading() as connection:
        assert connection.execute(EXAMINERS.select()).all() == []
