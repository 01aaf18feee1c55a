"""Suites: what is published never changes, and what cannot be played here is said."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from ballcourt.evaluation.suites.suite import FOLDER, BenchmarkError, find_suite, known_suites

PUBLISHED = {
    "ahau-1": "6148ed6f88d2b30339dfb8ca609e808eb3e522f2979e3f5dcbddedad6bb65697",
    "all-1": "eb19610dc057b2f0d37a82b97de8305479d636255f59f35fc2ae3eb2c12011c4",
    "maya-1": "0239e7fdfed44d0a6fba1363d1cc9206ab7ba04cce50cacd8c6ea26d2c79259a",
    "tzolkin-1": "62f67633afe62a6bbc4cd31688c5f0d00bc71b6ef8cdcd2f321134f15d6473fb",
}
"""The SHA-256 of every suite that was published. A suite is never edited: write the next one instead."""


def test_a_published_suite_is_what_it_was() -> None:
    assert {file.stem: sha256(file.read_bytes()).hexdigest() for file in FOLDER.glob("*.toml")} == PUBLISHED


@pytest.mark.parametrize("name", known_suites())
def test_a_suite_is_a_gauntlet_of_the_bot_through_the_field_on_fixed_deals(name: str) -> None:
    suite = find_suite(name)
    event = suite.event("./mine", workers=2)
    assert (event.format, event.focus, event.rounds, event.workers) == ("gauntlet", ("candidate",), suite.rounds, 2)
    assert event.seed is not None
    assert event.bots == (f"candidate={Path('mine').absolute()}", *suite.file.field)
    assert event.clock.scale is not None


@pytest.mark.parametrize("name", ["all-1", "ahau-1", "maya-1", "tzolkin-1"])
def test_the_newest_suites_can_be_played_with_these_rules_and_bots(name: str) -> None:
    """If it fails because rules or a bot have changed on purpose, write the next suites."""
    find_suite(name).check()


def test_other_rules_or_another_bot_of_the_field_are_refused() -> None:
    suite = find_suite("maya-1")
    other = replace(suite, file=suite.file.replaced(rules={"maya": "0"}))
    with pytest.raises(BenchmarkError, match="suite maya-1 is played with the rules of maya in version 0, and here is"):
        other.check()
    other = replace(suite, file=suite.file.replaced(field={"greedy": "1"}))
    with pytest.raises(BenchmarkError, match="the bot greedy in version 1, and here is version"):
        other.check()


def test_an_unknown_suite_is_one_sentence_with_those_that_are_known() -> None:
    with pytest.raises(
        BenchmarkError, match=r"there is no suite 'maja-1'; known suites: .*maya-1.*\(did you mean maya-1\?\)"
    ):
        find_suite("maja-1")
