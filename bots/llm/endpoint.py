"""An OpenAI-compatible endpoint: one request for one reply, within a time limit."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import monotonic, time
from typing import Any, Final

import httpx2

from ballcourt import CannotPlay
from ballcourt.arena.files import parse_json

from .settings import Settings

PASSING: Final = (408, 409, 425, 429)
"""Status codes below 500 after which the same request may be answered."""
NO_QUOTA: Final = b"insufficient_quota"
"""What an endpoint says with status 429 if it is not merely busy."""
OF_THE_REQUEST: Final = (400, 403, 413, 422)
"""Status codes that an endpoint which has answered before means for one request, as one that is too long."""
CUT: Final = {
    "length": "the reply was cut off after {} tokens; give more with LLM_REPLY_TOKENS",
    "content_filter": "the endpoint's filter stopped the reply",
}
"""What a reply lacks that did not come to its end, by its finish_reason."""
THOUGHTS: Final = ("thinking", "reasoning")
"""The types of parts of a message that hold what a model thinks first."""
MOST_BYTES: Final = 1 << 20
"""The largest reply that is read."""


class EndpointRefuses(CannotPlay):
    """The endpoint will not answer; the sentence says why, without the key."""


class NoAnswer(Exception):
    """The endpoint did not answer this time: it is slow, busy, refuses the request, or broke off."""

    def __init__(self, reason: str, wait_s: float = 0.0, *, may_pass: bool = True) -> None:
        """`wait_s` is how long it asks to be left alone, 0 if it does not say; `may_pass`: asking again may help."""
        super().__init__(reason)
        self.wait_s = wait_s
        self.may_pass = may_pass


@dataclass(frozen=True, slots=True)
class Response:
    """What came back for a request."""

    status: int
    content: bytes
    retry_after: str
    """The header of that name, empty without one."""

    @property
    def refuses(self) -> bool:
        """Whether the same request will never be answered."""
        is_passing = self.status in PASSING and NO_QUOTA not in self.content
        return 300 <= self.status < 500 and not is_passing

    @property
    def wait_s(self) -> float:
        """How many seconds the endpoint asks to be left alone, from now on (RFC 9110, 10.2.3); 0 if it does not say."""
        if re.fullmatch(r"[0-9]{1,6}", self.retry_after):
            return float(self.retry_after)
        try:
            return max(0.0, parsedate_to_datetime(self.retry_after).timestamp() - time())
        except ValueError:
            return 0.0


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply, and the tokens that it took; None where the endpoint does not count them."""

    text: str
    reasoning: str
    """What a model that thinks first sends apart from its reply; empty if it sends none."""
    tokens_in: int | None
    tokens_out: int | None
    trouble: str = ""
    """Why the text cannot be taken for an answer, in a sentence; empty if it can."""


