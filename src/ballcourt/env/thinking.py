"""A thread that answers questions, so that no one has to wait for an answer that never comes."""

import os
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Generic, TypeVar
from weakref import finalize

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Thinker(Generic[Question, Answer]):
    """Asks a function. One thread serves all questions: starting one for each would take longer than many bots."""

    def __init__(self, answer: Callable[[Question], Answer]) -> None:
        self.process = os.getpid()
        self._asked: SimpleQueue[Question | None] = SimpleQueue()
        self._answered: SimpleQueue[tuple[Answer | None, BaseException | None]] = SimpleQueue()
        # a daemon: the process can end although the function hangs
        Thread(target=_think, args=(answer, self._asked, self._answered), daemon=True).start()
        finalize(self, self._asked.put, None)

    def ask(self, question: Question, limit_s: float) -> Answer | None:
        """Return the answer.

        Raises what the function raises, and TimeoutError, after which nothing may be asked.
        """
        self._asked.put(question)
        try:
            answer, error = self._answered.get(timeout=limit_s)
        except Empty:
            raise TimeoutError from None
        if error:
            raise error
        return answer


def _think(
    answer: Callable[[Question], Answer],
    asked: SimpleQueue[Question | None],
    answered: SimpleQueue[tuple[Answer | None, BaseException | None]],
) -> None:
    """Answer until None is asked. It knows no Thinker, which can thus be collected."""
    while (question := asked.get()) is not None:
        try:
            answered.put((answer(question), None))
        except BaseException as error:  # raised again where the answer is awaited
            answered.put((None, error))
