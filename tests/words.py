"""The words of pages, as a person reads them, and what is wrong with them."""

import re
from html.parser import HTMLParser

UNSEEN = {"script", "style", "template", "code", "pre", "textarea"}
"""What has words for machines, or of strangers."""
INLINE = {"a", "abbr", "b", "bdi", "em", "i", "small", "span", "strong", "time"}
NOUNS = (
    "attempts|blocks|bots|cards|days|decisions|entrants|faults|games|groups|hours|matches|messages|minutes|others|pages|"
    "places|players|playouts|points|questions|replays|rounds|rows|scrimmages|seats|seconds|steps|submissions|tables|teams|"
    "tiles|times|versions|wins|workers"
)
WRONG = {
    "one with a plural": re.compile(rf"(?<![\d.,\u2212])\b1 (?:free |played )?(?:{NOUNS})\b"),
    "a seat or player that is counted from 0": re.compile(r"\b(?:seat|player) 0\b", re.IGNORECASE),
    "a thousand without a comma": re.compile(rf"(?<![\d.,\u2212-])\b\d{{4,}} (?:{NOUNS})\b"),
    "a hyphen for a minus": re.compile(r"(?<![\w.\u2212-])-\d"),
    "a hash": re.compile(r"\b[0-9a-f]{64}\b"),
    "milliseconds with decimals": re.compile(r"\d\.\d+ ?ms\b"),
    "a machine's word": re.compile(r"\b(?:None(?! of|\.)|nan|True|False)\b|\{\{"),
}


def faults_of(text: str) -> list[str]:
    """Return what is wrong with these words."""
    return [f"{why}: {text[max(0, found.start() - 30) : found.end() + 30]!r}" for why, way in WRONG.items()
            for found in way.finditer(text)]  # fmt: skip


def read(page: str) -> str:
    """Return the words of a page of HTML, a line for each block."""
    reader = _Reader()
    reader.feed(page)
    return re.sub(r"[^\S\n]+", " ", "".join(reader.words))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in UNSEEN
        self.words += [value for name, value in attrs if value and name in ("title", "aria-label", "alt")]
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in UNSEEN
        self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.words.append(data.replace("\n", " "))

    def _break(self, tag: str) -> None:
        if tag not in INLINE:
            self.words.append("\n")
