"""Hypothesis strategies for files of a known form in which single values are wrong: TOML, JSON, lines of JSON."""

import json
import tomllib
from copy import deepcopy
from typing import Any, Final

from hypothesis import strategies as st

from ballcourt.arena.files import to_toml
from tests.fuzz.damage import damaged

NUMBERS: Final = (
    0,
    -1,
    1,
    2,
    63,
    65,
    10**6,
    10**9,
    10**12,
    10**18,
    1 << 31,
    1 << 62,
    1 << 63,
    -(1 << 63),
    1 << 64,
    10**40,
)
FLOATS: Final = (float("nan"), float("inf"), -float("inf"), 0.5, 1e308, -0.0)
WORDS: Final = (
    "", " ", ".", "..", "../../etc/passwd", "/etc/passwd", "./evil", "x=evil", "=", "a b", "low 1", "any 1", "-rf",
    "\0", "\x1b[31mred", "a\nb", "\u202egnp.exe", "\u200b", "\uff4c\uff4f\uff57", "é" * 200, "x" * 100_000,
    "9" * 5_000, "{0.__class__}", "10 rounds", "1000000000000000000 blocks", "above 10% of 20 matches",
    "top 3 separated at 95%", "±0.0", "9999999 h", "b000000-r0", "b999999999999-r0", "2026-11-22T18:30:05Z",
    "9999-12-31T23:59:59.999999-14:00", "0001-01-01T00:00:00+14:00", "sha256:" + "0" * 64, "swiss", "ladder",
    "elimination", "bluff", "maya", "sqlite:///x", "remote:low",
)  # fmt: skip
"""Words that mean something somewhere, and others that no file should hold."""


def _deep(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


STRANGE: Final[tuple[object, ...]] = (
    *NUMBERS, *FLOATS, *WORDS, None, True, False, [], {}, [[]], [{}], {"a": 1}, _deep(60), _deep(400),
    [0] * 20_000, ["a"] * 1_000, {str(number): number for number in range(5_000)},
)  # fmt: skip
values = st.sampled_from(STRANGE)


@st.composite
def altered(draw: st.DrawFn, document: Any) -> Any:  # noqa: ANN401  # JSON values
    """Draw a document in which one to three values, at any depth, are strange, missing, doubled or renamed."""
    copied = json.loads(json.dumps(document, default=str))
    for _ in range(draw(st.integers(1, 3))):
        copied = _altered(draw, copied)
    return copied


def _altered(draw: st.DrawFn, value: Any) -> Any:  # noqa: ANN401
    if not (isinstance(value, dict | list) and value) or draw(st.integers(0, 9)) == 0:
        return deepcopy(draw(values))  # which a further change must not change
    key = draw(st.sampled_from([*value])) if isinstance(value, dict) else draw(st.integers(0, len(value) - 1))
    kind = draw(st.sampled_from(["inner"] * 6 + ["lost", "more", "renamed"]))
    if kind == "inner":
        value[key] = _altered(draw, value[key])
    elif kind == "lost":
        del value[key]
    elif isinstance(value, list):
        value.insert(key, deepcopy(value[key] if kind == "more" else draw(values)))
    else:
        value[draw(st.sampled_from(WORDS))] = value[key] if kind == "more" else value.pop(key)
    return value


def toml(text: bytes) -> st.SearchStrategy[bytes]:
    """Damage a TOML file."""
    return damaged(text) | altered(tomllib.loads(text.decode())).map(_to_toml)


def document(text: bytes) -> st.SearchStrategy[bytes]:
    """Damage a file that is a JSON document; also one with a key twice."""
    changed = altered(json.loads(text)).map(_to_json)
    return damaged(text) | changed | st.builds(_twice, changed, values.map(_to_json))


@st.composite
def lines(draw: st.DrawFn, text: bytes) -> bytes:
    """Damage a file of JSON objects, one a line; lines may also be lost, doubled, or in another order."""
    found = text.splitlines()
    number = draw(st.integers(0, len(found) - 1))
    kind = draw(st.sampled_from(["document"] * 4 + ["lost", "doubled", "moved"]))
    if kind == "document":
        found[number] = draw(document(found[number]))
    elif kind == "doubled":
        found.insert(draw(st.integers(0, len(found))), found[number])
    else:
        line = found.pop(number)
        if kind == "moved":
            found.insert(draw(st.integers(0, len(found))), line)
    return b"\n".join(found) + b"\n"


def _to_json(value: object) -> bytes:
    return json.dumps(value).encode()


def _to_toml(value: Any) -> bytes:  # noqa: ANN401
    return (to_toml(value) if isinstance(value, dict) else json.dumps(value)).encode(errors="surrogatepass")


def _twice(text: bytes, value: bytes) -> bytes:
    """Return a JSON object with its first key twice."""
    key, colon, _ = text.partition(b":")
    return key + colon + value + b"," + text[1:] if text.startswith(b"{") and colon else text
