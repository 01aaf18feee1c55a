"""A table as files for any web server: a page whose arena runs in the page itself, in Pyodide, against bots in Python.

    maya.html           the table
    maya-bot.html       a page to write a bot in, which plays in the person's seat
    maya-rules.html
    maya.zip            the bots
    index.html          what can be played in the folder
    ballcourt.zip       the arena, and what it needs of protobuf
    worker.js
    pyodide/            Python, from the package of this name on npm

Another game may be written into the same folder.
"""

import hashlib
import json
import re
import shutil
import subprocess
import tarfile
import zipfile
from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import google.protobuf

import ballcourt
from ballcourt.arena.bots import contents
from ballcourt.arena.bots.bot import NO_CONTENT, Bot
from ballcourt.arena.browser.text import rules_page, text_page
from ballcourt.arena.files import folder_in_place_of
from ballcourt.arena.python import our_python
from ballcourt.arena.replays.page import STATIC, WORKER, playing_page, writing_page
from ballcourt.arena.temporary import scratch_folder
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.engine.core import WrongInput
from ballcourt.engine.registry import find_game, our_distribution, registered
from ballcourt.site.host import ADVISER, BOTS, PROGRAM, SiteTable, package_of

PYODIDE: Final = "314.0.7"
"""The version of Pyodide."""
INTEGRITY: Final = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""The SHA-512 of its package."""
FETCH_S: Final = 300
LOADED: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""What a page loads of it."""
ARENA: Final = "ballcourt.zip"
"""The archive of the arena, which marks a folder as one that may be written again."""
OWN_PAGE: Final = "-bot.html"
NUMPY: Final = re.compile(rb"^\s*(import|from) numpy\b", re.MULTILINE)
PARTS: Final = ("arena", "bots", "engine", "site", "v1", "web")
"""The packages of Ballcourt that a page needs, apart from single modules."""
EXAMPLE: Final = Path(__file__).with_name("first_bot.py")


class SiteError(WrongInput):
    """The pages cannot be written; the sentence says why."""


def _pyodide(package: Path | None) -> dict[str, bytes]:
    """Return the files of Pyodide that a page loads, from its package or from what npm fetches. Raises SiteError."""
    with scratch_folder() as folder:
        file = package or _fetched(folder)
        try:
            data = file.read_bytes()
        except OSError as error:
            raise SiteError(f"{file} cannot be read: {error.strerror}; name the package of Pyodide") from error
    if b64encode(hashlib.sha512(data).digest()).decode() != INTEGRITY:
        raise SiteError(f"{file} is not the package pyodide {PYODIDE} of npm; fetch it by npm pack pyodide@{PYODIDE}")
    with tarfile.open(fileobj=BytesIO(data)) as archive:
        members = {name: archive.extractfile(f"package/{name}") for name in LOADED}
        return {name: member.read() for name, member in members.items() if member}


