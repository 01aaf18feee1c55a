"""A replay as one page that needs no server, no network and no other file.

The page carries the modules of the viewer, its style and the replays. The modules are joined into one script: they
import each other only with lines of their own, and their names differ. The replays are compressed and in base64, so
nothing that a bot wrote can end the element that holds them.

A game may have a drawing of its own: `board.js` and its style `board.css`, in the folder `view` of its package. A
drawing exports `createBoard`, and imports other modules of that folder if it likes. `static/plain_board.js` serves the
games without one, and scenes of other rules that the drawing of a game cannot draw (`static/sturdy.js`). `picture.png`
in that folder is the picture that previews of links show; `python -m tests.pictures` takes it.
"""

import gzip
import re
import shlex
import sys
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template

from ballcourt.arena.files import in_place_of
from ballcourt.arena.printable import as_json, printable
from ballcourt.arena.replays.document import Document
from ballcourt.arena.replays.story import name_of, score_text, short_text
from ballcourt.engine.core import Game, UnknownGame, WrongInput
from ballcourt.engine.core.options import unusual
from ballcourt.engine.registry import find_game
from ballcourt.web.style import SHEETS

STATIC = Path(__file__).parent / "static"
MODULES = (
    "elements.js",
    "symbols.js",
    "about.js",
    "layers.js",
    "scenes.js",
    "panel.js",
    "picture.js",
    "sheet.js",
    "chart.js",
    "estimates.js",
    "log.js",
    "text.js",
    "player.js",
)
BEGINNINGS = {
    "start": (),
    "follow": ("stream.js", "follow.js"),
    "play": ("stream.js", "server.js", "in_page.js", "offers.js", "tour.js", "play.js"),
    "analyse": ("stream.js", "server.js", "analyse.js"),
    "writeBot": ("in_page.js", "workshop.js"),
}
"""The modules of a page besides `MODULES`, by the function that its script calls."""
WORKER = "worker.js"
"""The program of the worker that is the arena of a page without a server."""
COMMENTS = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n", re.MULTILINE | re.DOTALL)
"""Those that have lines of their own; pages would be a tenth longer with them."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as HTML, and its Content-Security-Policy, which it also states itself."""

    text: str
    policy: str


@dataclass(frozen=True, slots=True)
class Appearance:
    """How scenes are drawn: as their game does, if it is installed."""

    title: str
    game: Game | None
    is_current: bool = True
    """Whether the scenes are those of the installed rules."""


class PageError(WrongInput):
    """The page cannot be written."""


def write_page(path: Path, replays: list[Document]) -> None:
    """Write the page for views of one match, whole or not at all. Raises PageError."""
    written = page(replays)
    try:
        with in_place_of(path) as temporary:
            temporary.write_text(written.text, encoding="utf-8")
    except OSError as error:
        raise PageError(f"{path} cannot be written ({error.strerror}); name a file in a folder that exists") from error


def page(
    replays: list[Document],
    home: str = "",
    record: str = "",
    note: str = "",
    around: Sequence[tuple[str, str]] = (),
    pictures: str = "",
) -> Page:
    """Return the page for views of one match.

    `home` is the address that its title leads to, `record` the path of the record for those who read the page on the
    machine that has it, `note` what else to say of the match; all may be empty. `around` are links, each a name and an
    address, `pictures` is what the addresses of pictures of games begin with.
    """
    first = replays[0]
    about = f"{_about(first)}. {note}" if note else _about(first)
    appearance, bots = _appearance(first), _bots(first)
    return _page(
        appearance, bots, about, home, "start", packed=replays, record=record, around=around, pictures=pictures
    )


def running_page(game: Game, match: str, bots: list[str], stream: str, home: str, pictures: str = "") -> Page:
    """Return the page for a match that is being played; `stream` is the address of its events."""
    appearance, about = Appearance(game.title, game), f"{match}, live"
    return _page(appearance, bots, about, home, "follow", stream=stream, pictures=pictures)


def playing_page(game: Game, players: list[str], stream: str, home: str = "") -> Page:
    """Return the page for a person who plays; `stream` is the address of what the seat sees."""
    return _page(Appearance(game.title, game), players, ", ".join(players), home, "play", stream=stream)


def writing_page(game: Game, program: str, stream: str, home: str) -> Page:
    """Return the page to write a bot in that begins as `program`; `stream` is the address of the worker it plays in."""
    appearance, about = Appearance(game.title, game), "Write a bot, and watch it play."
    return _page(appearance, ["a bot of yours"], about, home, "writeBot", stream=stream, program=program)


def analysis_page(replays: list[Document], address: str) -> Page:
    """Return the page of a replay that can be branched off from; `address` is its own, with the token."""
    first = replays[0]
    return _page(_appearance(first), _bots(first), _about(first), "", "analyse", packed=replays, stream=address)


def _appearance(replay: Document) -> Appearance:
    """Return how the scenes of a document are drawn."""
    try:
        game = find_game(replay["game"])
    except UnknownGame:
        return Appearance(replay["title"], None)
    return Appearance(replay["title"], game, replay["rules_version"] == game.rules_version)


