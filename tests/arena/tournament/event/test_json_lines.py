"""Files of JSON objects, one a line: how much a line may hold."""

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from ballcourt.arena.files import MOST_PARTS
from ballcourt.arena.tournament.event.json_lines import read_lines
from ballcourt.arena.tournament.event.stages import StagesError

LISTS: TypeAdapter[list[list[int]]] = TypeAdapter(list[list[int]])
MOST_LISTS = MOST_PARTS
"""Each has a bracket and a comma, and a line may hold twice as many values as other documents."""


def test_a_line_that_is_short_and_holds_very_much_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    file.write_bytes(b"[" + b",".join([b"[]"] * MOST_LISTS) + b"]\n")
    [(number, found)] = read_lines(file, LISTS, StagesError)
    assert (number, len(found)) == (1, MOST_LISTS)
    file.write_bytes(b"[" + b",".join([b"[]"] * (MOST_LISTS + 1)) + b"]\n")
    with pytest.raises(StagesError, match="damaged in line 1"):
        list(read_lines(file, LISTS, StagesError))
