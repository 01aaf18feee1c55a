"""What the words may be that people and strangers give: names of bots, keys of matches, commands, values of options.

They end up in file names, tables, terminals and the environment of other people's programs. Each check returns what is
allowed, as the end of a sentence that begins with the value, or an empty string for a value that is.
"""

import re
from collections.abc import Sequence
from typing import Final

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_VERSION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+~_-]{0,39}")
_KEY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
LONGEST_LINE: Final = 200
MOST_LINES: Final = 64
"""Entries of a list: games, or patterns that every file of a folder is compared with."""
LONGEST_COMMAND: Final = 16_384
"""Characters of all words together."""


def name_objection(name: str) -> str:
    """Check the name or label of a bot, or of an owner."""
    if _NAME.fullmatch(name):
        return ""
    return "it must be 1 to 40 letters, digits, dots, hyphens and underscores, the first a letter or digit"


def key_objection(key: str) -> str:
    """Check the key of a match, which names its record."""
    if _KEY.fullmatch(key):
        return ""
    return "it must be 1 to 100 letters, digits, dots, hyphens and underscores, the first a letter or digit"


def version_objection(version: str) -> str:
    """Check the version of a bot."""
    if _VERSION.fullmatch(version):
        return ""
    return (
        "it must be 1 to 40 letters, digits, dots, pluses, tildes, hyphens and underscores, the first a letter or digit"
    )


def line_objection(text: str) -> str:
    """Check an author, an address, a path or the value of an option: any language, but nothing that is not visible."""
    if text.isprintable() and len(text) <= LONGEST_LINE:
        return ""
    return f"it must be at most {LONGEST_LINE} characters, without control characters and line ends"


def lines_objection(lines: Sequence[str]) -> str:
    """Check a list of games or patterns."""
    if len(lines) > MOST_LINES:
        return f"it must have at most {MOST_LINES} entries, and has {len(lines)}"
    return next(filter(None, map(line_objection, lines)), "")


def command_objection(words: Sequence[str]) -> str:
    """Check the command of a bot or of its build; a word may be a program of several lines."""
    visible = all(char.isprintable() or char in "\n\t" for word in words for char in word)
    if visible and sum(map(len, words)) <= LONGEST_COMMAND:
        return ""
    return f"it must have at most {LONGEST_COMMAND} characters, without control characters; put more into a file"
