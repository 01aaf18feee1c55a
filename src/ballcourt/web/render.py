"""Pages from templates."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension

from ballcourt.arena.printable import printable


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the name of its template, and the values that it shows."""

    template: str
    values: Mapping[str, Any]


class Templates:
    """The templates of an application, in the folder `templates` beside its modules.

    What strangers wrote is text on every page: templates escape it, and the filter `shown` makes it printable.
    """

    def __init__(
        self, folder: Path, filters: dict[str, Any], values: dict[str, Any], *, is_indented: bool = True
    ) -> None:
        """`values` are known to all templates; without `is_indented` pages are sent without indentation."""
        self._environment = Environment(
            extensions=[] if is_indented else [_Unindented],
            loader=FileSystemLoader(folder / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= {"shown": printable, "number": number, "dashed": dashed, **filters}
        self._environment.globals |= values

    def render(self, page: Page, **around: object) -> str:
        """Return a page; `around` are the values that all pages of the application show."""
        return self._environment.get_template(page.template).render({**around, **page.values})


def number(value: float) -> str:
    """Return a score or a share with as many digits as it needs, and with a true minus."""
    return f"{value:,g}".replace("-", "\u2212")


def dashed(words: str) -> str:
    """Return a number with a true minus, or a range of numbers with an en dash."""
    return re.sub(r"(?<=\d)-(?=\d)", "\u2013", re.sub(r"^-(?=\d)", "\u2212", words))


class _Unindented(Extension):
    """Takes the indentation out of templates, which is for those who edit them."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"^[ \t]+", "", source, flags=re.MULTILINE)
