"""What a reply means: the action that its last line names, and the answers to later questions below it.

Nothing else counts. A model that thinks aloud names actions that it rejects, and one whose reply was cut off has not
answered yet.
"""

import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Final

HOW_TO_ANSWER: Final = (
    "Reason briefly. End your reply with a line that names one legal action, such as: ACTION 12\n"
    "If you know already how you will answer the next questions of this turn, add a line below it for each of them, in "
    "order and in the words of the action, such as: THEN At E7"
)
MOST_PLANNED: Final = 20
PLANNED: Final = re.compile(r"^\W*THEN\b\W*(\S.*)$")
THOUGHT: Final = re.compile(r"<(think|thinking|thought|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
THOUGHT_BEFORE: Final = re.compile(r"\A.*</(think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)
"""The end of a thought that the endpoint has begun itself."""
MARKS: Final = r"(?:[\s*_`'\"$#>{}()\[\]|~]|\\[a-z]+(?=\{))*"
"""What Markdown, LaTeX and JSON put around a number."""
BARE: Final = re.compile(rf"{MARKS}(?:```)?(?:json)?{MARKS}", re.IGNORECASE)
ANSWER: Final = re.compile(
    rf"{MARKS}(?:(?:the |my |final )*(?:answer|choice|move|decision)(?: is)?{MARKS}[:=]?{MARKS})?"
    rf"(?:ACTION{MARKS}[:=]?{MARKS})?(\d{{1,9}})(?!\w)(.*)",
    re.IGNORECASE,
)


def spoken(reply: str) -> str:
    """Return a reply without what the model thought aloud before it."""
    return THOUGHT_BEFORE.sub("", THOUGHT.sub("", reply)).strip()


def action_in(reply: str, choices: Mapping[int, str]) -> int | None:
    """Return the action that the last line of a reply names, above the answers to later questions; None without one.

    `choices` are the legal actions in words, which may follow the number; no other words may.
    """
    lines = [line for line in reply.splitlines() if not (BARE.fullmatch(line) or PLANNED.match(line))]
    found = ANSWER.fullmatch(lines[-1]) if lines else None
    if found is None:
        return None
    action, rest = int(found[1]), words(found[2])
    return action if rest in ("", words(choices.get(action, ""))) else None


def planned_in(reply: str) -> list[str]:
    """Return the answers to later questions, with which a reply ends."""
    lines = [PLANNED.match(line) for line in reply.splitlines() if not BARE.fullmatch(line)]
    last = takewhile(bool, reversed(lines))
    return [line[1] for line in reversed([*last]) if line][:MOST_PLANNED]


def objection(action: int | None) -> str:
    """Return what is wrong with an answer."""
    return "the reply names no action in its last line" if action is None else f"action {action} is not legal"


def words(text: str) -> str:
    """Return the words of a string in small letters, with a space between."""
    return " ".join(re.findall(r"\w+", text.lower()))
