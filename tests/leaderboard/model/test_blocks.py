"""Which matches share a block."""

from collections import defaultdict
from dataclasses import replace

from ballcourt.leaderboard.model.arrays import block_numbers, columns_of
from ballcourt.leaderboard.model.results import MatchResult
from tests.leaderboard.made import match


def blocks(matches: list[MatchResult]) -> list[list[str]]:
    """Return the deals of the matches of each block."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    for number, played in zip(block_numbers(columns_of(matches)).tolist(), by_order(matches), strict=True):
        found[number].append(played.deal)
    return sorted(found.values())


def by_order(matches: list[MatchResult]) -> list[MatchResult]:
    return sorted(matches, key=lambda match: match.order)


def test_all_rotations_of_a_table_are_one_block() -> None:
    keys = ["b000000-r0", "b000001-r0", "b000000-r1", "b000001-r1"]
    played = [replace(match(key, "ann", "bob"), deal=key) for key in keys]
    assert blocks(played) == [["b000000-r0", "b000000-r1"], ["b000001-r0", "b000001-r1"]]


def test_the_same_key_with_different_entrants_is_a_different_block() -> None:
    played = [match("b000000-r0", "ann", "bob"), match("b000000-r1", "ann", "cid")]
    assert blocks(played) == [["deal b000000-r0"], ["deal b000000-r1"]]


def test_seats_of_one_bot_do_not_change_who_sits_at_a_table() -> None:
    played = [match("b000000-r0", "ann", "ann bob"), match("b000000-r1", "ann", "bob bob")]
    assert len(blocks(played)) == 1


def test_two_tournaments_with_the_same_keys_are_distinguished_by_their_folders() -> None:
    keys = ("b000000-r0", "b000000-r1")
    played = [
        replace(match(key, "ann", "bob"), deal=f"{folder} {key}", record=f"/runs/{folder}/records/{key}.match")
        for folder in ("one", "two")
        for key in keys
    ]
    assert blocks(played) == [["one b000000-r0", "one b000000-r1"], ["two b000000-r0", "two b000000-r1"]]


def test_matches_without_a_block_in_their_key_are_grouped_by_their_deal() -> None:
    played = [replace(match(key, "ann", "bob"), deal=deal) for key, deal in (("x", "one"), ("y", "one"), ("z", "two"))]
    assert blocks(played) == [["one", "one"], ["two"]]
