"""The rules of a game as a page, in which every chapter, rule and ruling has an address: `#s7.6`."""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from typing import Final

from markdown_it import MarkdownIt

from ballcourt.arena.replays.page import STATIC, Page
from ballcourt.engine.core import Game

NUMBERED: Final = re.compile(r"<(h2|strong)>(§(\d+(?:\.\d+)?)|(R-\w+))")
"""A number at the beginning of a chapter, a rule or a ruling."""
STYLE: Final = "main.rules { display: block; max-width: 46rem; } main.rules :target { background: var(--glow); }\n"


@cache
def rules_page(game: Game) -> Page:
    """Return the page with the rules of a game; it says so if the game has none."""
    file = game.rules_file()
    text = file.read_text(encoding="utf-8") if file else "This game comes without written rules."
    style = (STATIC / "page.css").read_text(encoding="utf-8") + STYLE
    hashed = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{hashed}'; img-src data:; base-uri 'none'; form-action 'none'"
    body = NUMBERED.sub(_anchored, MarkdownIt("commonmark", {"html": False}).enable("table").render(text))
    heading = f"Rules of {escape(game.title)}"
    return Page(
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n<title>{heading}</title>\n<style>{style}</style>\n</head>\n'
        f'<body>\n<main class="rules">\n{body}</main>\n</body>\n</html>\n',
        policy,
    )


def _anchored(found: re.Match[str]) -> str:
    tag, label, number, ruling = found.groups()
    return f'<{tag} id="s{number or ruling}">{label}'
