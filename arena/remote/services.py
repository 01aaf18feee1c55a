"""The services of a host besides the protocol: gRPC health, and on request reflection, for tools such as grpcurl."""

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health

from ballcourt.v1 import protocol_pb2

ARENA: ServiceDescriptor = protocol_pb2.DESCRIPTOR.services_by_name["Arena"]
HEALTH: ServiceDescriptor = health_pb2.DESCRIPTOR.services_by_name["Health"]
OVERALL = ""
"""The name by which the health protocol asks for the server as a whole."""


async def offer_health(server: grpc.aio.Server) -> health.HealthServicer:
    """Let a server say that it serves; `enter_graceful_shutdown` of the result ends that."""
    servicer = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    for name in (OVERALL, ARENA.full_name):
        await servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
    return servicer


def offer_reflection(server: grpc.aio.Server) -> None:
    """Let a server describe its services."""
    from grpc_reflection.v1alpha import reflection

    names = (ARENA.full_name, HEALTH.full_name, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