class Endpoint:
    """A connection that is kept between requests."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        key = settings.api_key
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.Client(base_url=settings.base_url + "/", headers=headers)
        self._has_answered = False
        self._limit = "max_tokens"
        self._takes_temperature = True

    def complete(self, messages: Sequence[dict[str, str]], most_tokens: int, limit_s: float) -> Completion:
        """Return the reply to a conversation. Raises NoAnswer, also after `limit_s` seconds, and EndpointRefuses."""
        deadline = monotonic() + limit_s
        response = self._post(self._body(messages, most_tokens), deadline)
        while response.status == 400 and self._adapts(response.content):
            response = self._post(self._body(messages, most_tokens), deadline)
        status = f"status {response.status}{self._reason(response.content)}"
        if response.refuses and self._has_answered and response.status in OF_THE_REQUEST:
            raise NoAnswer(f"the endpoint refused the request with {status}", may_pass=False)
        if response.refuses:
            raise EndpointRefuses(
                f"the endpoint at {self._settings.host} refuses the model '{self._settings.model}' with {status}; "
                "check OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL"
            )
        if response.status != 200:
            raise NoAnswer(f"the endpoint answered with {status}", response.wait_s)
        found = self._completion(response.content, most_tokens)
        self._has_answered = True
        return found

    def _completion(self, content: bytes, most_tokens: int) -> Completion:
        """Read a reply. Raises NoAnswer for anything else, with the words of an error in it."""
        try:
            reply = parse_json(content)
            if reply.get("error"):
                raise NoAnswer(
                    f"the endpoint answered with an error{self._reason(json.dumps(reply['error']).encode())}"
                )
            usage, choice = reply.get("usage") or {}, reply["choices"][0]
            message, end = choice["message"], choice.get("finish_reason")
            text, thought = _parts(message.get("content"))
            refusal = message.get("refusal")
            return Completion(
                text=text,
                reasoning=thought or _text(message.get("reasoning_content") or message.get("reasoning")),
                tokens_in=_count(usage.get("prompt_tokens")),
                tokens_out=_count(usage.get("completion_tokens")),
                trouble=f"the model refuses: {_text(refusal)}" if refusal else CUT.get(end, "").format(most_tokens),
            )
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            raise NoAnswer(
                f"the endpoint answered with something that is not a completion{self._reason(content)}"
            ) from None

    def _body(self, messages: Sequence[dict[str, str]], most_tokens: int) -> dict[str, Any]:
        body = {"model": self._settings.model, "messages": list(messages), self._limit: most_tokens}
        if self._settings.reasoning_effort:
            body["reasoning_effort"] = self._settings.reasoning_effort
        return {**body, "temperature": self._settings.temperature} if self._takes_temperature else body

    def _adapts(self, content: bytes) -> bool:
        """Leave out or rename what a model objects to, as newer ones of OpenAI do; return whether anything changed."""
        if self._limit == "max_tokens" and b"max_completion_tokens" in content:
            self._limit = "max_completion_tokens"
            return True
        if self._takes_temperature and b"temperature" in content:
            self._takes_temperature = False
            return True
        return False

    def _post(self, body: dict[str, Any], deadline: float) -> Response:
        """Send a request; return what comes back. The limit covers all of it, however slowly it trickles."""
        try:
            left_s = max(0.001, deadline - monotonic())
            with self._client.stream("POST", "chat/completions", json=body, timeout=left_s) as response:
                content = b""
                for chunk in response.iter_bytes():
                    content += chunk
                    if monotonic() > deadline:
                        raise NoAnswer("the endpoint was too slow")
                    if len(content) > MOST_BYTES:
                        raise NoAnswer(f"the endpoint sent more than {MOST_BYTES} bytes")
                return Response(response.status_code, content, response.headers.get("Retry-After", ""))
        except httpx2.TimeoutException:
            raise NoAnswer("the endpoint was too slow") from None
        except httpx2.ConnectError as error:
            if not self._has_answered:
                raise EndpointRefuses(
                    f"nothing answers at {self._settings.host} ({self._settings.redact(str(error))}); start the "
                    "endpoint, or set OPENAI_BASE_URL"
                ) from None
            raise NoAnswer("the connection to the endpoint failed") from None
        except httpx2.HTTPError:
            raise NoAnswer("the connection to the endpoint broke off") from None

    def _reason(self, content: bytes) -> str:
        """Return the beginning of what an endpoint says about an error, on one line and without the key."""
        text = " ".join(self._settings.redact(content.decode(errors="replace")).split())
        return f" ({text[:200]})" if text else ""


def _parts(content: object) -> tuple[str, str]:
    """Return what a message says, and what it thinks: endpoints send a string, or a list of parts."""
    if not isinstance(content, list):
        return _text(content), ""
    spoken = (_text(part.get("text")) for part in content if part["type"] in ("text", "output_text"))
    thought = (_text(part.get("thinking") or part.get("text")) for part in content if part["type"] in THOUGHTS)
    return "\n".join(spoken), "\n".join(thought)


def _text(value: object) -> str:
    """Return a string that can be sent on: JSON may hold half a character."""
    return str(value or "").encode(errors="replace").decode()


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value < 1 << 40 else None
