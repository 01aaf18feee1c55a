"""The image of a bot: what its confined processes see of its folder, as it was when it was hashed.

Processes that share a file can talk through it, and later ones can learn what earlier ones read by how fast it is
read. So every process gets a copy of its own. What is too large to be copied at each start is shared.

    <image>/own/       the folder, with an empty file in place of each that is shared
    <image>/shared/    those files, under their paths
"""

import os
from collections.abc import Sequence
from pathlib import Path

from ballcourt.arena.bots import contents
from ballcourt.arena.bots.contents import ContentsError, ItemKind

MOST_OWN = 64 << 20
"""How many bytes every process of a bot gets a copy of: it takes 0.4 ms per MB."""
LARGE = 32 << 20
"""A file of more bytes is shared in any case."""
MOST_SHARED = 1000
"""How many files may be shared; each has to be mounted, and bubblewrap takes 9000 arguments."""


def make_image(folder: Path, new: Path, ignore: Sequence[str] = ()) -> str:
    """Make the image of a folder; return its digest, see `contents.digest`. Raises ContentsError and OSError."""
    new.mkdir()
    own = new / "own"
    found = contents.copy(folder, own, ignore)
    shared = _too_much(own)
    if len(shared) > MOST_SHARED:
        raise ContentsError(
            f"{folder} has too many large files ({len(shared)}; at most {MOST_SHARED}); put them into fewer files"
        )
    for path in shared:
        place = new / "shared" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        (own / path).rename(place)
        (own / path).touch()
    return found


def own_part(image: Path) -> Path:
    """Return the folder that is copied for every process."""
    return image / "own"


def shared_files(image: Path) -> list[Path]:
    """List the files that all processes share, by their paths below the folder."""
    shared = image / "shared"
    return [Path(folder, name).relative_to(shared) for folder, _, names in os.walk(shared) for name in names]


def _too_much(folder: Path) -> list[str]:
    """List the largest files of a folder, as many as have to be shared."""
    files = [item for item in contents.items(folder) if item.kind in (ItemKind.FILE, ItemKind.PROGRAM)]
    left = sum(item.size for item in files)
    chosen = []
    for item in sorted(files, key=lambda item: -item.size):
        if item.size <= LARGE and left <= MOST_OWN:
            break
        chosen.append(item.path)
        left -= item.size
    return chosen
