"""Which matches share a block."""

from dataclasses import replace

from ballcourt.leaderboard.blocks import block_numbers
from tests.leaderboard.made import match


def test_all_rotations_of_a_table_are_one_block() -> None:
    keys = ["b000000-r0", "b000001-r0", "b000000-r1", "b000001-r1"]
    assert block_numbers([match(key, "ann", "bob") for key in keys]) == [0, 1, 0, 1]


def test_the_same_key_with_different_entrants_is_a_different_block() -> None:
    assert block_numbers([match("b000000-r0", "ann", "bob"), match("b000000-r1", "ann", "cid")]) == [0, 1]


def test_two_tournaments_in_one_database_are_distinguished_by_the_deal() -> None:
    first = [replace(match(f"b000000-r{turn}", "ann", "bob"), deal="one") for turn in range(2)]
    second = [replace(match(f"b000000-r{turn}", "ann", "bob"), deal="two") for turn in range(2)]
    assert block_numbers([*first, *second]) == [0, 0, 1, 1]


def test_two_tournaments_with_a_deal_per_match_are_distinguished_by_their_folders() -> None:
    keys = ("b000000-r0", "b000000-r1")
    played = [
        replace(match(key, "ann", "bob"), deal=f"{folder} {key}", record=f"/runs/{folder}/records/{key}.match")
        for folder in ("one", "two")
        for key in keys
    ]
    assert block_numbers(played) == [0, 0, 1, 1]


def test_matches_without_a_block_in_their_key_are_grouped_by_their_deal() -> None:
    played = [replace(match(key, "ann", "bob"), deal=deal) for key, deal in (("x", "one"), ("y", "one"), ("z", "two"))]
    assert block_numbers(played) == [0, 0, 1]
    assert block_numbers([match("x", "ann", "bob"), match("y", "ann", "bob")]) == [0, 1]
