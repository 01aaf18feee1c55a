"""Pages of text without a script, such as the rules of a game."""

import re
from functools import cache
from html import escape
from typing import Final

from markdown_it import MarkdownIt

from ballcourt.arena.replays.page import Page, hashed_source, style_of
from ballcourt.engine.core import Game

NUMBERED: Final = re.compile(r"<(h2|strong)>(§(\d+(?:\.\d+)?)|(R-\w+))")
"""A number at the beginning of a chapter, a rule or a ruling."""
STYLE: Final = "main.rules { display: block; max-width: 46rem; } main.rules :target { background: var(--glow); }\n"


@cache
def rules_page(game: Game) -> Page:
    """Return the page with the rules of a game, in which every chapter, rule and ruling has an address: `#s7.6`."""
    file = game.rules_file()
    text = file.read_text(encoding="utf-8") if file else "This game comes without written rules."
    body = NUMBERED.sub(r'<\1 id="s\3\4">\2', MarkdownIt("commonmark", {"html": False}).enable("table").render(text))
    return text_page(f"Rules of {game.title}", body)


def text_page(title: str, body: str) -> Page:
    """Return a page with a title and a body, which is HTML."""
    style = style_of(None) + STYLE
    policy = f"default-src 'none'; style-src {hashed_source(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    return Page(
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n'
        f'<body>\n<main class="rules">\n{body}</main>\n</body>\n</html>\n',
        policy,
    )
