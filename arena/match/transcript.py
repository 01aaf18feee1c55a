"""Remembers the end of a conversation with a bot, so that its author can be shown on what it lost its seat."""

from ballcourt.v1.record_pb2 import Exchange

LAST = 5
"""So many requests of a match are remembered beside its MatchStart."""
REPLIES = 8
REPLY_BYTES = 8 * 1024  # every valid message is shorter


class Transcript:
    """The first and the last requests of the match being played, each with what the bot sent back.

    It keeps bytes that were written or read anyway; a decision pays for two entries in a list.
    """

    def __init__(self) -> None:
        self._exchanges: list[list[bytes]] = []  # a request, then its replies

    def begin(self) -> None:
        """Forget the match before; the next request is kept until the end of the match."""
        self._exchanges = []

    def sent(self, request: bytes) -> None:
        """Remember a message to the bot."""
        self._exchanges.append([request])
        if len(self._exchanges) > 1 + LAST:
            del self._exchanges[1]

    def received(self, reply: bytes) -> None:
        """Remember what the bot sent; before the first request it is forgotten, and a token with it."""
        if self._exchanges and len(self._exchanges[-1]) <= REPLIES:
            self._exchanges[-1].append(reply[:REPLY_BYTES])

    def exchanges(self) -> list[Exchange]:
        """Return what is remembered, oldest first."""
        return [Exchange(request=request, replies=replies) for request, *replies in self._exchanges]
