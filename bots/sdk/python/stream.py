"""The bot's gRPC stream. The only file of the SDK that imports grpc.

grpc.aio, because one bidirectional stream costs a bot a tenth less with it than with the threads of the
synchronous API, and because `import grpc` loads it anyway.
"""

import grpc.aio

from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage
from bots.sdk.python.session import Session

METHOD = "/ballcourt.v1.Arena/Play"


class Disconnected(ConnectionError):
    """The arena cannot be reached, or went away in the middle of the stream."""


async def converse(session: Session, socket: str, token: str) -> None:
    """Play over the Unix socket at `socket` until the arena says Goodbye or closes the stream.

    Raises Disconnected, and whatever the session raises.
    """
    async with grpc.aio.insecure_channel(f"unix:{socket}") as channel:
        play: grpc.aio.StreamStreamMultiCallable[BotMessage, ArenaMessage] = channel.stream_stream(
            METHOD, request_serializer=BotMessage.SerializeToString, response_deserializer=ArenaMessage.FromString
        )
        try:
            call = play()
            await call.write(session.hello(token))
            while not session.ended:
                message = await call.read()
                if not isinstance(message, ArenaMessage):  # grpc.aio.EOF: the arena closed the stream
                    return
                reply = session.handle(message)
                if reply is not None:
                    await call.write(reply)
            await call.done_writing()
        except grpc.aio.AioRpcError as error:
            raise Disconnected(f"no connection to the arena at {socket}: {error.details()}") from None
