"""The engine plays exactly as the golden playthroughs say."""

from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest

from ballcourt.engine.core import Game
from tests.golden.playthrough import FOLDER, golden_files, playthrough, seed_of

FILES = golden_files()
ADVICE = "if the new play is right, run `make golden` and review the difference with git"


@pytest.mark.parametrize(
    ("path", "game", "seats"),
    [pytest.param(path, *table, id=f"{path.parent.name}-{path.stem}") for path, table in FILES.items()],
)
def test_the_engine_plays_the_golden_match(path: Path, game: Game, seats: int) -> None:
    assert path.exists(), f"{game.name} has no golden playthrough for {seats} seats; run `make golden`"
    golden = path.read_text().splitlines()
    played = playthrough(game, seats, seed_of(path, game, seats)).splitlines()
    difference = list(islice(unified_diff(golden, played, "golden", "played now", lineterm=""), 30))
    assert not difference, "\n".join([*difference, ADVICE])


def test_every_golden_file_belongs_to_a_table() -> None:
    assert set(FOLDER.glob("*/*.txt")) - set(FILES) == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_file_can_be_reviewed(path: Path) -> None:
    assert path.stat().st_size < 200_000
