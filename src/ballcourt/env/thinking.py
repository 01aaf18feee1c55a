"""A thread in which a bot thinks, so that nobody has to wait for one that hangs."""

from queue import Empty, SimpleQueue
from threading import Thread
from weakref import finalize

from ballcourt.bots.sdk.python.session import Session
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage

Asked = SimpleQueue[ArenaMessage | None]
Answered = SimpleQueue[BotMessage | BaseException | None]


class Thinker:
    """Passes messages to a bot. One thread serves them all: starting one for each would take longer than many bots."""

    def __init__(self, session: Session) -> None:
        self._asked: Asked = SimpleQueue()
        self._answered: Answered = SimpleQueue()
        # a daemon: the process can end although the bot hangs
        Thread(target=_think, args=(session, self._asked, self._answered), daemon=True).start()
        finalize(self, self._asked.put, None)

    def ask(self, message: ArenaMessage, limit_s: float) -> BotMessage | None:
        """Return the reply, if one is due.

        Raises what the bot raises, and TimeoutError, after which nothing may be asked.
        """
        self._asked.put(message)
        try:
            answer = self._answered.get(timeout=limit_s)
        except Empty:
            raise TimeoutError from None
        if isinstance(answer, BaseException):
            raise answer
        return answer


def _think(session: Session, asked: Asked, answered: Answered) -> None:
    """Answer until None is asked. It knows no Thinker, which can thus be collected."""
    while message := asked.get():
        try:
            answered.put(session.handle(message))
        except BaseException as error:  # raised again by whoever waits
            answered.put(error)
