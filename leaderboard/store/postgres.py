"""Connections to a PostgreSQL server, which may fall silent at any time."""

from collections.abc import Generator
from time import monotonic
from typing import Any, Final

from psycopg import Connection, OperationalError

SILENT_S: Final = 60.0
"""How long a server may send nothing in the middle of an answer. No statement of ours takes as long by itself."""


class PatientConnection(Connection[Any]):
    """A connection that is broken when the server is silent for too long. Parameters in a URL bound only connecting."""

    def wait(self, gen: Generator[Any, int, Any], *given: Any, **named: Any) -> Any:  # noqa: ANN401 - as psycopg has it
        """Wait for an answer. Raises OperationalError."""
        return super().wait(self._bounded(gen), *given, **named)

    def _bounded(self, answer: Generator[Any, int, Any]) -> Generator[Any, int, Any]:
        """Pass on what psycopg asks for, and what it hears: 0 after every moment in which nothing has come."""
        heard_s = monotonic()
        try:
            awaited = next(answer)
            while True:
                ready = yield awaited
                if ready:
                    heard_s = monotonic()
                elif monotonic() - heard_s > SILENT_S:
                    self.close()
                    raise OperationalError(f"the server has been silent for {SILENT_S:g} s")
                awaited = answer.send(ready)
        except StopIteration as end:
            return end.value
