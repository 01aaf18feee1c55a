"""`ballcourt study tokens`: shows what language models took in tokens and money."""

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from ballcourt.arena.records.decisions import answered
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.cli.declaring import argument
from ballcourt.cli.flags import Json
from ballcourt.cli.output import columns, dump, say
from ballcourt.v1.record_pb2 import MatchRecord

SPENT: Final = re.compile(
    r"tokens \d{1,12} in, \d{1,12} out; match (\d{1,12}) in, (\d{1,12}) out, cost (\d{1,9}\.\d{1,6})", re.ASCII
)
"""What the thoughts of a decision begin with: `ballcourt.bots.llm` says so, and so may any bot."""
HEAD: Final = ("bot", "matches", "tokens in", "tokens out", "per match", "per decision", "cost", "cost per match")


@dataclass(slots=True)
class Spent:
    """What an entrant took, as it says itself, in the matches in which it says so."""

    bot: str
    version: str
    matches: int = 0
    decisions: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    """In the currency of its owner, by the prices that the owner has set."""


def tokens(
    folder: Annotated[Path, argument("FOLDER", "The output folder.")],
    as_json: Json = False,
) -> None:
    """Show what language models took in tokens and money, as their bots say in their thoughts.

    The bot `llm` does; its settings LLM_PRICE_IN and LLM_PRICE_OUT are the prices.

    \b
    Example:
      ballcourt study tokens runs/models
    """
    found: defaultdict[tuple[str, str], Spent] = defaultdict(lambda: Spent("", ""))
    for file in record_files(folder):
        _add(found, read_record(file))
    if not found:
        raise RecordError(f"no bot says in {folder} what it took; the bot llm does")
    spent = sorted(found.values(), key=lambda one: (-one.cost, -one.tokens_in, one.bot, one.version))
    if as_json:
        dump(spent)
    else:
        say(columns([HEAD, *map(_row, spent)]))


def _add(found: defaultdict[tuple[str, str], Spent], record: MatchRecord) -> None:
    for seat, entrant in enumerate(record.entrants):
        numbers = answered(record, seat)
        matched = [SPENT.match(record.decisions.thoughts.get(number, "")) for number in reversed(numbers)]
        if last := next(filter(None, matched), None):
            spent = found[entrant.name, entrant.version]
            spent.bot, spent.version = entrant.name, entrant.version
            spent.matches += 1
            spent.decisions += len(numbers)
            spent.tokens_in += int(last[1])
            spent.tokens_out += int(last[2])
            spent.cost += float(last[3])


def _row(spent: Spent) -> tuple[str, ...]:
    total = spent.tokens_in + spent.tokens_out
    return (
        f"{spent.bot} {spent.version}",
        str(spent.matches),
        str(spent.tokens_in),
        str(spent.tokens_out),
        f"{total / spent.matches:.0f}",
        f"{total / max(1, spent.decisions):.0f}",
        f"{spent.cost:.4f}",
        f"{spent.cost / spent.matches:.4f}",
    )
