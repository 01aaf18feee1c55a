"""Words of strangers as they may be printed: bots, records and files of others decide what is in them.

Everything that leaves for a terminal, a file of lines, a spreadsheet or a program goes through one of these functions.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from html.entities import html5
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pydantic import TypeAdapter

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet take a cell for a formula, at its beginning."""
HIDDEN: Final = "***"
LEAST_CODED: Final = 4
SHARED: Final = "[A-Za-z0-9+/_-]?"
"""A character of Base64 that encodes bits of a secret together with bits of the byte before or after it."""
BREAK: Final = r"(?:\s|\\{1,8}[rn]){0,4}"
"""What may be between two characters of Base64, which is often cut into lines."""
SHORT_SPELLINGS: Final = {
    " ": [r"\+"],
    "\n": [r"\\{1,8}n"],
    "\r": [r"\\{1,8}r"],
    "\t": [r"\\{1,8}t"],
    "\b": [r"\\{1,8}b"],
    "\f": [r"\\{1,8}f"],
}
MARKUP: Final = frozenset("\\`*_{}[]<>#|~!&@$^")
"""What Markdown takes for markup, the extensions of its usual readers included."""
LATEX: Final = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
}
"""What LaTeX shows for characters that mean something to it."""


def printable(text: str) -> str:
    """Return one line that moves no cursor: escapes for control characters, line ends, marks that turn the direction
    of writing, lone surrogates and whatever else has no shape of its own.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def cut(text: str, most: int = 200) -> str:
    """Return a string without its middle if it is longer than `most` characters."""
    if len(text) <= most:
        return text
    return f"{text[: most // 2]} ... {len(text) - 2 * (most // 2)} characters left out ... {text[-(most // 2) :]}"


def redacted(text: str, secrets: Iterable[str]) -> str:
    """Return a string with *** for these secrets, however JSON, an address, HTML or Base64 spell them.

    Base64 is looked for at any offset in longer Base64, from secrets of `LEAST_CODED` bytes on: what fewer become is in
    any text. Empty secrets are passed over. Quoting is recognised when it was repeated up to three times.
    """
    for secret in sorted({*filter(None, secrets)}, key=len, reverse=True):  # one may hold a shorter one
        text = _spelt(secret).sub(HIDDEN, text)
    return text


@cache
def _spelt(secret: str) -> re.Pattern[str]:
    """Return a pattern of all spellings of a secret."""
    data, spellings = secret.encode(errors="surrogatepass"), ["".join(map(_character, secret))]
    if len(data) >= LEAST_CODED:
        spellings += (_in_base64(data, before) for before in range(3))
    return re.compile("|".join(spellings))


def _character(character: str) -> str:
    """Return a pattern of the spellings of a character: itself, quoted, by its number or by its name in HTML."""
    octets, units = (character.encode(coding, errors="surrogatepass").hex() for coding in ("utf-8", "utf-16-be"))
    names = [re.escape(name.rstrip(";")) for name, value in html5.items() if value == character]
    number = ord(character)
    coded = "|".join([*names, f"#0{{0,8}}{number}", f"#[xX]0{{0,8}}(?i:{number:x})"])
    spellings = [
        "".join(rf"\\{{1,8}}u(?i:{units[at : at + 4]})" for at in range(0, len(units), 4)),
        rf"\\{{1,8}}x(?i:{number:02x})",
        "".join(rf"%(?:25){{0,8}}(?i:{octets[at : at + 2]})" for at in range(0, len(octets), 2)),
        rf"&(?:amp;){{0,8}}(?:{coded})(?![0-9A-Za-z]);?",
        *SHORT_SPELLINGS.get(character, ()),
        re.escape(character) if character.isalnum() else rf"\\{{0,8}}{re.escape(character)}",
    ]
    return f"(?:{'|'.join(spellings)})"


def _in_base64(data: bytes, before: int) -> str:
    """Return a pattern of bytes in Base64 that `before` bytes precede, with what they share with their neighbours."""
    whole = b64encode(bytes(before) + data).decode()[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
    either = {"+": f"(?:{_character('+')}|-)", "/": f"(?:{_character('/')}|_)"}
    return f"{SHARED}{BREAK.join(either.get(each, each) for each in whole)}{SHARED}"


def csv_text(text: str) -> str:
    """Escape a CSV cell against formula injection with a leading apostrophe."""
    return printable(f"'{text}" if text.startswith(FORMULA) else text)


def markdown_text(text: str) -> str:
    """Return words that Markdown shows as they are: every character that could begin markup is escaped."""
    return "".join(f"\\{char}" if char in MARKUP else char for char in printable(text))


def latex_text(text: str) -> str:
    """Return words that LaTeX shows as they are."""
    return "".join(LATEX.get(char, char) for char in printable(text))


def as_json(value: object, *, indent: int | None = 2) -> str:
    """Return JSON that every program can read: numbers that JSON lacks become null, lone surrogates U+FFFD.

    Dataclasses and models become objects, as `values_of` describes.
    """
    with suppress(ValueError):  # of a number that JSON lacks
        text = json.dumps(value, indent=indent, allow_nan=False, default=values_of)
        if "\\ud" not in text:  # nor does it have surrogates, of which a pair is a character
            return text
    return json.dumps(_plain(value), indent=indent, allow_nan=False)


def json_line(value: object) -> str:
    """Return JSON like `as_json`, on one line."""
    return as_json(value, indent=None)


def values_of(form: object) -> Any:  # noqa: ANN401  # JSON values
    """Return a dataclass or model as JSON values. Pydantic makes them from its types, and the schema from the same."""
    adapter = _adapter(type(form))  # type: ignore[arg-type]  # mypy takes types for unhashable
    return adapter.dump_python(form, mode="json", by_alias=True, warnings=False)


@cache
def _adapter(form: type[object]) -> "TypeAdapter[Any]":
    from pydantic import TypeAdapter  # to import it takes longer than most commands that print no JSON

    return TypeAdapter(form)


def _plain(value: object) -> object:
    if isinstance(value, str):
        return value if value.isascii() else value.encode(errors="surrogatepass").decode(errors="replace")
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {_plain(name): _plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value if value is None or isinstance(value, int) else _plain(values_of(value))
