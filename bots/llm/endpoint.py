"""An OpenAI-compatible endpoint: one request for one reply, within a time limit."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import httpx2

from ballcourt import CannotPlay
from ballcourt.bots.llm.settings import Settings

REFUSALS: Final = (400, 401, 403, 404, 405, 422)
"""Status codes that say that the same request will never be answered."""
MOST_BYTES: Final = 1 << 20
"""The largest reply that is read."""


class EndpointRefuses(CannotPlay):
    """The endpoint will not answer; the sentence says why, without the key."""


class NoAnswer(Exception):
    """The endpoint did not answer this time: it is slow, busy, or broke off."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply, and the tokens that it took; None where the endpoint does not count them."""

    text: str
    tokens_in: int | None
    tokens_out: int | None


class Endpoint:
    """A connection that is kept between requests."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        key = settings.api_key
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.Client(base_url=settings.base_url + "/", headers=headers)
        self._has_answered = False

    def complete(self, messages: Sequence[dict[str, str]], most_tokens: int, limit_s: float) -> Completion:
        """Return the reply to a conversation. Raises NoAnswer, also after `limit_s` seconds, and EndpointRefuses."""
        body = {
            "model": self._settings.model,
            "messages": list(messages),
            "temperature": self._settings.temperature,
            "max_tokens": most_tokens,
        }
        status, content = self._post(body, monotonic() + limit_s)
        if status in REFUSALS:
            raise EndpointRefuses(
                f"the endpoint at {self._settings.host} refuses the model '{self._settings.model}' with status {status}"
                f"{self._reason(content)}; check OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL"
            )
        if status != 200:
            raise NoAnswer(f"the endpoint answered with status {status}{self._reason(content)}")
        self._has_answered = True
        return _completion(content)

    def _post(self, body: dict[str, Any], deadline: float) -> tuple[int, bytes]:
        """Send a request; return the status and the reply. The limit covers all of it, however slowly it trickles."""
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
                return response.status_code, content
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
        said = " ".join(self._settings.redact(content.decode(errors="replace")).split())
        return f" ({said[:200]})" if said else ""


def _completion(content: bytes) -> Completion:
    """Read a reply. Raises NoAnswer for anything else."""
    try:
        reply = json.loads(content)
        usage = reply.get("usage") or {}
        text = reply["choices"][0]["message"]["content"] or ""
        return Completion(str(text), _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise NoAnswer("the endpoint answered with something that is not a completion") from None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value < 1 << 40 else None
