"""The services of a host besides the protocol.

Owners of bots follow the event; tools such as grpcurl ask for its health and, on request, its reflection.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health

from ballcourt.arena.remote.visitors import Crowded, Refusal
from ballcourt.v1 import following_pb2, protocol_pb2
from ballcourt.v1.following_pb2 import EventStatus, FollowRequest

ARENA: ServiceDescriptor = protocol_pb2.DESCRIPTOR.services_by_name["Arena"]
FOLLOWING: ServiceDescriptor = following_pb2.DESCRIPTOR.services_by_name["Following"]
HEALTH: ServiceDescriptor = health_pb2.DESCRIPTOR.services_by_name["Health"]
OVERALL = ""
"""The name by which the health protocol asks for the server as a whole."""


Listen = Callable[[str, str], AbstractAsyncContextManager[AsyncGenerator[EventStatus]]]
"""Returns a context with the statuses for a peer and its token, which raises Refusal."""


def offer_following(server: grpc.aio.Server, listen: Listen) -> None:
    """Serve the status of the event to the owners of bots."""

    async def follow(request: FollowRequest, context: "grpc.aio.ServicerContext[FollowRequest, EventStatus]") -> None:
        try:
            async with listen(context.peer(), request.token) as statuses:
                async for status in statuses:
                    await context.write(status)
        except Crowded as refused:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, refused.sentence)
        except Refusal as refused:
            await context.abort(grpc.StatusCode.PERMISSION_DENIED, refused.sentence)

    handler = grpc.unary_stream_rpc_method_handler(follow, FollowRequest.FromString, EventStatus.SerializeToString)
    handlers = grpc.method_handlers_generic_handler(FOLLOWING.full_name, {"Follow": handler})
    server.add_generic_rpc_handlers((handlers,))


async def offer_health(server: grpc.aio.Server) -> health.HealthServicer:
    """Add gRPC health checks to a server; `enter_graceful_shutdown` of the result reports that it stops serving."""
    servicer = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    for name in (OVERALL, ARENA.full_name):
        await servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
    return servicer


def offer_reflection(server: grpc.aio.Server) -> None:
    """Add gRPC reflection to a server."""
    from grpc_reflection.v1alpha import reflection

    names = (ARENA.full_name, FOLLOWING.full_name, HEALTH.full_name, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
