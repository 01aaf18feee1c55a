"""Small files that become large: what strangers write who know how much memory the values of a file take."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from ballcourt.arena.files import BYTES_PER_PART, MOST_JSON
from ballcourt.arena.files import MOST_PARTS as MOST_ERRORS
from ballcourt.arena.following import LONGEST

Growth = Callable[[bytes], Iterator[bytes]]
"""Yields files that a file was turned into."""
DENSE: Final = (b"[]", b'{"":0}', b'{"":{"":[0]}}', b'"\xc4\x81"', b"1.5")
"""Values that take much memory for their bytes."""
WRONG: Final = "wrong"
"""Stands in a list for the values that are put there."""


def documents(text: bytes, size: int = MOST_JSON) -> Iterator[bytes]:
    """Yield documents of JSON of at most this number of bytes.

    They have many dense values, a long string, repeated lists, or lists of wrong values, each of which is an error.
    """
    most_parts = size // BYTES_PER_PART
    size -= 1 << 16
    for value in DENSE:
        parts = sum(map(value.count, (b",", b":", b"[", b"{"))) + 1
        for most in {min(most_parts // parts - 9, size // (len(value) + 1)), size // (len(value) + 1)}:
            yield b"[" + b",".join([value] * most) + b"]"
    yield b'["' + b"a" * size + '\U0001f600"]'.encode()
    document = json.loads(text)
    for inner in _lists(document):
        before = inner[:]
        inner *= size // len(json.dumps(inner))
        yield json.dumps(document).encode()
        inner[:] = [WRONG]
        wrong = json.dumps(document).encode()
        inner[:] = before
        for value, parts in ((b"[]", 2), (b"{}", 2), (b"null", 1)):
            for most in (most_parts, MOST_ERRORS, 2 * MOST_ERRORS):
                number = min((most - len(text)) // parts, size // (len(value) + 1))
                yield wrong.replace(json.dumps(WRONG).encode(), b",".join([value] * number))


def _lists(document: Any) -> Iterator[list[Any]]:  # noqa: ANN401  # JSON values
    """Yield the lists in a document that are not empty, the first one of each name; each may be changed meanwhile.

    Those in lists have no names, so there is only one of them.
    """
    seen, waiting = set(), [document]
    while waiting:
        value = waiting.pop(0)
        for name, inner in value.items() if isinstance(value, dict) else ((0, entry) for entry in value):
            if isinstance(inner, dict | list) and inner:
                waiting.append(inner)
            if isinstance(inner, list) and inner and name not in seen:
                seen.add(name)
                yield inner


def lines(text: bytes) -> Iterator[bytes]:
    """Yield files of lines of JSON: one of which is such a document, or of many lines."""
    first, *_ = text.splitlines()
    yield from (document + b"\n" for document in documents(first, LONGEST))
    yield text * ((1 << 20) // len(text))


def toml(text: bytes) -> Iterator[bytes]:
    """Yield tables of TOML with long lists, many keys or many tables, up to a megabyte."""
    size = (1 << 20) - len(text) - 99
    yield text + b"\n[long]\nlist = [" + b"[]," * (size // 3) + b"]"
    yield text + b"\n[long]\nlist = [" + b"1," * (size // 2) + b"]"
    yield text + b"\n" + b"[[long]]\n" * (size // 9)
    yield text + b"\n" + b"".join(b"[k%x]\n" % number for number in range(size // 9))
    yield text + b"\n[long]\n" + b"".join(b"%x.a.b.c=1\n" % number for number in range(size // 14))
