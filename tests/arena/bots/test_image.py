"""What every process of a confined bot has for itself, and what is too large for that."""

from pathlib import Path

import pytest

from ballcourt.arena.bots import image
from ballcourt.arena.bots.contents import ContentsError, digest
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


def test_a_bot_of_more_large_files_than_can_be_mounted_is_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(image, "MOST_OWN", 1)
    monkeypatch.setattr(image, "MOST_SHARED", 1)
    with pytest.raises(ContentsError, match=r"at most 1\); put them into fewer files"):
        make_image(folder, tmp_path / "image", (".*",))


def test_what_only_its_owner_may_read_is_readable_for_the_user_of_a_confined_bot(folder: Path, tmp_path: Path) -> None:
    (folder / "bot.py").chmod(0o600)
    (folder / "data").chmod(0o700)
    make_image(folder, tmp_path / "image", (".*",))
    own = own_part(tmp_path / "image")
    assert [(own / name).stat().st_mode & 0o777 for name in ("bot.py", "data")] == [0o644, 0o755]
