"""What examiners do: the exam of a submission, and the match of a scrimmage, each in processes that can be ended."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from ballcourt.arena.checks.check import CheckResult, Outcome
from ballcourt.arena.ladder.arrivals.exam import Arriving, ExamOutcome, ExamVerdict
from ballcourt.arena.models import Model
from ballcourt.arena.processes.asked import AnswerDue
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.contest.examining.desks import ExamPlaces, ExamTerms
from ballcourt.contest.examining.work import Leased, WorkFinding
from ballcourt.contest.submissions.allowance import MB
from ballcourt.evaluation.scrimmage import Bout, BoutOutcome


class ExamReport(Model):
    """What an author reads about a submission."""

    failures: tuple[str, ...] = ()
    """The checks that failed, each a paragraph with the output of the bot."""
    passed: tuple[str, ...] = ()
    """The checks that passed, in a line each."""


class Job(Protocol):
    """Work that was begun."""

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""

    def finding(self) -> WorkFinding:
        """Return what came out. Raises ArenaError."""

    def end(self) -> None:
        """End it now."""


class ExamJob:
    """The exam of a submission."""

    def __init__(
        self,
        start: Callable[[Arriving], AnswerDue[ExamOutcome]],
        leased: Leased,
        source: Path,
        places: ExamPlaces,
        terms: ExamTerms,
    ) -> None:
        """`source` is the folder of the bot."""
        self._leased = leased
        self._paths = (source, places.copy)
        self._exam = start(
            Arriving(
                source=str(source),
                place=f"{leased.team_name}/{leased.bot}",
                output=str(places.output),
                records=str(places.records),
                copy_to=str(places.copy),
                games=terms.games,
                most=terms.unpacked_mb * MB,
                clock=terms.clock,
                sandbox=terms.sandbox,
            )
        )

    @property
    def is_over(self) -> bool:
        """See `Job`."""
        return self._exam.is_over

    def finding(self) -> WorkFinding:
        """See `Job`."""
        outcome = self._exam.outcome()
        reasons = [without_paths(reason, self._paths) for reason in outcome.reasons]
        return _finding(outcome.replaced(reasons=tuple(reasons)), self._leased)

    def end(self) -> None:
        """See `Job`."""
        self._exam.end()


class ScrimmageJob:
    """The match of a scrimmage, or several."""

    def __init__(
        self,
        start: Callable[[Bout], AnswerDue[BoutOutcome]],
        leased: Leased,
        sources: Sequence[Path | None],
        places: ExamPlaces,
        terms: ExamTerms,
    ) -> None:
        """`sources` are the folders of the bots; None of one that comes with the arena."""
        self._paths = [source for source in sources if source]
        bots = (
            BotTable(path=str(source) if source else contender.bot.name, hash=contender.bot.content_hash)
            for source, contender in zip(sources, leased.contenders, strict=True)
        )
        self._bout = start(
            Bout(
                key=leased.subject,
                bots=tuple(bots),
                setups=terms.setups,
                records=str(places.records),
                matches=leased.matches,
                clock=terms.clock,
                faults=terms.faults,
                sandbox=terms.sandbox,
            )
        )

    @property
    def is_over(self) -> bool:
        """See `Job`."""
        return self._bout.is_over

    def finding(self) -> WorkFinding:
        """See `Job`."""
        outcome = self._bout.outcome()
        return WorkFinding(not outcome.trouble, without_paths(outcome.trouble or outcome.result, self._paths))

    def end(self) -> None:
        """See `Job`."""
        self._bout.end()


def without_paths(sentence: str, folders: Sequence[Path]) -> str:
    """Return a sentence without the paths of this machine."""
    for folder in map(str, folders):
        sentence = sentence.replace(f"{folder}/", "").replace(folder, "the folder")
    return sentence


def refused(sentence: str) -> WorkFinding:
    """Return that nothing can be done with a submission or a scrimmage, and why."""
    return WorkFinding(False, sentence, _report_of([sentence]))


def _report_of(failures: Sequence[str], checks: Sequence[CheckResult] = ()) -> str:
    """Return the report about a submission, as JSON."""
    passed = (f"{one.number}, {one.title}: {one.detail}" for one in checks if one.outcome is Outcome.PASS)
    return ExamReport(failures=tuple(failures), passed=tuple(passed)).model_dump_json()


def _finding(outcome: ExamOutcome, leased: Leased) -> WorkFinding:
    """Return what an exam means for a submission."""
    reasons = [*outcome.reasons]
    if outcome.verdict is ExamVerdict.PLAYS:
        reasons = [f"{outcome.bot} plays already, with the same files; change its version to enter it"]
    elif outcome.bot.name and outcome.bot.name != leased.bot:
        reasons.insert(0, f"it was entered as {leased.bot}, and its bot.toml says {outcome.bot.name}; enter it as that")
    first = reasons[0].partition("\n")[0] if reasons else ""
    is_accepted = outcome.verdict is ExamVerdict.PASSED and not reasons
    return WorkFinding(is_accepted, first, _report_of(reasons, outcome.checks), outcome.bot, outcome.files_hash)
