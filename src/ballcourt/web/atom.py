"""Atom feeds (RFC 4287). An entry has an id that never changes, so a reader shows it once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from ballcourt.arena.printable import printable

ATOM: Final = "http://www.w3.org/2005/Atom"
MEDIA_TYPE: Final = "application/atom+xml"
BEFORE_ALL: Final = "1970-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An entry of a feed."""

    id: str
    title: str
    updated: str
    """A time as RFC 3339 writes it."""
    link: str = ""
    author: str = ""
    """By default that of the feed."""
    summary: str = ""
    """May have several lines."""


@dataclass(frozen=True, slots=True)
class AtomFeed:
    """A feed, the newest entry first."""

    id: str
    title: str
    author: str
    link: str
    """The page that has the same."""
    entries: Sequence[FeedEntry]

    def to_xml(self, updated: str = BEFORE_ALL) -> bytes:
        """Return the document; `updated` is its time if it has no entry."""
        root = Element("feed", xmlns=ATOM)
        last = self.entries[0].updated if self.entries else updated
        _add(root, id=self.id, title=self.title, updated=last)
        _add(SubElement(root, "author"), name=self.author)
        SubElement(root, "link", href=self.link)
        for one in self.entries:
            entry = SubElement(root, "entry")
            _add(entry, id=one.id, title=one.title, updated=one.updated)
            if one.link:
                SubElement(entry, "link", href=one.link)
            if one.author:
                _add(SubElement(entry, "author"), name=one.author)
            if one.summary:
                _add(entry, summary=one.summary)
        text: str = tostring(root, "unicode")
        return f'<?xml version="1.0" encoding="utf-8"?>\n{text}'.encode()


def _add(element: Element, **texts: str) -> None:
    for name, text in texts.items():
        SubElement(element, name).text = "\n".join(map(printable, text.split("\n")))
