"""What examiners do: the exam of a submission, and the match of a scrimmage, each in processes that can be ended."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from ballcourt.arena.ladder.arrivals.exam import Arriving, ExamOutcome, ExamVerdict
from ballcourt.arena.models import Model
from ballcourt.arena.processes.asked import AnswerDue
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.contest.examining.desks import ExamPlaces, ExamTerms
from ballcourt.contest.examining.work import Leased, WorkFinding
from ballcourt.contest.submissions.allowance import MB
from ballcourt.contest.submissions.work_queue import WorkKind
from ballcourt.evaluation.scrimmage import Bout, BoutOutcome

Result = TypeVar("Result")


class ExamReport(Model):
    """What an author reads about a submission."""

    failures: tuple[str, ...] = ()
    """The checks that failed, each a paragraph with the output of the bot."""
    passed: tuple[str, ...] = ()
    """The checks that passed, in a line each."""


@dataclass(frozen=True, slots=True)
class Job(Generic[Result]):
    """The exam of a submission or the matches of a scrimmage, begun in a process that can be ended."""

    process: AnswerDue[Result]
    found: Callable[[Result], WorkFinding]

    def finding(self) -> WorkFinding:
        """Return what came out, once the process has ended. Raises ArenaError."""
        return self.found(self.process.outcome())


def exam_of(
    start: Callable[[Arriving], AnswerDue[ExamOutcome]],
    leased: Leased,
    source: Path,
    places: ExamPlaces,
    terms: ExamTerms,
) -> Job[ExamOutcome]:
    """Begin the exam of a submission; `source` is the folder of the bot."""
    exam = start(
        Arriving(
            source=str(source),
            place=f"{leased.team_name}/{leased.bot}",
            owner=leased.team_name,
            output=str(places.output),
            records="" if leased.kind == WorkKind.AGAIN else str(places.records),
            again=leased.kind == WorkKind.AGAIN,
            copy_to=str(places.copy),
            setups=terms.setups,
            most=terms.unpacked_mb * MB,
            clock=terms.clock,
            sandbox=terms.sandbox,
        )
    )
    return Job(exam, lambda outcome: _examined(outcome, leased, (source, places.copy)))


def scrimmage_of(
    start: Callable[[Bout], AnswerDue[BoutOutcome]],
    leased: Leased,
    sources: Sequence[Path | None],
    places: ExamPlaces,
    terms: ExamTerms,
) -> Job[BoutOutcome]:
    """Begin a scrimmage; `sources` are the folders of the bots, None of one that comes with the arena."""
    bots = (
        BotTable(path=str(source) if source else contender.bot.name, hash=contender.bot.content_hash)
        for source, contender in zip(sources, leased.contenders, strict=True)
    )
    bout = start(
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
    return Job(bout, lambda outcome: _played(outcome, [source for source in sources if source]))


def without_paths(sentence: str, folders: Sequence[Path]) -> str:
    """Return a sentence without the paths of this machine."""
    for folder in map(str, folders):
        sentence = sentence.replace(f"{folder}/", "").replace(folder, "the folder")
    return sentence


def refused(sentence: str) -> WorkFinding:
    """Return that nothing can be done with a submission or a scrimmage, and why."""
    return WorkFinding(False, sentence, _report_of([sentence]))


def _report_of(failures: Sequence[str], passed: tuple[str, ...] = ()) -> str:
    """Return the report about a submission, as JSON."""
    return ExamReport(failures=tuple(failures), passed=passed).model_dump_json()


def _examined(outcome: ExamOutcome, leased: Leased, paths: Sequence[Path]) -> WorkFinding:
    """Return what an exam means for a submission."""
    reasons = [without_paths(reason, paths) for reason in outcome.reasons]
    if outcome.verdict is ExamVerdict.PLAYS:
        reasons = [f"{outcome.bot} plays already, with the same files; change its version to enter it"]
    elif outcome.bot.name and outcome.bot.name != leased.bot:
        reasons.insert(0, f"it was entered as {leased.bot}, and its bot.toml says {outcome.bot.name}; enter it as that")
    first = reasons[0].partition("\n")[0] if reasons else ""
    is_accepted = outcome.verdict is ExamVerdict.PASSED and not reasons
    return WorkFinding(is_accepted, first, _report_of(reasons, outcome.passed), outcome.bot, outcome.files_hash)


def _played(outcome: BoutOutcome, paths: Sequence[Path]) -> WorkFinding:
    """Return what the matches of a scrimmage mean for it."""
    return WorkFinding(not outcome.trouble, without_paths(outcome.trouble or outcome.result, paths))
