"""Addresses with made-up values: Schemathesis makes them from the OpenAPI document of the application."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, Phase, given, settings

from ballcourt.leaderboard.pages.app import create_app
from tests.leaderboard.pages.made_site import Site, bluff, filled, routes, site_at
from tests.needs import library

schemathesis = library("schemathesis")

from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.core.result import Ok  # noqa: E402

pytestmark = pytest.mark.slow

EXAMPLES = settings(
    max_examples=8,  # of each address
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[*HealthCheck],
)
DOCUMENT = "/openapi-of-all.json"
HOST = {"Host": "127.0.0.1"}


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    scratch = tmp_path_factory.mktemp("cup")
    with bluff(), site_at(str(filled(scratch / "cup")), scratch) as made:
        yield made


def add_document(app: FastAPI) -> None:
    """Add a document that also has the pages for people, which the application's own leaves out."""
    documented = [
        APIRoute(route.path_format, route.endpoint, methods=["GET"], response_model=None)
        for route in routes(app)
        if "GET" in (route.methods or ())
    ]
    document = get_openapi(title="all", version="1", routes=documented)
    app.add_api_route(DOCUMENT, lambda: document, include_in_schema=False)


@pytest.mark.gate
def test_no_address_fails_and_programs_get_only_the_statuses_that_they_are_told_of(cup: Site) -> None:
    app = create_app(cup.views)
    told = app.openapi()["paths"]
    add_document(app)
    asked = set()
    for found in schemathesis.openapi.from_asgi(DOCUMENT, app, headers=HOST).get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        asked.add(operation.path)

        @EXAMPLES
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:  # noqa: ANN401 - Schemathesis's own class
            answer = case.call(headers=HOST)
            case.validate_response(answer, checks=[not_a_server_error])
            if case.operation.path in told:
                statuses = {*told[case.operation.path]["get"]["responses"]}
                assert str(answer.status_code) in statuses, (case.operation.path, answer.status_code)

        ask()
    assert told.keys() < asked
    assert {"/", "/matches", "/bots/{bot}/against/{rival}", "/ladders/{ladder}/matrix"} < asked
