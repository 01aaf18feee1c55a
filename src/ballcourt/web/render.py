"""Pages from templates: a page is a frozen dataclass, whose fields are the values that its template shows."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension

from ballcourt.arena.printable import printable


class Page(Protocol):
    """The values of a page: a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def template(self) -> str:
        """The name of its template."""


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
        self._environment.filters |= {"shown": printable, **filters}
        self._environment.globals |= values

    def render(self, page: Page, **around: object) -> str:
        """Return a page; `around` are the values that all pages of the application show."""
        return self._environment.get_template(page.template).render(around | values_of(page))


def values_of(page: Any) -> dict[str, Any]:  # noqa: ANN401 - any dataclass
    """Return the values of a page by their names."""
    return {field.name: getattr(page, field.name) for field in fields(page)}


class _Unindented(Extension):
    """Takes the indentation out of templates, which is for those who edit them."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"^[ \t]+", "", source, flags=re.MULTILINE)
