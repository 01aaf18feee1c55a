"""What every process of a confined bot has for itself, and what is too large for that."""

from pathlib import Path

import pytest

from ballcourt.arena.bots import image
from ballcourt.arena.bots.contents import digest
from ballcourt.arena.bots.image import make_image, own_part, shared_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, size in (("bot.py", 10), ("data/book", 40), ("data/model", 50), ("data/.hidden", 1)):
        file = tmp_path / "mia" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * size)
    return tmp_path / "mia"


def sizes(folder: Path) -> dict[str, int]:
    return {str(file.relative_to(folder)): file.stat().st_size for file in folder.rglob("*") if file.is_file()}


def test_a_small_bot_is_copied_whole_without_what_is_not_hashed(folder: Path, tmp_path: Path) -> None:
    assert make_image(folder, tmp_path / "image", (".*",)) == digest(folder, (".*",))
    assert sizes(own_part(tmp_path / "image")) == {"bot.py": 10, "data/book": 40, "data/model": 50}
    assert shared_files(tmp_path / "image") == []


@pytest.mark.parametrize(
    ("most", "large", "shared"),
    [(60, 100, {"data/model"}), (20, 100, {"data/model", "data/book"}), (100, 45, {"data/model"})],
)
def test_only_the_largest_files_are_shared(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, large: int, shared: set[str]
) -> None:
    monkeypatch.setattr(image, "MOST_OWN", most)
    monkeypatch.setattr(image, "LARGE", large)
    found = make_image(folder, tmp_path / "image", (".*",))
    assert found == digest(folder, (".*",)), "the hash does not depend on what is shared"
    assert {str(path) for path in shared_files(tmp_path / "image")} == shared
    assert {name for name, size in sizes(own_part(tmp_path / "image")).items() if size == 0} == shared
