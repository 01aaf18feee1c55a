"""Results of other arenas in files: what is read, and what is refused."""

from pathlib import Path

import pytest

from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult, is_imported
from ballcourt.leaderboard.store.imported import imported

HEADER = "match,name,place\n"
PGN = """[Event "Club, 2026"]
[White "Ann Lee"]
[Black "Ben"]
[Result "1-0"]

1. e4 {a remark
[Result "0-1"]
} e5 1-0

[White "Ben"]
[Black "Ann Lee"]
[Result "1/2-1/2"]

1. d4 1/2-1/2

[White "Ben"]
[Black "Ann Lee"]
[Result "*"]

*
"""


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def seats(match: MatchResult) -> list[tuple[str, int, float]]:
    return [(str(seat.entrant), seat.placement, seat.score) for seat in match.seats]


def test_rows_of_a_match_need_not_be_adjacent_and_points_make_places(tmp_path: Path) -> None:
    rows = ["7,x,Ann Lee,2,2,go,a", "3,y,ben,0,,go,", "9,x,ben,1,,go,", "3,y,cyd,1,,go,"]
    text = "\n".join(["\ufeffpoints,match,name,seat,version,game,owner", *rows])
    first, second = imported(written(tmp_path, "some results.csv", text))
    assert seats(first) == [("ben 1", 1, 9), ("Ann_Lee 2", 2, 7)]
    assert [seat.owner for seat in first.seats] == ["", "a"]
    assert seats(second) == [("ben 1", 1, 3), ("cyd 1", 1, 3)]
    assert (first.ladder.game, first.ladder.seats) == ("go", 2)


def test_without_points_a_seat_has_one_for_each_opponent_below_it(tmp_path: Path) -> None:
    [match] = imported(written(tmp_path, "r.csv", HEADER + "1,a,2\n1,b,1\n1,c,2\n1,d,4\n"))
    assert seats(match) == [("a 1", 2, 1.5), ("b 1", 1, 3), ("c 1", 2, 1.5), ("d 1", 4, 0)]


def test_matches_of_a_block_share_their_luck_and_others_do_not(tmp_path: Path) -> None:
    text = "match,name,place,block\n1,a,1,x\n1,b,2,x\n2,b,1,x\n2,a,2,x\n3,a,1,\n3,b,2,\n4,a,1,\n4,b,2,\n"
    one, two, three, four = (match.deal for match in imported(written(tmp_path, "r.csv", text)))
    assert one == two
    assert len({one, three, four}) == 3


def test_json_lines_hold_the_same_rows(tmp_path: Path) -> None:
    lines = '{"match": 1, "name": "a", "place": 1, "owner": null}\n\n{"match": 1, "name": "b", "place": 2}\n'
    [match] = imported(written(tmp_path, "r.jsonl", lines))
    assert seats(match) == [("a 1", 1, 1), ("b 1", 2, 0)]


def test_pgn_is_read_by_its_tags_and_unfinished_games_do_not_count(tmp_path: Path) -> None:
    matches = imported(written(tmp_path, "club.PGN", PGN))
    assert [seats(match) for match in matches] == [
        [("Ann_Lee 1", 1, 1), ("Ben 1", 2, 0)],
        [("Ben 1", 1, 0.5), ("Ann_Lee 1", 1, 0.5)],
    ]
    assert {match.ladder.game for match in matches} == {"chess"}


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("r.csv", "match,name,plase\n1,a,1\n", "row 2 has the unknown key 'plase'.*did you mean place"),
        ("r.csv", HEADER + "1,a,1\n1,b,second\n", "row 3: place is 'second'; it must be a whole number from 1"),
        ("r.csv", HEADER + "1,a,1\n1,b,0\n", "row 3: place is '0'"),
        ("r.csv", HEADER + "1,a,1\n1,,2\n", "row 3 lacks 'name'"),
        ("r.csv", HEADER + "1,a,1\n2,a,1\n2,b,2\n", "row 2: match '1' has this row only; give one for each seat"),
        ("r.csv", HEADER + "1,a,1\n1,b,3\n", "row 3: match '1' has place 3; there are 2 seats"),
        ("r.csv", HEADER + "1,a,1\n1,b,\n", "row 3: match '1' has rows without a result; give place or points in each"),
        ("r.csv", "match,name,place,seat\n1,a,1,1\n1,b,2,1\n", "has seats that are missing or the same"),
        ("r.csv", "match,name,place,seat\n1,a,1,1\n1,b,2,\n", "has seats that are missing or the same"),
        ("r.csv", "match,name,place,block\n1,a,1,x\n1,b,2,y\n", "is in several blocks"),
        ("r.csv", "match,name,points\n1,a,nan\n1,b,2\n", "row 2: points is 'nan'"),
        ("r.csv", HEADER + "1,a,1,9\n", "row 2 has the unknown key 'more columns than the header'"),
        ("r.csv", HEADER.encode() + b"1,\xff,1\n", "r.csv: it is not UTF-8"),
        ("r.csv", HEADER + f"1,{'a' * 200_000},1\n", "r.csv: field larger than field limit"),
        ("r.csv", HEADER + f"1,{'a' * 201},1\n", "row 2: name is"),
        ("r.jsonl", '{"match": 1, "name": "a", "place": true}\n', "row 1: place is 'True'; it must be a whole number"),
        ("r.jsonl", "[1]\n", r"r.jsonl: a line is \[1\]; it must be an object"),
        ("r.jsonl", "{\n", "r.jsonl: Expecting property name"),
        ("r.jsonl", "[" * 60_000, "r.jsonl: maximum recursion"),
        ("r.pgn", '[White "a"]\n[Result "1-0"]\n\n1-0\n', "row 4 lacks 'name'"),
        ("r.pgn", '[White "a"]\n[Black "b"]\n[Result "2-0"]\n', "game 1 has the result '2-0'; it must be one of 1-0"),
        ("r.pgn", "{" * 70_000, "a line has more than 65536 characters"),
    ],
)
def test_what_is_wrong_is_named_with_its_row(tmp_path: Path, name: str, text: str | bytes, sentence: str) -> None:
    with pytest.raises(LeaderboardError, match=sentence):
        imported(written(tmp_path, name, text))


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(LeaderboardError, match=r"cannot read .*none\.csv: No such file or directory"):
        imported(tmp_path / "none.csv")


def test_only_files_of_these_kinds_are_results(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    places = ["a.csv", "a b.JSONL", "x/a.pgn", "a.sqlite", "sqlite:///a.csv", str(tmp_path / "folder.csv"), "runs"]
    assert [is_imported(place) for place in places] == [True, True, True, False, False, False, False]
