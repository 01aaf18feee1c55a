"""The journal of a host: one JSON object per line, for people and for programs that watch it."""

import json
import sys
import time
from typing import TextIO

Value = str | int | list[str]


class Journal:
    """Writes events as they happen. Never give it a token."""

    def __init__(self, stream: TextIO | None = None) -> None:
        """Write to a stream, or to standard error."""
        self._stream = stream or sys.stderr

    def write(self, event: str, **details: Value) -> None:
        """Write one line. JSON quoting keeps names that strangers chose from forging other lines."""
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        print(json.dumps({"time": now, "event": event, **details}), file=self._stream, flush=True)
