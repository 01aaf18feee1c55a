"""Suites of positions: recorded questions with the actions that a good bot answers with."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.debug.ask import Reply, put
from ballcourt.arena.debug.cases import FromRecord
from ballcourt.arena.debug.foreground import bot_in_foreground
from ballcourt.arena.files import read_toml
from ballcourt.arena.models import LAX, Model, Must
from ballcourt.arena.records.replay import positions
from ballcourt.arena.records.store import read_record
from ballcourt.engine.core import WrongInput, did_you_mean


class SuiteError(WrongInput):
    """A suite of positions cannot be read, or asks for what cannot be answered; the sentence says what."""


class Position(Model):
    """A question, and what it tests."""

    record: str
    """The record file, relative to the file of the suite."""
    decision: Annotated[int, Field(ge=0)]
    accepted: Annotated[tuple[str, ...], LAX, Must("a list of at least one name of an action"), Field(min_length=1)]
    """The names of the actions that are right."""
    why: str = ""
    """What is right about them, for people."""

    @property
    def title(self) -> str:
        """The question as `ballcourt debug` takes it."""
        return f"{self.record}@{self.decision}"


class _File(Model):
    position: Annotated[tuple[Position, ...], LAX, Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Task:
    """A position with its question and the numbers of the accepted actions."""

    position: Position
    source: FromRecord
    accepted: frozenset[int]

    @classmethod
    def of(cls, position: Position, folder: Path) -> Self:
        """Find the question of a position. Raises RecordError, and SuiteError for an action that is not legal there."""
        record, number = read_record(folder / position.record), position.decision
        source = FromRecord(record, number)
        names, state = source.game.action_names, next(islice(positions(record), number, None))
        legal = {names[action]: action for action in state.legal_actions(record.decisions.seats[number])}
        for name in position.accepted:
            if name not in legal:
                what = "is not legal there" if name in names else f"is not an action of {source.game.name}"
                hint = did_you_mean(name, legal)
                raise SuiteError(f"{position.title}: '{name}' {what}; the legal actions are {', '.join(legal)}{hint}")
        return cls(position, source, frozenset(legal[name] for name in position.accepted))


@dataclass(frozen=True, slots=True)
class PositionAnswer:
    """What a bot answered to a task."""

    task: Task
    reply: Reply

    @property
    def accepted(self) -> bool:
        """Whether the answer is one of the accepted ones."""
        answer = self.reply.answer
        return not self.reply.fault and answer is not None and answer.action in self.task.accepted


def read_suite(file: Path) -> list[Task]:
    """Read a file of positions, and sort them by game. Raises SuiteError, RecordError or UnknownGame."""
    try:
        values = read_toml(file)
    except OSError as error:
        raise SuiteError(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise SuiteError(f"{file} is not valid TOML: {error}") from error
    tasks = [Task.of(position, file.parent) for position in _File.read(values, str(file), SuiteError).position]
    return sorted(tasks, key=_game)


async def examined(bot: Bot, tasks: Sequence[Task], *, history: bool = False) -> AsyncIterator[PositionAnswer]:
    """Put tasks to a bot, with one process for those of a game as long as it keeps its seat.

    With `history` it is first sent what was before each question. Raises BotError or BotFault if the bot does not
    start.
    """
    for _, together in groupby(tasks, _game):
        waiting = [*together]
        while waiting:
            async with bot_in_foreground(waiting[0].source.game, bot, None) as running:
                is_well = True
                while waiting and is_well:
                    task = waiting.pop(0)
                    case = await task.source.case(observes=running.session.hello.capabilities.observe)
                    reply = await put(running, task.source.game, case, history=history)
                    is_well = not reply.fault and case.end is not None
                    yield PositionAnswer(task, reply)


def _game(task: Task) -> str:
    return task.source.game.name
