"""Standings as Markdown."""

import re

from ballcourt.leaderboard.model.standings import by_ladder
from ballcourt.leaderboard.show.markdown import to_markdown
from tests.leaderboard.made import board, match


def written(*names: str) -> list[str]:
    matches = [match(f"m{number}", *names) for number in range(5)]
    return to_markdown({ladder: board(played) for ladder, played in by_ladder(matches).items()}).splitlines()


def test_a_board_is_a_table_of_markdown_with_a_title_and_an_explanation() -> None:
    lines = written("ann", "bob", "cid")
    assert lines[0] == "### bluff, rules 1, 3 seats"
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert cells[0][:4] == [r"\#", "bot", "version", "rating"]
    assert cells[1][:4] == ["---:", ":---", ":---", "---:"]
    assert [row[1] for row in cells[2:]] == ["ann", "bob", "cid"]
    assert {len(row) for row in cells} == {len(cells[0])}
    assert any(line.startswith("A bot 4.0 points ahead") for line in lines)


def test_the_name_of_a_bot_cannot_be_markup() -> None:
    lines = written("a|b[x](y)<script>`*_", "bob")
    row = next(line for line in lines if "script" in line)
    assert len(re.findall(r"(?<!\\)\|", row)) == len(re.findall(r"\|", lines[2]))
    assert r"a\|b\[x\](y)\<script\>\`\*\_" in row
