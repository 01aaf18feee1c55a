"""The conversation of an author's machine with the server of a contest. It uses the standard library alone."""

import json
import shutil
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from io import BytesIO
from time import sleep
from typing import IO, Any, Final, TypeVar
from urllib.parse import quote, urlsplit

from ballcourt.arena.faults import ServerError
from ballcourt.arena.files import MOST_JSON, parse_json
from ballcourt.contest.refusals import ContestError, NotThereError, StateError

API: Final = "/api/v1"
HERE: Final = ("127.0.0.1", "localhost", "::1")
ANSWER_S: Final = 60.0
"""How long the server may keep silent."""
PAUSES_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""How long to wait after each failure in a row; after the last one, the sending has failed."""
LOOK_S: Final = 2.0
MOST_FILE: Final = 4 << 30
"""Bytes of the largest file that is fetched to the disk."""
NOTHING: Final = ("failed", "cancelled", "superseded")
"""The states of submissions that are entered again."""
T = TypeVar("T")


class ContestServer:
    """The server of a contest, as an author's machine sees it."""

    def __init__(self, url: str, token: str = "", report: Callable[[str], None] = lambda _: None) -> None:
        """Raise ContestError for an invalid address, or one by which the token could be read on the way."""
        try:
            parts = urlsplit(url)
            self._host, self._port = str(parts.hostname or ""), parts.port
        except ValueError:
            parts, self._host = urlsplit(""), ""
        if parts.scheme not in ("http", "https") or not self._host or parts.path.strip("/"):
            raise ContestError(f"the contest is {url!r}; it must be an address such as https://cup.example.org")
        if parts.scheme == "http" and self._host not in HERE:
            raise ContestError(f"{url} is not encrypted, so others could read the token on its way; use https://")
        self._is_safe = parts.scheme == "https"
        self.token = token
        self._report = report
        self.url = url.rstrip("/")

    def about(self) -> dict[str, Any]:
        """Return what the contest says about itself. Raises ContestError and ServerError."""
        return self.ask_json("GET", "/")

    def begin_sign_in(self) -> tuple[str, str, str]:
        """Begin to sign this machine in; return its secret, the code to show and where a person allows it."""
        begun = self.ask_json("POST", "/device", {})
        return str(begun["device"]), str(begun["code"]), str(begun["address"])

    def token_of(self, device: str) -> str:
        """Wait until a person allows this machine; return its token. Raises ContestError when it is too late."""
        while not (token := self.ask_json("POST", "/device/token", {"device": device})["token"]):
            sleep(LOOK_S)
        return str(token)

    def submissions(self) -> list[dict[str, Any]]:
        """Return the newest submissions. Raises ContestError and ServerError."""
        return list(self.ask_json("GET", "/submissions")["submissions"])

    def newest(self, bot: str) -> dict[str, Any]:
        """Return the newest submission of a bot of the team. Raises ContestError and ServerError."""
        if bot not in (one["name"] for one in self.ask_json("GET", "/bots")["bots"]):
            raise ContestError(f"your team has not entered {bot} here; ballcourt submit enters it")
        found: dict[str, Any] = self.ask_json("GET", f"/bots/{quote(bot, safe='')}")["versions"][0]
        return found

    def failures(self, submission: str) -> list[str]:
        """Return what failed in the examination of a submission. Raises ContestError and ServerError."""
        return list(self.ask_json("GET", f"/submissions/{quote(submission, safe='')}/report")["failures"])

    def submit(self, archive: IO[bytes], size: int, sha256: str, bot: str, note: str, origin: str) -> dict[str, Any]:
        """Send an archive and enter it; return the submission. A line that breaks costs at most a part.

        What has been entered before is not sent again. Raises ContestError and ServerError.
        """
        if before := self._same(sha256, bot):
            return before
        begun = self.ask_json("POST", "/uploads", {"bytes": size, "sha256": sha256})
        self._send(str(begun["upload"]), int(begun["part"]), int(begun["offset"]), archive, size)
        body = {"upload": begun["upload"], "bot": bot, "note": note, "origin": origin}
        try:
            return self.ask_json("POST", "/submissions", body)
        except ContestError:
            if before := self._same(sha256, bot):  # it was entered, and the answer was lost
                return before
            raise

    def fetch(self, path: str) -> bytes:
        """Return a file of at most MOST_JSON bytes. Raises ContestError and ServerError."""
        file = BytesIO()
        self.fetch_into(path, file, MOST_JSON)
        return file.getvalue()

    def fetch_into(self, path: str, file: IO[bytes], most: int = MOST_FILE) -> None:
        """Write what is at an address into a file. Raises ContestError, and ServerError also for more than `most`."""

        def once() -> None:
            file.seek(0)
            file.truncate()
            self._ask("GET", path, into=_Bounded(file, most))

        self._again(once)

    def send(self, method: str, path: str, data: bytes) -> None:
        """Send a body that may be sent twice. Raises ContestError and ServerError."""
        self._again(lambda: self._ask(method, path, data))

    def _again(self, ask: Callable[[], T]) -> T:
        """Ask, again after a failure, as every request may be repeated. Raises ContestError and ServerError."""
        for pause_s in (*PAUSES_S, None):
            try:
                return ask()
            except _BrokenError as error:
                if pause_s is None:
                    raise ServerError(f"{self.url} cannot be reached: {error}") from error
                self._report(f"{error}; trying again")
                sleep(pause_s)
        raise AssertionError("the last pause raises")

    def _same(self, sha256: str, bot: str) -> dict[str, Any] | None:
        """Return the submission of an archive, unless it failed."""
        same = (one for one in self.submissions() if (one["sha256"], one["bot"]) == (sha256, bot))
        return next((one for one in same if one["state"] not in NOTHING), None)

    def followed(self, place: str, subject: str) -> Iterator[dict[str, Any]]:
        """Yield a submission, or a scrimmage, of a place whenever it has changed, until it is over.

        Raises ContestError and ServerError.
        """
        before: tuple[Any, ...] = ()
        while True:
            found = self.ask_json("GET", f"{place}/{quote(subject, safe='')}")
            now = found["state"], found["place"]
            if now != before:
                before = now
                yield found
            if found["is_over"]:
                return
            sleep(LOOK_S)

    def _send(self, upload: str, part: int, offset: int, archive: IO[bytes], size: int) -> None:
        """Send what the server lacks, in parts; after a failure, ask how much came and go on."""
        failures = 0
        while offset < size:
            archive.seek(offset)
            data = archive.read(min(part, size - offset))
            try:
                answer = self._ask("PATCH", f"/uploads/{upload}", data, {"Upload-Offset": str(offset)})
                here = int(answer.headers["Upload-Offset"])
            except (_BrokenError, StateError) as error:  # the latter while the server still reads what was cut
                failures += 1
                if failures > len(PAUSES_S):
                    raise ServerError(f"{self.url} cannot be reached: {error}; run the same command again") from error
                self._report(f"{error}; trying again")
                sleep(PAUSES_S[failures - 1])
                here = self._offset(upload, offset)
            failures = 0 if here > offset else failures
            offset = here
            self._report(f"sent {offset} of {size} bytes")

    def _offset(self, upload: str, before: int) -> int:
        try:
            return int(self._ask("HEAD", f"/uploads/{upload}").headers["Upload-Offset"])
        except _BrokenError:
            return before

    def ask_json(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Ask, and return the answer. Raises ContestError and ServerError."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data else {}
        answered = self._again(lambda: self._ask(method, path, data, headers))
        with suppress(ValueError):
            found = parse_json(answered.body)
            if isinstance(found, dict):
                return found
        raise ServerError(f"{self.url} does not answer as a contest does; is the address right?")

    def _ask(
        self,
        method: str,
        path: str,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        into: "_Bounded | None" = None,
    ) -> "_Answered":
        """Send a request; what comes goes `into` a file, unless it is refused.

        Raises _BrokenError if it may be sent again, and ContestError if it was refused.
        """
        asked = {"Accept": "application/json", **(headers or {})}
        if self.token:
            asked["Authorization"] = f"Bearer {self.token}"
        connection = self._connection()
        try:
            connection.request(method, API + path, data, asked)
            answered = _Answered(connection.getresponse(), into)
        except (OSError, HTTPException) as error:
            raise _BrokenError(str(error) or type(error).__name__) from error
        finally:
            connection.close()
        if answered.status >= 500 and answered.status != 507:
            raise _BrokenError(f"the server answered {answered.status}")
        if answered.status >= 300:
            raise _refusal(answered)
        return answered

    def _connection(self) -> HTTPConnection:
        if self._is_safe:
            return HTTPSConnection(self._host, self._port, timeout=ANSWER_S, context=ssl.create_default_context())
        return HTTPConnection(self._host, self._port, timeout=ANSWER_S)


class _Bounded:
    """A file that takes a number of bytes and no more."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self._file = file
        self._most = self._left = most

    def write(self, data: bytes) -> int:
        """Raise ServerError for one byte too many."""
        self._left -= len(data)
        if self._left < 0:
            raise ServerError(f"the server sends a file of more than {self._most} bytes; is the address right?")
        return self._file.write(data)


class _Answered:
    def __init__(self, response: HTTPResponse, into: _Bounded | None) -> None:
        self.status = response.status
        self.headers = response.headers
        if into and self.status < 300:
            self.body = b""
            shutil.copyfileobj(response, into)
        else:
            self.body = response.read(MOST_JSON)
        if response.length and len(self.body) < MOST_JSON:  # only a `read` without a bound notices by itself
            raise IncompleteRead(self.body, response.length)


class _BrokenError(Exception):
    """A request failed; it may be sent again."""


def _refusal(answered: _Answered) -> ContestError:
    """Return the server's sentence."""
    try:
        found = parse_json(answered.body)
        sentence = str(found["detail"])
    except (ValueError, KeyError, TypeError):
        return ContestError(f"the server refused the request with status {answered.status}; is the address right?")
    kinds = {kind.status: kind for kind in (StateError, NotThereError)}
    return kinds.get(answered.status, ContestError)(sentence)
