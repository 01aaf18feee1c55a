"""Words of strangers as they may be printed: bots, records and files of others decide what is in them.

Everything that leaves for a terminal, a file of lines, a spreadsheet or a program goes through one of these functions.
"""

import json
from contextlib import suppress
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pydantic import TypeAdapter

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet take a cell for a formula, at its beginning."""
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
