"""The conversation with a bot in a match, which shows its author how it lost its seat and lets it happen again."""

from ballcourt.v1.record_pb2 import Exchange

KEPT_BYTES = 128 * 1024
"""Messages of a match up to this size together are all kept; a hundred questions of most games fit."""
LAST = 5
"""How many requests of a match are kept besides its MatchStart, whatever their size."""
REPLIES = 8
REPLY_BYTES = 8 * 1024  # every valid message is shorter


class Transcript:
    """The requests of the current match, each with the bot's replies; of a long match, the first and the last ones.

    It keeps bytes that are written or read anyway, so a decision costs two list entries.
    """

    def __init__(self) -> None:
        self.left_out = 0
        """How many requests after the first are not kept."""
        self._exchanges: list[list[bytes]] = []  # a request, then its replies
        self._bytes = 0  # of all of them

    def begin(self) -> None:
        """Forget the previous match; the next request is kept until the end of the match."""
        self._exchanges = []
        self._bytes = self.left_out = 0

    def sent(self, request: bytes) -> None:
        """Keep a message to the bot."""
        self._exchanges.append([request])
        self._bytes += len(request)
        while self._bytes > KEPT_BYTES and len(self._exchanges) > 1 + LAST:
            self._bytes -= sum(map(len, self._exchanges.pop(1)))
            self.left_out += 1

    def received(self, reply: bytes) -> None:
        """Keep a message from the bot; nothing before the first request, such as a Hello with its token."""
        if self._exchanges and len(self._exchanges[-1]) <= REPLIES:
            self._exchanges[-1].append(reply[:REPLY_BYTES])
            self._bytes += min(len(reply), REPLY_BYTES)

    def exchanges(self) -> list[Exchange]:
        """Return the kept messages, oldest first."""
        return [Exchange(request=request, replies=replies) for request, *replies in self._exchanges]
