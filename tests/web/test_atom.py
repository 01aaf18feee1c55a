"""Feeds."""

from xml.etree import ElementTree

from ballcourt.web.atom import ATOM, AtomFeed, FeedEntry


def test_a_feed_has_no_character_that_xml_forbids() -> None:
    entry = FeedEntry("urn:x:1", "a\x00<b>\u202e", "2026-11-22T18:30:05Z", "/x", summary="one\ntwo\x1b[2J")
    root = ElementTree.fromstring(AtomFeed("urn:x", "cup", "cup", "/news", [entry]).to_xml())
    assert root.findtext(f"{{{ATOM}}}entry/{{{ATOM}}}summary", "").startswith("one\ntwo")
    assert root.findtext(f"{{{ATOM}}}updated") == entry.updated
