"""What a host offers besides the protocol: health, and reflection on request."""

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse
from grpc_reflection.v1alpha.reflection_pb2_grpc import ServerReflectionStub

from tests.arena.hosted import hosting

SERVING = health_pb2.HealthCheckResponse.SERVING


async def test_a_host_answers_questions_about_its_health_without_a_token() -> None:
    async with hosting() as host, grpc.aio.insecure_channel(host.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", "ballcourt.v1.Arena"):
            answer = await health.Check(health_pb2.HealthCheckRequest(service=name))
            assert answer.status == SERVING
        assert host.events() == []


async def services(channel: grpc.aio.Channel) -> list[str]:
    call = ServerReflectionStub(channel).ServerReflectionInfo(iter([ServerReflectionRequest(list_services="")]))
    [answer] = [answer async for answer in call]
    assert isinstance(answer, ServerReflectionResponse)
    return [service.name for service in answer.list_services_response.service]


async def test_reflection_is_offered_on_request() -> None:
    async with hosting(reflection=True) as host, grpc.aio.insecure_channel(host.address) as channel:
        assert {"ballcourt.v1.Arena", "grpc.health.v1.Health"} <= {*await services(channel)}


async def test_reflection_is_not_offered_by_default() -> None:
    async with hosting() as host, grpc.aio.insecure_channel(host.address) as channel:
        try:
            await services(channel)
        except grpc.aio.AioRpcError as error:
            assert error.code() == grpc.StatusCode.UNIMPLEMENTED
        else:
            raise AssertionError("it was offered")
