"""The application for the organiser's machines: /healthz, /readyz and /metrics, on a port of its own."""

from dataclasses import asdict
from typing import Any, Final

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ballcourt.contest.monitoring.readiness import readiness
from ballcourt.contest.monitoring.requests import LABELS
from ballcourt.contest.store.contest import Contest
from ballcourt.web.guard import HOSTS

UNAVAILABLE: Final = 503


def request_times(registry: CollectorRegistry) -> Histogram:
    """Return what counts requests and their times."""
    words = "Seconds until a request was answered; streams last as long as they are read."
    return Histogram("ballcourt_request_seconds", words, LABELS, registry=registry)


def monitor_app(contest: Contest, registry: CollectorRegistry) -> Starlette:
    """Return the application. It runs in the loop of the contest's server, so its answers show that this works."""

    async def alive(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    def ready(_: Request) -> Response:
        parts = [*readiness(contest)]
        is_ready = all(part.is_ready for part in parts)
        body: dict[str, Any] = {"is_ready": is_ready, "parts": [asdict(part) for part in parts]}
        return JSONResponse(body, 200 if is_ready else UNAVAILABLE)

    def metrics(_: Request) -> Response:
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    routes = [Route("/healthz", alive), Route("/readyz", ready), Route("/metrics", metrics)]
    return Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)])


def on_port(monitor: ASGIApp, port: int, app: ASGIApp) -> ASGIApp:
    """Return an application that answers as `monitor` on one port, and as `app` on all others."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        is_monitor = scope["type"] == "http" and scope["server"] and scope["server"][1] == port
        await (monitor if is_monitor else app)(scope, receive, send)

    return answer
