"""`ballcourt study together`: many comparisons of versions, and which of them hold together."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.records.store import RecordError
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.flags import Json
from ballcourt.cli.output import columns, dump, say
from ballcourt.evaluation.assessment import is_broken
from ballcourt.evaluation.comparison import played_blocks
from ballcourt.evaluation.duels import share_won
from ballcourt.evaluation.evaluator import faults_of
from ballcourt.evaluation.evidence import Evidence, Method, weigh
from ballcourt.evaluation.ledger import KeptAnswer, Ledger
from ballcourt.evaluation.question import EFFECT, HALF, RISK, Question
from ballcourt.evaluation.together import discoveries, wealth_of
from ballcourt.evaluation.tuning import FILE


@dataclass(frozen=True, slots=True)
class TestedIdea:
    """One comparison: the share of duels that its new version won, and whether it is better."""

    folder: str
    """The output folder, or which evaluation it is."""
    blocks: int
    share: float
    low: float
    high: float
    alone: bool
    """Whether it is better by itself, at the risk of one comparison."""
    together: bool
    """Whether it is better among all of these."""
    broken: str
    """Why it is called broken; empty if it is not."""


def together(
    places: Annotated[
        list[Path], argument("PLACE...", "Output folders of `compare` and `tune`; files that `evaluate` keeps.")
    ],
    rate: Annotated[float, option("The largest expected share of wrong ones among those believed.", "SHARE")] = RISK,
    effect: Annotated[float, option("The share of duels that was hoped for.", "SHARE")] = EFFECT,
    as_json: Json = False,
) -> None:
    """Say which of many comparisons to believe, if they were all asked together.

    Of twenty versions that are not better, one looks better by chance at a risk of 5 %. Here at most 5 % of those that
    are believed are expected to be wrong, also if the comparisons share a bot or its deals. New ones may be added, and
    compared longer, at any time.

    \b
    Exit codes: 0 one is better; 1 none is known to be.
    Examples:
      ballcourt study together runs/compare-* runs/tune-*
      ballcourt study together ideas.sqlite
    """
    if not 0 < rate < HALF:
        raise typer.BadParameter(f"it is {rate:g}; it must be above 0 and below 0.5", param_hint="--rate")
    question = Question(effect=effect, alpha=rate)
    asked = [comparison for place in places for comparison in _comparisons(place)]
    shares = [blocks for _, blocks, _ in asked]
    found = [weigh(blocks, question, Method.BETTING) for blocks in shares]
    wealth = [wealth_of(blocks, question) for blocks in shares]
    every = zip(asked, found, discoveries(wealth, rate), strict=True)
    ideas = [_idea(name, evidence, broken, is_believed=believed) for (name, _, broken), evidence, believed in every]
    if as_json:
        dump({"format": "ballcourt-together-1", "rate": rate, "comparisons": [asdict(idea) for idea in ideas]})
    else:
        say(columns([HEAD, *map(_row, sorted(ideas, key=lambda idea: (-idea.together, -idea.share)))]))
    if not any(idea.together for idea in ideas):
        raise typer.Exit(1)


HASH = 8
"""How many characters of a hash are shown, as in the names of candidates."""
HEAD = ("comparison", "blocks", "duels won", "95% interval", "alone", "together")


def _comparisons(place: Path) -> list[tuple[str, Sequence[float], str]]:
    """Return the names of comparisons, a search or evaluations, the share of duels won in each block, why it broke."""
    search = place / FILE
    if search.exists():
        found = [(str(place), shares, broken) for _, shares, broken in _evaluations(search)]
    elif place.is_file() and place.stat().st_size:
        found = _evaluations(place)
    else:
        found = [(str(place), [share_won(duels) for duels in played_blocks(place)], "")]
    if not found or not found[0][1]:
        raise RecordError(
            f"there is no whole block in {place}; name output folders of `compare` and `tune`, or a file of `evaluate`"
        )
    return found


def _evaluations(file: Path) -> list[tuple[str, Sequence[float], str]]:
    """Return the evaluations in a ledger, named by the beginnings of the hashes of candidate and terms."""
    with closing(Ledger(file)) as ledger:
        return [
            (
                f"{answer.candidate[:HASH]}, {answer.deals.partition('-')[0]} deals, terms {answer.question[:HASH]}",
                [block.share for block in answer.blocks],
                _why(ledger, answer) if is_broken(answer.blocks) else "",
            )
            for answer in ledger.answers()
        ]


def _why(ledger: Ledger, answer: KeptAnswer) -> str:
    """Return how a broken candidate lost its seat, in one line."""
    (first, *_) = ledger.blocks(answer.question, answer.candidate, answer.deals).values()
    return next((fault.partition("\n")[0] for fault in faults_of([first])), "it lost its seat")


def _idea(name: str, found: Evidence, broken: str, *, is_believed: bool) -> TestedIdea:
    return TestedIdea(name, found.blocks, found.share, found.low, found.high, found.is_better, is_believed, broken)


def _row(idea: TestedIdea) -> tuple[str, ...]:
    answers = ("better" if better else "-" for better in (idea.alone, idea.together))
    if idea.broken:
        return idea.folder, str(idea.blocks), f"{idea.share:.1%}", "broken", "-", idea.broken
    interval = f"{idea.low:.1%} to {idea.high:.1%}"
    return idea.folder, str(idea.blocks), f"{idea.share:.1%}", interval, *answers
