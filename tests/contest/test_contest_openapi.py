"""The API of a contest with made-up values: Schemathesis makes them from its OpenAPI document."""

from typing import Any

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings

from ballcourt.contest.people.tokens import Scope, new_token
from ballcourt.contest.web.application import contest_app
from tests.contest.made import Made, bot_archive
from tests.needs import library

schemathesis = library("schemathesis")

from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.core.result import Ok  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

EXAMPLES = settings(
    max_examples=6,  # of each address and method
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[*HealthCheck],
)
DOCUMENT = "/api/v1/openapi.json"
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.mark.gate
@pytest.mark.slow
def test_no_address_fails_and_every_answer_is_as_the_document_says(made: Made) -> None:
    made.enter(made.person("ann", "reds"), bot_archive())
    olga = made.person("olga", "blues", organiser=True)
    with made.contest.store.writing() as connection:
        _, token = new_token(connection, olga.account, made.clock.now, scopes=[*Scope])
    headers = {"Host": "127.0.0.1", "Authorization": f"Bearer {token}"}
    app, asked = contest_app(made.contest, FastAPI()), set()
    for found in schemathesis.openapi.from_asgi(DOCUMENT, app, headers=headers).get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        asked.add((operation.method.upper(), operation.path))

        @EXAMPLES
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:  # noqa: ANN401 - Schemathesis's own class
            case.validate_response(case.call(headers=headers), checks=CHECKS)

        ask()
    assert ("PUT", "/api/v1/submissions") in asked and ("POST", "/api/v1/examiner/{work}/outcome") in asked
