"""The last messages of a conversation with a bot, which show its author how it lost its seat."""

from ballcourt.v1.record_pb2 import Exchange

LAST = 5
"""How many requests of a match are kept besides its MatchStart."""
REPLIES = 8
REPLY_BYTES = 8 * 1024  # every valid message is shorter


class Transcript:
    """The first and the last requests of the current match, each with the bot's replies.

    It keeps bytes that are written or read anyway, so a decision costs two list entries.
    """

    def __init__(self) -> None:
        self._exchanges: list[list[bytes]] = []  # a request, then its replies

    def begin(self) -> None:
        """Forget the previous match; the next request is kept until the end of the match."""
        self._exchanges = []

    def sent(self, request: bytes) -> None:
        """Keep a message to the bot."""
        self._exchanges.append([request])
        if len(self._exchanges) > 1 + LAST:
            del self._exchanges[1]

    def received(self, reply: bytes) -> None:
        """Keep a message from the bot; nothing before the first request, such as a Hello with its token."""
        if self._exchanges and len(self._exchanges[-1]) <= REPLIES:
            self._exchanges[-1].append(reply[:REPLY_BYTES])

    def exchanges(self) -> list[Exchange]:
        """Return the kept messages, oldest first."""
        return [Exchange(request=request, replies=replies) for request, *replies in self._exchanges]