def _fetched(folder: Path) -> Path:
    command = ["npm", "pack", "--silent", f"pyodide@{PYODIDE}"]
    otherwise = f"fetch it by `{' '.join(command)}` elsewhere, and name the file by --pyodide"
    if not (npm := shutil.which("npm")):
        raise SiteError(f"Pyodide comes from npm, which is not installed here; {otherwise}")
    try:
        done = subprocess.run(
            [npm, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=FETCH_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise SiteError(f"npm did not fetch Pyodide within {FETCH_S} s; {otherwise}") from None
    if found := [*folder.glob("*.tgz")]:
        return found[0]
    (reason, *_) = done.stderr.strip().splitlines() or ["it gives no reason"]
    raise SiteError(f"npm cannot fetch Pyodide ({reason}); {otherwise}")


def write_match_site(folder: Path, match: PlayableMatch, person: int, adviser: Bot | None, package: Path | None) -> int:
    """Write the pages of a table, whole or not at all; return how many bytes a page of it loads.

    `person` is a seat, `adviser` gives hints, and `package` is that of Pyodide, which npm fetches otherwise. Pages of
    other games stay. Raises SiteError, also for a folder with anything else and a bot that cannot play in a page, and
    OSError.
    """
    if folder.exists() and not (folder / ARENA).is_file() and (not folder.is_dir() or any(folder.iterdir())):
        raise SiteError(f"{folder} has other files in it; name an empty folder or one that does not exist")
    spec = match.spec
    game = find_game(spec.game)
    if spec.game in registered():
        raise SiteError(f"{spec.game} comes from elsewhere than Ballcourt, and a page has Ballcourt's games alone")
    bots = {package_of(seat): match.bots[entrant] for seat, entrant in enumerate(spec.entrants) if seat != person} | (
        {ADVISER: adviser} if adviser else {}
    )
    names = [entrant.bot.name for entrant in spec.entrants]
    table: SiteTable = {
        "game": game.name,
        "options": spec.options,
        "seats": [None if seat == person else name for seat, name in enumerate(names)],
        "hints": adviser.name if adviser else "",
    }
    worker = f"{WORKER}?{urlencode({'bots': game.name, 'table': json.dumps(table)})}"
    pages = {
        f"{game.name}.html": playing_page(game, names, worker, "index.html"),
        f"{game.name}{OWN_PAGE}": writing_page(game, EXAMPLE.read_text(encoding="utf-8"), worker, "index.html"),
        f"{game.name}-rules.html": rules_page(game),
    }
    files = {
        f"{game.name}.zip": _zipped(_of_bots(bots)),
        ARENA: _zipped(_modules()),
        **{f"pyodide/{name}": data for name, data in _pyodide(package).items()},
        WORKER: (STATIC / WORKER).read_bytes(),
        **{name: page.text.encode() for name, page in pages.items()},
    }
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder_in_place_of(folder) as temporary:
        if folder.exists():
            shutil.copytree(folder, temporary, dirs_exist_ok=True)
        (temporary / "pyodide").mkdir(exist_ok=True)
        for name, data in files.items():
            (temporary / name).write_bytes(data)
        (temporary / "index.html").write_text(_index(temporary), encoding="utf-8")
    return sum(map(len, files.values()))


def _modules() -> Iterator[tuple[str, bytes]]:
    """Yield the paths and texts of the modules that a page imports."""
    ours = Path(ballcourt.__path__[0])
    found = [*ours.glob("*.py")]
    for part in PARTS:
        found += (ours / part).rglob("*.py")
    for module in found:
        yield f"{ours.name}/{module.relative_to(ours)}", module.read_bytes()
    for folder in google.protobuf.__path__:
        for module in Path(folder).rglob("*.py"):
            yield f"google/protobuf/{module.relative_to(folder)}", module.read_bytes()
    name, version = our_distribution()
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    yield f"{name}-{version}.dist-info/METADATA", metadata.encode()


def _of_bots(bots: dict[str, Bot]) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and contents of the files of bots, which are packages. Raises SiteError."""
    for package, bot in bots.items():
        if bot.command != (our_python(), PROGRAM) or bot.build or bot.requirements or bot.directory != bot.folder:
            raise SiteError(
                f"{bot.name} cannot play in a page; a bot can whose command in bot.toml is "
                f'["{{python}}", "{PROGRAM}"], without a build, requirements or a python of its own'
            )
        for item in contents.items(bot.home, (*NO_CONTENT, *bot.ignore)):
            if item.kind in (contents.ItemKind.FILE, contents.ItemKind.PROGRAM):
                data = Path(bot.home, item.path).read_bytes()
                if item.path.endswith(".py") and NUMPY.search(data):
                    raise SiteError(f"{bot.name} cannot play in a page; {item.path} imports NumPy, which no page has")
                yield f"{BOTS}/{package}/{item.path}", data


def _zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive, which is the same whenever its files are."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _index(folder: Path) -> str:
    """Return the page that leads to the games of a site."""
    games = [find_game(page.name.removesuffix(OWN_PAGE)) for page in sorted(folder.glob(f"*{OWN_PAGE}"))]
    links = "".join(
        f'<li><a href="{game.name}.html">Play {escape(game.title)}</a>, or '
        f'<a href="{game.name}{OWN_PAGE}">write a bot for it</a></li>'
        for game in games
    )
    return text_page("Ballcourt", f"<h1>Ballcourt</h1>\n<ul>{links}</ul>\n").text