def _page(
    appearance: Appearance,
    bots: list[str],
    about: str,
    home: str,
    begin: str,
    *,
    packed: list[Document] | None = None,
    stream: str = "",
    record: str = "",
    program: str = "",
    around: Sequence[tuple[str, str]] = (),
    pictures: str = "",
) -> Page:
    """Return a page whose script calls `begin` with the drawing of the game."""
    script, style = _script(appearance, begin), style_of(appearance.game)
    reached = "worker-src" if stream.startswith(WORKER) else "connect-src"
    reaches = f"{reached} 'self'; " if stream else ""
    picture = preview(appearance.game.name, pictures) if appearance.game and pictures else ""
    policy = (
        f"default-src 'none'; script-src {hashed_source(script)}; style-src {hashed_source(style)}; img-src data:; "
        f"{reaches}base-uri 'none'; form-action 'none'"
    )
    text = Template((STATIC / "page.html").read_text(encoding="utf-8")).substitute(
        policy=policy,
        title=escape(printable(f"{appearance.title}: {', '.join(bots)}")),
        heading=f'<a href="{escape(home)}">{_shown(appearance.title)}</a>' if home else _shown(appearance.title),
        about=escape(printable(about)),
        picture=f'<meta property="og:image" content="{_shown(picture)}">' if picture else "",
        summary=_shown(_result(packed[0]) if packed else about),
        short=escape("\n".join(map(printable, short_text(packed[0])))) if packed else "The match is not over.",
        script=script,
        style=style,
        replays=_packed(packed) if packed else "",
        stream=escape(stream),
        program=escape(program),
        advice=_advice(record) if record else "",
        around=_links(around),
    )
    return Page(text, policy)


def _shown(text: str) -> str:
    return escape(printable(text))


def _advice(record: str) -> str:
    """Return how to analyse the match, for a reader; the script completes the command with the decision."""
    command = escape(printable(shlex.join(["ballcourt", "replay", "analyse", record])))
    return (
        '<details class="words"><summary>Play on from here, or ask a bot</summary>'
        f'<p>Run this command:</p><pre data-part="command" data-command="{command}">{command}</pre></details>'
    )


def _links(around: Sequence[tuple[str, str]]) -> str:
    links = [f'<a href="{escape(address)}"><bdi>{escape(printable(name))}</bdi></a>' for name, address in around]
    return f'<p class="around">{" ".join(links)}</p>' if links else ""


def _bots(replay: Document) -> list[str]:
    return [name_of(seat) for seat in replay["seats"]]


def _result(replay: Document) -> str:
    """Return how a match ended, in a line."""
    seats = sorted(replay["seats"], key=lambda seat: seat["placement"])
    return ", ".join(f"{seat['placement']}. {name_of(seat)} {score_text(seat['score'])}" for seat in seats)


def _about(replay: Document) -> str:
    """Say which match it is and how it was played, with the options that are not as usual."""
    game = _appearance(replay).game
    options = "".join(f", {option}" for option in unusual(game.options if game else (), replay["options"]))
    origin = replay["branched_from"]
    branched = f", branched off from {origin['match']} at decision {origin['decision']}" if origin else ""
    at = replay["started"][:16].replace("T", " ")
    return f"{replay['match']}, played {at}{branched}, rules {replay['rules_version']}{options}"


def _script(appearance: Appearance, begin: str) -> str:
    """Return the viewer as one module that starts itself."""
    viewer = [STATIC / name for name in (*MODULES, *BEGINNINGS[begin])]
    drawing, create = _drawing(appearance)
    return _joined([*viewer, *drawing]) + f"{begin}({create});\n"


def _drawing(appearance: Appearance) -> tuple[list[Path], str]:
    """Return the modules that draw a game, and the function of theirs that makes a board."""
    board, plain = _own(appearance.game, "board.js"), STATIC / "plain_board.js"
    if not board:
        return [plain], "createPlainBoard"
    modules = [*sorted(path for path in board.parent.glob("*.js") if path != board), board]
    if appearance.is_current:
        return modules, "createBoard"
    return [plain, STATIC / "sturdy.js", *modules], "sturdy(createBoard, createPlainBoard)"


def style_of(game: Game | None) -> str:
    """Return the style of pages that show boards of a game."""
    own = _own(game, "board.css")
    return _joined([*SHEETS, STATIC / "page.css", *([own] if own else [])])


def picture_of(game: str) -> Path | None:
    """Return the picture of a game; None if it has none, or is not installed."""
    try:
        return _own(find_game(game), "picture.png")
    except UnknownGame:
        return None


def preview(game: str, pictures: str) -> str:
    """Return the address of the picture of a game, which begins with `pictures`; empty if it has none."""
    return f"{pictures}{game}.png" if picture_of(game) else ""


def _own(game: Game | None, name: str) -> Path | None:
    """Return the path of a file in the folder `view` of a game, or None if there is no such file."""
    module = sys.modules[type(game).__module__].__file__ if game else None
    path = Path(module).parent / "view" / name if module else None
    return path if path and path.is_file() else None


def _joined(files: Iterable[Path]) -> str:
    """Return modules or styles one after the other, without exports, imports and what only their readers need."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return COMMENTS.sub("", re.sub(r"^import .*?;\n|^export ", "", text, flags=re.MULTILINE | re.DOTALL))


def _packed(replays: list[Document]) -> str:
    """Return views for the script. What a step does not have is as in the first of them."""
    first, *others = replays
    views: list[object] = [first]
    for one in others:
        pairs = zip(one["steps"], first["steps"], strict=True)
        steps = [{key: value for key, value in step.items() if value != known.get(key)} for step, known in pairs]
        views.append({**one, "steps": steps})
    return b64encode(gzip.compress(as_json(views, indent=None).encode(), mtime=0)).decode()


def hashed_source(text: str) -> str:
    """Return what names a script or style in a Content-Security-Policy: the quoted SHA-256 of it."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
